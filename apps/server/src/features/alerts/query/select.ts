import type { EventState, Instant } from '@nwms/domain';
import type { Clock } from '../../../platform/clock.ts';
import type { Places } from '../../places/types.ts';
import type { Board } from '../board/board.ts';
import type { Row } from '../board/row.ts';
import type { AlertArchive, ArchiveBounds, RecordBounds } from '../types.ts';
import { rowsOfEvents } from './event-rows.ts';
import type { AlertFilter, CompiledFilter } from './filter.ts';
import { type Kept, lightOf } from './kept-rows.ts';
import { type MessageRows, messageRowsOf, supersededRows } from './message-rows.ts';
import { AT_ONCE, type EventSource, inPieces, newestStates, statesKnownAt, unlessTooMany } from './read-events.ts';
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

export interface Selection<T = Row> {
  /** Matching rows. In rank order when `ranked`. Of very many from the archive only what the answer needs of each. */
  rows: Kept<T>[];
  /** When they were made: time does not go on between them and those that are read again. */
  readAt: Instant;
  ranked: boolean;
  /** False when older matches were left out because there are too many of them. */
  complete: boolean;
  fromArchive: boolean;
  /** The record holds more than is read at once: its older matches are not among the rows, but can be walked. */
  beyond?: true;
  /** Rows that match but for the area, and of whose shape a part is not known: they may lie in it. */
  unplaced: Unplaced[];
}

export type Unplaced = { alert: Pick<Row['alert'], 'event' | 'event_id'> };

/** Events one question may read from the archive; more is a smaller window's business. */
export const ARCHIVE_LIMIT = 10_000;
/** The same where no time was asked: the board answers and the newest of history are added. */
const OPEN_LIMIT = 2_000;
const DAY_MS = 86_400_000;
/** A whole office; shorter is a prefix. */
export const OFFICE_LETTERS = 4;

/**
 * All rows a question is about, from the board when it holds everything asked for, else with the archive. `of` = what the answer needs of
 * every row; `rowsOf` gives the rows themselves.
 */
export async function selectRows<T>(deps: QueryDeps, question: Question, of: (row: Row) => T): Promise<Selection<T>> {
  const { time, compiled } = question;
  if (time.at !== null) return knownAt(deps, question, time.at, of);
  // Read first, so that the board's own rows are those of the moment the answer is made.
  const older = question.view === 'messages' ? await supersededRows(deps, question.filter) : NO_MORE;
  const ofBoard: Selection<T> = {
    readAt: deps.clock.now(),
    ...placedOfBoard(deps.board, question, older.rows),
    ranked: compiled.area === null && question.view === 'events',
    complete: older.complete,
    fromArchive: older.rows.length > 0,
  };
  return boardSuffices(question, deps.board.floor()) ? ofBoard : withOlder(deps, question, ofBoard, of);
}

const NO_MORE: MessageRows = { rows: [], complete: true };

/** Keeps the rows that match, and those that match but for the area while a part of their shape is not known. */
export function placed(rows: Iterable<Row>, { compiled, time }: Question): Placed {
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

interface Placed {
  rows: Row[];
  unplaced: Row[];
}

/** The same of the board: by place where a place is asked for. */
function placedOfBoard(board: Board, question: Question, older: readonly Row[]): Placed {
  const { compiled, view, time } = question;
  const { area } = compiled;
  if (view === 'messages') return placed([...board.messageRows(), ...older], question);
  if (!area) return placed(board.rows(), question);
  const more = [...area.zoneCodes.flatMap((code) => board.rowsOfZone(code)), ...board.unplaced()];
  const near = board.spatial().near(area.boxes, more);
  const others = placed(near.others, question);
  for (const row of near.inside) {
    if (!compiled.matchesApart(row) || !time.matches(row)) continue;
    // What lies in the boxes lies in the area, where the area is nothing but them.
    if (area.isBoxes || area.touches(row)) others.rows.push(row);
    else if (isUnplaced(row)) others.unplaced.push(row);
  }
  return others;
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

async function withOlder<T>(deps: QueryDeps, question: Question, ofBoard: Selection<T>, of: (row: Row) => T): Promise<Selection<T>> {
  const isWide = isOpen(question);
  // Counted first, by an index: a long record is not read only to find out that it is long.
  const isLong = isWide && (await deps.archive.countRecord(recordBoundsOf(deps, question), OPEN_LIMIT + 1)) > OPEN_LIMIT;
  if (isLong) return { ...ofBoard, complete: false, beyond: true };
  const limit = isWide ? OPEN_LIMIT : ARCHIVE_LIMIT;
  const bounds = { ...boundsOf(question, limit), ...(isWide && { to: deps.board.floor(), timeField: 'ended' as const }) };
  const reading: Reading<T> = {
    source: newestStates(deps.archive, bounds),
    limit,
    at: deps.clock.now(),
    of,
    isWanted: (event) => deps.board.row(event.eventId) === undefined,
  };
  // A question with a time that finds too much is refused.
  const older = await unlessTooMany(fromArchive(deps, question, reading), isWide);
  if (!older) return { ...ofBoard, complete: false, beyond: true };
  return {
    rows: [...ofBoard.rows, ...older.rows],
    readAt: older.readAt,
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
async function knownAt<T>(deps: QueryDeps, question: Question, at: Instant, of: (row: Row) => T): Promise<Selection<T>> {
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
    const reading = { source: statesKnownAt(deps.archive, at, attempt), limit: attempt.limit, at, of };
    const selection = await unlessTooMany(fromArchive(deps, question, reading), mayBeTooMany);
    if (selection) return { ...selection, complete: index === 0 };
  }
  throw new Error('the last attempt answers or rejects');
}

/** No time was asked for: what does not fit may be left out, and is told. */
const isOpen = ({ time }: Question): boolean => time.range === null && time.inForceAt === null && time.updatedSince === null;

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

interface Reading<T> {
  source: EventSource;
  limit: number;
  /** Rows read as at this instant. */
  at: Instant;
  of: (row: Row) => T;
  isWanted?: (event: EventState) => boolean;
}

/** Events whose messages are presented together: an event may have dozens. */
const EVENTS_OF_MESSAGES = 100;

/** Matching rows of the archive. Once they are many, none of them is kept: some ten thousand would take hundreds of megabytes. */
async function fromArchive<T>(
  deps: QueryDeps,
  question: Question,
  { source, limit, at, of, isWanted = () => true }: Reading<T>,
): Promise<Selection<T>> {
  let rows: Kept<T>[] = [];
  let areMany = false;
  const unplaced: Unplaced[] = [];
  const step = question.view === 'messages' ? EVENTS_OF_MESSAGES : AT_ONCE;
  for await (const { events, messages } of inPieces(source, limit)) {
    const wanted = events.filter(isWanted);
    for (let start = 0; start < wanted.length; start += step) {
      const some = wanted.slice(start, start + step);
      const made =
        question.view === 'messages' ? await messageRowsOf(deps, some, messages, at) : await rowsOfEvents(deps, some, messages, at);
      const found = placed(made, question);
      for (const row of found.rows) rows.push(areMany ? lightOf(row, of) : row);
      for (const { alert } of found.unplaced) unplaced.push({ alert: { event: alert.event, event_id: alert.event_id } });
      if (!areMany && rows.length > AT_ONCE) {
        areMany = true;
        rows = rows.map((row) => lightOf(row as Row, of));
      }
    }
  }
  return { rows, readAt: at, unplaced, ranked: false, complete: true, fromArchive: true };
}
