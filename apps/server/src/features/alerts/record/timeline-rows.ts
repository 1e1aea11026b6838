import type { Entry } from '@nwms/contract';
import { type AlertMessage, evaluate, type Instant, overAt, type Severity, type State } from '@nwms/domain';
import { AppError } from '../../../platform/app-error.ts';
import { createEntryFilter } from '../changes/entry-filter.ts';
import { encodeEntry } from '../changes/read-changes.ts';
import { createPause } from '../storage/pause.ts';
import type { RouteDeps } from '../deps.ts';
import { createRow, type Row } from '../board/row.ts';
import { type AlertFilter, compileFilter } from '../query/filter.ts';
import type { AlertLog } from '../types.ts';
import { createKnownPartsIndex, isLight } from './known-parts.ts';
import { partsInForce } from '../storage/parts-in-force.ts';
import { judgeOf } from './part-filter.ts';
import { tooManyVersions } from './store-reigns.ts';
import type { AlertRecord, Reign } from './types.ts';

/** One version of an event, as it was known, and the part of the asked time in which it was in force by that knowledge. */
export interface TimelineRow {
  eventId: string;
  seq: number;
  version: number;
  severity: Severity;
  sent: Instant;
  knownFrom: Instant;
  knownUntil: Instant | null;
  shownFrom: Instant;
  /** Null = still in force at the end of the range. */
  shownUntil: Instant | null;
}

/** A row with everything that is told of it. */
export interface FullTimelineRow extends TimelineRow {
  row: Row;
  stateAtEnd: State;
}

export interface TimelineRows {
  /** Oldest `sent` first. */
  rows: readonly TimelineRow[];
  /** Rows from `start` up to `end` in full. One that retention took in the meantime is missing. */
  full(start: number, end: number): Promise<FullTimelineRow[]>;
}

export interface TimelineAsk {
  from: Instant;
  to: Instant;
  known: 'then' | 'final';
  /** `lifecycle` is judged at the start of each row. */
  filter: AlertFilter;
  limit: number;
  signal: AbortSignal;
}

/** What was in force over a time. */
export interface TimelineFace {
  /** Rejects with query.window_too_large past `limit` versions. */
  rows(ask: TimelineAsk): Promise<TimelineRows>;
  /** The numbered log of the time. `complete` is false when older entries are not kept any more. */
  entries(ask: Omit<TimelineAsk, 'known'>): Promise<{ entries: Entry[]; complete: boolean }>;
  /** First instant the record knows of; null while it is empty. */
  since(): Promise<Instant | null>;
  /** Makes what `rows` asks of versions that an older version of the program wrote; true when there are none left. `budgetMs` bounds one call. */
  prepare(budgetMs: number, signal: AbortSignal): Promise<boolean>;
}

const OPEN = 8_640_000_000_000_000;
/** Versions that are read whole for one answer. */
const MOST_FULL = 50_000;

export function createTimelineFace(
  deps: Pick<RouteDeps, 'clock' | 'places' | 'board' | 'alertLog' | 'archive'>,
  { reigns, parts, fillParts }: Pick<AlertRecord, 'reigns' | 'parts' | 'fillParts'>,
  since: () => Promise<Instant | null>,
): TimelineFace {
  const pause = createPause(deps.clock);
  const index = createKnownPartsIndex(reigns, pause);

  /** Rows by the parts that were written with every version: no state is read. */
  const lightRows = async (ask: TimelineAsk): Promise<TimelineRow[]> => {
    const { from, to, filter, limit, signal } = ask;
    const judge = judgeOf(filter, deps.places);
    const rows: TimelineRow[] = [];
    let read = 0;
    // One instant more than the range, so that what holds at its very end is told from what ends there.
    for await (const slice of parts.between({ from, to: to + 1, ...judge.reads })) {
      signal.throwIfAborted();
      if (slice === null) return derivedRows(ask);
      read += slice.length;
      if (read > limit) throw tooManyVersions(limit);
      for (const part of slice) {
        const { eventId, seq, version, severity, sent, knownFrom, knownUntil } = part;
        const [shownFrom, until] = [Math.max(part.partFrom, from), Math.min(part.shownUntil, to + 1)];
        if (until <= shownFrom || !judge.matches(part)) continue;
        rows.push({ eventId, seq, version, severity, sent, knownFrom, knownUntil, shownFrom, shownUntil: until > to ? null : until });
      }
      await pause();
    }
    return rows;
  };

  /** The same by the states, for as long as parts of an older record are still being made. */
  const derivedRows = async ({ from, to, filter, limit, signal }: TimelineAsk): Promise<TimelineRow[]> => {
    const spans = await reigns.spans(from, to + 1, limit);
    const known = await index.of(spans, signal);
    const compiled = compileFilter(filter, deps.places);
    const rows: TimelineRow[] = [];
    for (const [at, span] of spans.entries()) {
      const its = known[at];
      if (!its || !compiled.matches(its.subject)) continue;
      const { knownFrom, knownUntil, eventId, seq } = span;
      const { version, severity, sent } = its;
      // One instant more than the range, so that what holds at its very end is told from what ends there.
      const [start, end] = [Math.max(from, knownFrom), Math.min(to + 1, knownUntil ?? OPEN)];
      for (const part of its.parts) {
        const [shownFrom, until] = [Math.max(part.from, start), Math.min(part.until, end)];
        if (until <= shownFrom) continue;
        rows.push({ eventId, seq, version, severity, sent, knownFrom, knownUntil, shownFrom, shownUntil: until > to ? null : until });
      }
      if (at % 500 === 499) await pause();
    }
    return rows;
  };

  const fill = async (rows: readonly TimelineRow[], { to, known, signal }: TimelineAsk): Promise<FullTimelineRow[]> => {
    const { reigns: found, messages } = await reigns.of(rows);
    const bySeq = new Map(found.map((reign) => [reign.seq, reign]));
    const message = lookup(messages);
    const full: FullTimelineRow[] = [];
    for (const row of rows) {
      signal.throwIfAborted();
      await pause();
      const reign = bySeq.get(row.seq);
      if (!reign) continue;
      const made = createRow({ event: reign.event, message, places: deps.places, at: row.shownFrom, shapes: deps.board.shapes });
      full.push({
        ...row,
        row: made,
        stateAtEnd: stateAtEnd({ ...reign, knownUntil: row.knownUntil }, Math.min(row.shownUntil ?? to, to), known),
      });
    }
    return full;
  };

  const lookup = (messages: readonly AlertMessage[]) => {
    const byId = new Map(messages.map((message) => [message.id, message]));
    return (id: string) => byId.get(id) ?? deps.board.message(id);
  };

  /** Rows whose filter asks for places or words: every one is made in full. */
  const fullRows = async ({ from, to, known, filter, limit, signal }: TimelineAsk): Promise<FullTimelineRow[]> => {
    const { reigns: found, messages } = await reigns.between(from, to + 1, Math.min(limit, MOST_FULL), known);
    const message = lookup(messages);
    const { lifecycle, ...rest } = filter;
    const compiled = compileFilter(rest, deps.places);
    const rows: FullTimelineRow[] = [];
    for (const reign of found) {
      signal.throwIfAborted();
      await pause();
      const start = Math.max(from, known === 'final' ? reign.event.from : reign.knownFrom);
      const end = Math.min(to + 1, known === 'final' ? (overAt(reign.event) ?? OPEN) : (reign.knownUntil ?? OPEN));
      const parts = known === 'final' ? (end > start ? [{ from: start, until: end }] : []) : partsInForce(reign.event, start, end);
      for (const part of parts) {
        const row = createRow({ event: reign.event, message, places: deps.places, at: part.from, shapes: deps.board.shapes });
        if (!compiled.matches(row) || (lifecycle && !lifecycle.includes(row.alert.state))) continue;
        rows.push({
          eventId: reign.event.eventId,
          seq: reign.seq,
          version: reign.version,
          severity: row.alert.severity,
          sent: row.order.sent,
          knownFrom: reign.knownFrom,
          knownUntil: reign.knownUntil,
          shownFrom: part.from,
          shownUntil: part.until > to ? null : part.until,
          row,
          stateAtEnd: stateAtEnd(reign, Math.min(part.until, to), known),
        });
      }
    }
    return rows;
  };

  return {
    since,
    prepare: (budgetMs, signal) => fillParts.run(budgetMs, signal),
    async rows(ask) {
      const light = ask.known === 'then' && isLight(ask.filter);
      const whole = light ? await lightRows(ask) : await fullRows(ask);
      const rows = whole.sort((a, b) => a.sent - b.sent || a.shownFrom - b.shownFrom || compare(a.eventId, b.eventId));
      return {
        rows,
        full: (start, end) => (light ? fill(rows.slice(start, end), ask) : Promise.resolve(rows.slice(start, end) as FullTimelineRow[])),
      };
    },
    async entries({ from, to, filter, limit, signal }) {
      const { alertLog } = deps;
      const oldest = alertLog.oldestSeq();
      let seq = await seqBefore(alertLog, from);
      const passes = createEntryFilter(deps, filter);
      const entries: Entry[] = [];
      for (;;) {
        signal.throwIfAborted();
        const page = await alertLog.read(seq, ENTRY_PAGE);
        for (const entry of page) {
          if (entry.at >= to) return { entries, complete: oldest === 0 || (await startsBefore(alertLog, oldest, from)) };
          seq = entry.seq;
          if (!(await passes.passes(entry))) continue;
          if (entries.length >= limit)
            throw new AppError('query.window_too_large', { public: `More than ${limit} entries match; ask for a shorter time.` });
          entries.push(JSON.parse(encodeEntry(alertLog, entry)) as Entry);
        }
        if (page.length < ENTRY_PAGE) return { entries, complete: oldest === 0 || (await startsBefore(alertLog, oldest, from)) };
      }
    },
  };
}

const ENTRY_PAGE = 500;
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Replaced by a later version, else what its own knowledge says of that instant. */
function stateAtEnd(reign: Reign, at: Instant, known: 'then' | 'final'): State {
  if (known === 'then' && reign.knownUntil !== null && reign.knownUntil <= at) return 'superseded';
  return evaluate(reign.event, at).state;
}

/** Number of the last entry before an instant, by halving: entries are in the order of their time. */
async function seqBefore(log: AlertLog, at: Instant): Promise<number> {
  let [low, high] = [log.oldestSeq(), log.latestSeq()];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const [entry] = await log.read(middle, 1);
    if (entry && entry.at < at) low = entry.seq;
    else high = middle;
  }
  return low;
}

/** Does what is kept of the log reach back before the instant? */
async function startsBefore(log: AlertLog, oldest: number, at: Instant): Promise<boolean> {
  const [first] = await log.read(oldest, 1);
  return first !== undefined && first.at <= at;
}
