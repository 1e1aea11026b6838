import type { EventState, Instant } from '@nwms/domain';
import { AppError } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Places } from '../../places/types.ts';
import type { Board } from '../board/board.ts';
import type { Row } from '../board/row.ts';
import type { AlertArchive, ArchiveBounds, RecordBounds } from '../types.ts';
import { rowsOfEvents } from './event-rows.ts';
import type { AlertFilter, CompiledFilter } from './filter.ts';
import { type MessageRows, messageRowsOf, supersededRows } from './message-rows.ts';
import type { TimeFilter } from './time.ts';

export interface QueryDeps {
  clock: Clock;
  places: Places;
  board: Board;
  archive: AlertArchive;
}

export interface Question {
  filter: AlertFilter;
  compiled: CompiledFilter;
  time: TimeFilter;
  view: 'events' | 'messages';
  /** True when what the board keeps is all that was asked for. */
  boardOnly?: boolean;
}

export interface Selection {
  /** Matching rows. In rank order when `ranked`. */
  rows: Row[];
  ranked: boolean;
  /** False when older matches were left out because there are too many of them. */
  complete: boolean;
  fromArchive: boolean;
  /** The record holds more than is read at once: its older matches are not among the rows, but can be walked. */
  beyond?: true;
  /** Rows that match but for the area, and of whose shape a part is not known: they may lie in it. */
  unplaced: Row[];
}

/** Events one question may read from the archive; more is a smaller window's business. */
export const ARCHIVE_LIMIT = 10_000;
/** The same where no time was asked: the board answers and the newest of history are added. */
const OPEN_LIMIT = 2_000;
const DAY_MS = 86_400_000;
/** A whole office; shorter is a prefix. */
export const OFFICE_LETTERS = 4;

/** All rows a question is about, from the board when it holds everything asked for, else with the archive. */
export async function selectRows(deps: QueryDeps, question: Question): Promise<Selection> {
  const { time, compiled } = question;
  if (time.at !== null) return knownAt(deps, question, time.at);
  // Read first, so that the board's own rows are those of the moment the answer is made.
  const older = question.view === 'messages' ? await supersededRows(deps, question.filter) : NO_MORE;
  const ofBoard: Selection = {
    ...placed(candidates(deps.board, question, older.rows), question),
    ranked: compiled.area === null && question.view === 'events',
    complete: older.complete,
    fromArchive: older.rows.length > 0,
  };
  return boardSuffices(question, deps.board.floor()) ? ofBoard : withOlder(deps, question, ofBoard);
}

const NO_MORE: MessageRows = { rows: [], complete: true };

/** Keeps the rows that match, and those that match but for the area while a part of their shape is not known. */
export function placed(rows: Iterable<Row>, { compiled, time }: Question): Pick<Selection, 'rows' | 'unplaced'> {
  const { area } = compiled;
  const found: Row[] = [];
  const unplaced: Row[] = [];
  for (const row of rows) {
    if (!compiled.matchesApart(row) || !time.matches(row)) continue;
    if (!area || area.touches(row)) found.push(row);
    else if (isUnplaced(row)) unplaced.push(row);
  }
  return { rows: found, unplaced };
}

/** By place where a place is asked for. */
function candidates(board: Board, { compiled, view }: Question, older: readonly Row[]): Iterable<Row> {
  if (view === 'messages') return [...board.messageRows(), ...older];
  const { area } = compiled;
  if (!area) return board.rows();
  const found = board.spatial().near(area.boxes);
  for (const code of area.zoneCodes) for (const row of board.rowsOfZone(code)) found.add(row);
  for (const row of board.unplaced()) found.add(row);
  return found;
}

const isUnplaced = ({ alert }: Row): boolean => alert.is_active && alert.geometry_missing.length > 0;

/** Anything in force, sent or ended at or after the floor is on the board. */
function boardSuffices({ filter, time, boardOnly }: Question, floor: Instant): boolean {
  if (boardOnly || isAboutActive(filter)) return true;
  if (time.inForceAt !== null && time.inForceAt >= floor) return true;
  return time.range !== null && time.range.from >= floor;
}

/** Nothing that is over can match. */
const isAboutActive = ({ active_only: activeOnly, lifecycle }: AlertFilter): boolean =>
  Boolean(activeOnly) ||
  Boolean(lifecycle?.every((state) => state === 'upcoming' || state === 'unconfirmed' || state === 'expiring' || state === 'in_force'));

async function withOlder(deps: QueryDeps, question: Question, ofBoard: Selection): Promise<Selection> {
  const isWide = isOpen(question);
  // Counted first, by an index: a long record is not read only to find out that it is long.
  const isLong = isWide && (await deps.archive.countRecord(recordBoundsOf(deps, question), OPEN_LIMIT + 1)) > OPEN_LIMIT;
  if (isLong) return { ...ofBoard, complete: false, beyond: true };
  const found = await findOlder(deps, boundsOf(question, isWide ? OPEN_LIMIT : ARCHIVE_LIMIT), isWide);
  if (!found) return { ...ofBoard, complete: false, beyond: true };
  const older = await fromArchive(deps, question, found, deps.clock.now(), (event) => deps.board.row(event.eventId) === undefined);
  return {
    rows: [...ofBoard.rows, ...older.rows],
    ranked: false,
    complete: ofBoard.complete,
    fromArchive: true,
    unplaced: ofBoard.unplaced,
  };
}

/**
 * What was known at an instant. All that ever was is more than one answer should read after some days: where no time was asked beside it,
 * those over at least a day before are left out then, at last all that were over, and the answer says so.
 */
async function knownAt(deps: QueryDeps, question: Question, at: Instant): Promise<Selection> {
  const bounds = boundsOf(question, ARCHIVE_LIMIT);
  const attempts =
    isOpen(question) && !bounds.activeOnly
      ? [
          { ...bounds, limit: OPEN_LIMIT },
          { ...bounds, from: at - DAY_MS },
          { ...bounds, activeOnly: true },
        ]
      : [bounds];
  for (const [index, attempt] of attempts.entries()) {
    const mayBeTooMany = index < attempts.length - 1;
    // Counted first: thousands of states are not read only to find out that there are more.
    if (mayBeTooMany && (await deps.archive.countAt(at, attempt)) > attempt.limit) continue;
    const found = await unlessTooMany(deps.archive.asOf(at, attempt), mayBeTooMany);
    if (found) return { ...(await fromArchive(deps, question, found, at)), complete: index === 0 };
  }
  throw new Error('the last attempt answers or rejects');
}

/** No time was asked for: what does not fit may be left out, and is told. */
const isOpen = ({ time }: Question): boolean => time.range === null && time.inForceAt === null && time.updatedSince === null;

/** Null = more than the limit, where that may be. */
async function unlessTooMany<T>(asked: Promise<T>, mayBe: boolean): Promise<T | null> {
  try {
    return await asked;
  } catch (error) {
    if (mayBe && error instanceof AppError && error.code === 'query.window_too_large') return null;
    throw error;
  }
}

/** Null = more than the limit where no time was asked; a question with a time that finds too much is refused instead. */
async function findOlder({ archive, board }: QueryDeps, bounds: ArchiveBounds, mayBeTooMany: boolean) {
  if (!mayBeTooMany) return archive.find(bounds);
  return unlessTooMany(archive.find({ ...bounds, to: board.floor(), timeField: 'ended' }), true);
}

/** What the archive can narrow down by index; the predicate has the last word on every row. */
function boundsOf({ filter, time }: Question, limit: number): ArchiveBounds {
  return {
    limit,
    ...(time.range && { from: time.range.from, timeField: time.range.field, ...(time.range.to !== null && { to: time.range.to }) }),
    ...(isAboutActive(filter) && { activeOnly: true }),
    ...(time.inForceAt !== null && { inForceAt: time.inForceAt }),
    ...(time.updatedSince !== null && { updatedSince: time.updatedSince }),
    ...narrowingOf(filter),
  };
}

/** Of an open question: the part of the record that the board does not hold. */
export function recordBoundsOf({ board }: QueryDeps, { filter }: Question): RecordBounds {
  return { endedBefore: board.floor(), countableOnly: filter.status === undefined, ...narrowingOf(filter) };
}

/** What columns know of a filter. A part of an office's name is none of it: they hold whole ones. */
function narrowingOf(filter: AlertFilter): Pick<ArchiveBounds, 'eventCodes' | 'offices' | 'ugcPrefixes'> {
  const upper = (codes: readonly string[]) => codes.map((code) => code.toUpperCase());
  return {
    ...(filter.event_code && { eventCodes: upper(filter.event_code) }),
    ...(filter.office?.every((office) => office.length === OFFICE_LETTERS) && { offices: upper(filter.office) }),
    ...(filter.ugc && { ugcPrefixes: upper(filter.ugc) }),
  };
}

type Found = Awaited<ReturnType<AlertArchive['find']>>;

async function fromArchive(
  deps: QueryDeps,
  question: Question,
  found: Found,
  at: Instant,
  wanted: (event: EventState) => boolean = () => true,
): Promise<Selection> {
  const events = found.events.filter(wanted);
  const rows =
    question.view === 'messages'
      ? await messageRowsOf(deps, events, found.messages, at)
      : await rowsOfEvents(deps, events, found.messages, at);
  return { ...placed(rows, question), ranked: false, complete: true, fromArchive: true };
}
