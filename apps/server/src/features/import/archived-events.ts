import {
  type ArchiveContext,
  type ArchivedLife,
  type ArchivedMessage,
  type ArchiveRow,
  canonicalJson,
  type Instant,
  isOneLife,
  livesOf,
  messageOfStatement,
  messagesOfLife,
  parseVtecEventId,
  type RawRow,
  readRow,
  renamed,
  type ReplayedLife,
  replayHistory,
  type RowFault,
  type StatementRow,
  type VtecRow,
} from '@nwms/domain';
import type { OwnEvent, RecordedEvent } from '../alerts/index.ts';

/** What is to be done with an event of the file. */
export type Outcome =
  | { how: 'add' | 'extend'; life: ReplayedLife; messages: ArchivedMessage[] }
  | { how: 'known' | 'own' | 'outside' }
  | { how: 'refused'; fault: RowFault };

export interface EventOutcome {
  outcome: Outcome;
  rows: readonly RawRow[];
  from: Instant;
  until: Instant;
}

export interface JudgeInput {
  context: ArchiveContext;
  /** What the record knows of the event numbers at hand. */
  recorded: readonly RecordedEvent[];
  /** Ids taken by events of this batch. */
  taken: Set<string>;
  range: { from: Instant | null; to: Instant | null };
  now: Instant;
}

/**
 * What ended within these days is left to our own record: the board and late messages still look at it, and importing it later costs nothing.
 * One day more than events stay in memory after their end.
 */
export const LEFT_TO_OWN_RECORD_MS = 8 * 86_400_000;

/** All events of one event number. Rows must be readable. */
export function judgeVtec(raws: readonly RawRow[], input: JudgeInput): EventOutcome[] {
  return livesOf(vtecRows(raws)).map((life) => ({
    outcome: judgeLife(life, input),
    rows: life.rows.map((row) => row.raw),
    from: life.from,
    until: life.until,
  }));
}

function judgeLife(life: ArchivedLife, { context, recorded, taken, range, now }: JudgeInput): Outcome {
  if (isOutside(life, range)) return { how: 'outside' };
  const fault = notOver(Math.max(...life.rows.map((row) => row.expire)), now);
  if (fault) return { how: 'refused', fault };
  const same = recorded.find((each) => each.key === life.key && isOneLife(each, life));
  if (same?.isOwn) return { how: 'own' };
  const earlier = same ? rowsWithin(same.raws) : [];
  const known = new Set(earlier.map((raw) => canonicalJson(raw)));
  if (same && life.rows.every((row) => known.has(canonicalJson(row.raw)))) return { how: 'known' };
  const whole = same ? wholeLife(life, earlier) : life;
  const eventId = same?.eventId ?? freeId(life.eventId, recorded, taken);
  const made = replay(whole, eventId, context);
  if (!made) return { how: 'refused', fault: CONTRADICTION };
  taken.add(eventId);
  return { how: same ? 'extend' : 'add', ...made };
}

/** The rows of both files together: what one tells by zone and the other by polygon is one event. */
function wholeLife(life: ArchivedLife, earlier: readonly RawRow[]): ArchivedLife {
  const rows = new Map([...earlier, ...life.rows.map((row) => row.raw)].map((raw) => [canonicalJson(raw), raw]));
  const [joined] = livesOf(vtecRows([...rows.values()]));
  return { ...(joined ?? life), rows: vtecRows([...rows.values()]) };
}

function replay(life: ArchivedLife, eventId: string, context: ArchiveContext): { life: ReplayedLife; messages: ArchivedMessage[] } | null {
  const messages = messagesOfLife(life, eventId, context);
  const [first, ...others] = replayHistory(messages.map(({ message }) => message));
  if (!first || others.length > 0 || first.overAt === null) return null;
  return { life: renamed(first, eventId), messages };
}

const CONTRADICTION: RowFault = {
  field: 'status',
  value: '',
  reason: 'rows_contradict',
  message: 'The rows of this event do not fit together: no single life with an end can be made of them.',
  fix: 'Look at the rows of this event in the archive.',
};

/** Statements of one office for the same zones: those that overlap are versions of one event, as when they come in live. */
export function judgeStatements(
  raws: readonly RawRow[],
  { context, range, now, stored, own }: Omit<JudgeInput, 'recorded' | 'taken'> & { stored: ReadonlySet<string>; own: readonly OwnEvent[] },
): EventOutcome[] {
  const rows = statementRows(raws);
  const single = (row: StatementRow, outcome: Outcome): EventOutcome => ({ outcome, rows: [row.raw], from: row.issue, until: row.expire });
  const outcomes: EventOutcome[] = [];
  const fresh = new Map<string, { row: StatementRow; made: ArchivedMessage }>();
  for (const row of rows) {
    const made = messageOfStatement(row, context);
    const fault = notOver(row.expire, now);
    if (isOutside({ from: row.issue, until: row.expire }, range)) outcomes.push(single(row, { how: 'outside' }));
    else if (fault) outcomes.push(single(row, { how: 'refused', fault }));
    else if (stored.has(made.message.id) || fresh.has(made.message.id)) outcomes.push(single(row, { how: 'known' }));
    else if (own.some((each) => isSamePlace(each, row))) outcomes.push(single(row, { how: 'own' }));
    else fresh.set(made.message.id, { row, made });
  }
  for (const life of replayHistory([...fresh.values()].map(({ made }) => made.message))) {
    const its = life.messageIds.flatMap((id) => fresh.get(id) ?? []);
    const from = Math.min(...its.map(({ row }) => row.issue));
    const until = Math.max(...its.map(({ row }) => row.expire));
    outcomes.push({
      outcome: { how: 'add', life, messages: its.map(({ made }) => made) },
      rows: its.map(({ row }) => row.raw),
      from,
      until,
    });
  }
  return outcomes;
}

/** A statement has no number: what we heard for one of its zones at its time is taken for it. */
const isSamePlace = (own: OwnEvent, row: StatementRow): boolean =>
  own.office === row.office && own.from < row.expire && own.until > row.issue && row.ugcs.some((code) => own.zones.includes(code));

/** An event that began before a time and reached into it belongs to it: as of that time it was in force. */
const isOutside = (life: { from: Instant; until: Instant }, { from, to }: JudgeInput['range']): boolean =>
  (from !== null && life.until <= from) || (to !== null && life.from >= to);

/** @returns why an event cannot be history yet */
function notOver(until: Instant, now: Instant): RowFault | null {
  const value = new Date(until).toISOString();
  if (until > now) {
    const message = 'The event has not ended: only the past can be imported.';
    return { field: 'expire', value, reason: 'not_over', message, fix: 'Import it again when it is over.' };
  }
  if (until <= now - LEFT_TO_OWN_RECORD_MS) return null;
  const message = 'The event ended less than 8 days ago: these days belong to what the server collects itself.';
  return {
    field: 'expire',
    value,
    reason: 'too_recent',
    message,
    fix: 'Import the file again later; what is known by then is left alone.',
  };
}

function freeId(wanted: string, recorded: readonly RecordedEvent[], taken: ReadonlySet<string>): string {
  const isTaken = (id: string) => taken.has(id) || recorded.some((each) => each.eventId === id);
  if (!isTaken(wanted)) return wanted;
  const { key, year } = parseVtecEventId(wanted) ?? { key: wanted, year: 0 };
  for (let generation = 2; ; generation += 1) if (!isTaken(`${key}.${year}-${generation}`)) return `${key}.${year}-${generation}`;
}

function rowsWithin(raws: readonly string[]): RawRow[] {
  return raws.flatMap((raw) => (JSON.parse(raw) as { rows?: RawRow[] }).rows ?? []);
}

const rowsOf = (raws: readonly RawRow[]): ArchiveRow[] =>
  raws.flatMap((raw) => {
    const read = readRow(raw);
    return read.ok ? [read.row] : [];
  });

const vtecRows = (raws: readonly RawRow[]): VtecRow[] => rowsOf(raws).filter((row) => row.kind !== 'statements');
const statementRows = (raws: readonly RawRow[]): StatementRow[] => rowsOf(raws).filter((row) => row.kind === 'statements');

/** Ids under which statements are stored. */
export function statementIds(raws: readonly RawRow[], context: ArchiveContext): string[] {
  return statementRows(raws).map((row) => messageOfStatement(row, context).message.id);
}
