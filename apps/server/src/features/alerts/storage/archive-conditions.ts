import type { Instant } from '@nwms/domain';
import { type ExpressionBuilder, sql } from 'kysely';
import { LONGEST_CLASS, LONGEST_CLASS_MS, overlaps } from './spans.ts';
import type { AlertTables } from './tables.ts';
import type { ArchiveBounds } from '../types.ts';

/** Instants far outside every alert, for half-open windows. */
const BEGINNING = 0;
const END = 8_000_000_000_000_000;

export type EventsBuilder = ExpressionBuilder<AlertTables & { e: AlertTables['events'] }, 'e'>;

/** What an event must meet to be in force at some instant that was asked for. */
export interface Window {
  /** It is over later than this, */
  start: Instant;
  /** and begins before this. */
  end: Instant;
}

/** Null = no such time was asked. */
export function windowOf({ from, to, timeField = 'in_force', inForceAt }: Narrowing): Window | null {
  const range = timeField === 'in_force' && (from !== undefined || to !== undefined) ? { start: from ?? BEGINNING, end: to ?? END } : null;
  if (inForceAt === undefined) return range;
  return { start: Math.max(inForceAt, range?.start ?? BEGINNING), end: Math.min(inForceAt + 1, range?.end ?? END) };
}

export function timeConditions(e: EventsBuilder, bounds: ArchiveBounds) {
  const span = { spanClass: 'e.span_class', from: 'e.in_force_from', until: 'e.over_at' } as const;
  const conditions = [];
  const { from, to, timeField = 'in_force' } = bounds;
  if (from !== undefined || to !== undefined) {
    const [start, end] = [from ?? BEGINNING, to ?? END];
    if (timeField === 'in_force') conditions.push(bounds.ugcPrefixes ? overlapsAsFilter(e, start, end) : overlaps(e, span, start, end));
    else {
      const column = timeField === 'ended' ? 'e.over_at' : (`e.${timeField}` as const);
      conditions.push(e(column, '>=', start), e(column, '<', end));
    }
  }
  if (bounds.inForceAt !== undefined) conditions.push(overlaps(e, span, bounds.inForceAt, bounds.inForceAt + 1));
  if (bounds.updatedSince !== undefined) conditions.push(e('e.updated_at', '>=', bounds.updatedSince));
  return conditions;
}

/** The same for events that are found by area: `+ 0` keeps the planner from reading all areas of that time instead. */
function overlapsAsFilter(e: EventsBuilder, from: Instant, to: Instant) {
  return e.and([e(sql<number>`${e.ref('e.in_force_from')} + 0`, '<', to), e(sql<number>`${e.ref('e.over_at')} + 0`, '>', from)]);
}

export type Narrowing = Pick<ArchiveBounds, 'eventCodes' | 'offices' | 'ugcPrefixes' | 'from' | 'to' | 'timeField' | 'inForceAt'>;

/** Event codes and whole offices. `asFilter` keeps the planner from finding events by their code. */
export function kindConditions(e: EventsBuilder, { eventCodes, offices }: Narrowing, asFilter = false) {
  const conditions = [];
  const code = asFilter ? sql<string>`${e.ref('e.event_code')} || ''` : e.ref('e.event_code');
  if (eventCodes) conditions.push(e(code, 'in', eventCodes.length > 0 ? eventCodes : ['']));
  if (offices) conditions.push(e('e.office', 'in', offices.length > 0 ? offices : ['']));
  return conditions;
}

/**
 * Prefixes of two letters, three letters and whole codes are one equality each; other lengths widen to the next shorter of these. With
 * a time window only area rows that begin near it are read; the few events longer than every class are added by their class.
 */
export function areaConditions(e: EventsBuilder, { ugcPrefixes, from, to, timeField = 'in_force', inForceAt }: Narrowing) {
  if (!ugcPrefixes) return [];
  const areas = areasOf(ugcPrefixes);
  const inside = e.selectFrom('event_areas as a').select('a.event_id').where('a.area', 'in', areas);
  const window =
    timeField === 'in_force' ? { start: from ?? inForceAt, end: to ?? (inForceAt === undefined ? undefined : inForceAt + 1) } : {};
  const { start, end } = window;
  const begun = end === undefined ? inside : inside.where('a.in_force_from', '<', end);
  if (start === undefined) return [e('e.event_id', 'in', begun)];
  const near = begun.where('a.in_force_from', '>=', start - LONGEST_CLASS_MS);
  // A cross join is read in this order by SQLite: the few long events first, then whether they touch the area.
  const long = e
    .selectFrom('events as l')
    .crossJoin('event_areas as a')
    .select('a.event_id')
    .where('l.span_class', '=', LONGEST_CLASS)
    .where('l.over_at', '>', start)
    .whereRef('a.event_id', '=', 'l.event_id')
    .where('a.area', 'in', areas);
  return [e('e.event_id', 'in', near.unionAll(long))];
}

/** The same, asked of one event after the other: PostgreSQL would make a join of `exists` and read all that ever was in the area. */
export function touchesArea(e: EventsBuilder, { ugcPrefixes }: Narrowing) {
  if (!ugcPrefixes) return [];
  const area = e.selectFrom('event_areas as a').select('a.event_id').whereRef('a.event_id', '=', 'e.event_id');
  return [e(area.where('a.area', 'in', areasOf(ugcPrefixes)).limit(1), 'is not', null)];
}

/** An empty list matches nothing. */
const areasOf = (prefixes: readonly string[]): string[] => (prefixes.length > 0 ? [...new Set(prefixes.map(indexedPrefix))] : ['']);

/** Codes shorter or longer than a UGC (SAME, the codeless area) are indexed whole. */
function indexedPrefix(prefix: string): string {
  if (prefix.length === 4 || prefix.length === 5) return prefix.slice(0, 3);
  return prefix;
}
