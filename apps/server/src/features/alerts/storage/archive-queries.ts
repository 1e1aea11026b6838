import type { Instant } from '@nwms/domain';
import { sql, type ExpressionBuilder } from 'kysely';
import { LONGEST_CLASS, LONGEST_CLASS_MS, overlaps } from './spans.ts';
import type { AlertDb, AlertTables } from './tables.ts';
import type { ArchiveBounds } from '../types.ts';

/** Instants far outside every alert, for half-open windows. */
const BEGINNING = 0;
const END = 8_000_000_000_000_000;

type EventsBuilder = ExpressionBuilder<AlertTables & { e: AlertTables['events'] }, 'e'>;

/** Newest states of the events that match, at most `limit` + 1 of them. */
export async function findStates(db: AlertDb, bounds: ArchiveBounds): Promise<string[]> {
  const rows = await db
    .selectFrom('events as e')
    .select('e.state')
    .where((e) => e.and([...timeConditions(e, bounds), ...kindConditions(e, bounds), ...areaConditions(e, bounds)]))
    .limit(bounds.limit + 1)
    .execute();
  return rows.map((row) => row.state);
}

/**
 * States as known at `at`, at most `limit` + 1 of them. Of what is narrowed through the newest state only what never changes about an
 * event is used (its office, that a zone was once in it): what changed since must not hide what was known then.
 */
export async function statesAt(db: AlertDb, at: Instant, bounds: ArchiveBounds): Promise<string[]> {
  const { offices, ugcPrefixes, limit } = bounds;
  const known = db
    .selectFrom('revisions as r')
    .select('r.state')
    .where('r.state', 'is not', null)
    .where('r.known_from', '<=', at)
    .where('r.known_until', '>', at)
    .where((e) => e.and(activeConditions(e, at, bounds)))
    .limit(limit + 1);
  if (!offices && !ugcPrefixes) return (await known.execute()).flatMap((row) => row.state ?? []);
  const rows = await known
    .innerJoin('events as e', 'e.event_id', 'r.event_id')
    .where((e) => {
      const events = e as unknown as EventsBuilder;
      const lasting = { limit, ...(offices ? { offices } : {}), ...(ugcPrefixes ? { ugcPrefixes } : {}) };
      return events.and([...kindConditions(events, lasting), ...areaConditions(events, lasting)]);
    })
    .execute();
  return rows.flatMap((row) => row.state ?? []);
}

type RevisionsBuilder = ExpressionBuilder<AlertTables & { r: AlertTables['revisions'] }, 'r'>;

/** "Not over by an instant" is the one bound that a revision alone can answer through its index; the caller's predicate does the rest. */
function activeConditions(builder: unknown, at: Instant, bounds: ArchiveBounds) {
  const e = builder as RevisionsBuilder;
  const notOverBy = notOverByOf(at, bounds);
  return notOverBy === null
    ? []
    : [overlaps(e, { spanClass: 'r.span_class', from: 'r.known_from', until: 'r.shown_until' }, notOverBy, at + 1)];
}

/** What was over by this instant as known at `at` is not asked for; null = all may be. */
function notOverByOf(at: Instant, { activeOnly, inForceAt, from, timeField = 'in_force' }: ArchiveBounds): Instant | null {
  if (activeOnly || (inForceAt !== undefined && inForceAt >= at)) return at;
  // An end at `from` itself is inside a range of ends, and just outside one of what was in force.
  if (from !== undefined && timeField === 'in_force') return Math.min(from, at);
  if (from !== undefined && timeField === 'ended') return Math.min(from - 1, at);
  return null;
}

function timeConditions(e: EventsBuilder, bounds: ArchiveBounds) {
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

type Narrowing = Pick<ArchiveBounds, 'eventCodes' | 'offices' | 'ugcPrefixes' | 'from' | 'to' | 'timeField' | 'inForceAt'>;

/** Event codes and whole offices. */
export function kindConditions(e: EventsBuilder, { eventCodes, offices }: Narrowing) {
  const conditions = [];
  if (eventCodes) conditions.push(e('e.event_code', 'in', eventCodes.length > 0 ? eventCodes : ['']));
  if (offices) conditions.push(e('e.office', 'in', offices.length > 0 ? offices : ['']));
  return conditions;
}

/**
 * Prefixes of two letters, three letters and whole codes are one equality each; other lengths widen to the next shorter of these. With
 * a time window only area rows that begin near it are read; the few events longer than every class are added by their class.
 */
export function areaConditions(e: EventsBuilder, { ugcPrefixes, from, to, timeField = 'in_force', inForceAt }: Narrowing) {
  if (!ugcPrefixes) return [];
  const areas = ugcPrefixes.length > 0 ? [...new Set(ugcPrefixes.map(indexedPrefix))] : [''];
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

/** Codes shorter or longer than a UGC (SAME, the codeless area) are indexed whole. */
function indexedPrefix(prefix: string): string {
  if (prefix.length === 4 || prefix.length === 5) return prefix.slice(0, 3);
  return prefix;
}
