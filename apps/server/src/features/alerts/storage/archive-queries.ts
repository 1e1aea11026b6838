import type { Instant } from '@nwms/domain';
import type { ExpressionBuilder } from 'kysely';
import { areaConditions, type EventsBuilder, kindConditions, timeConditions } from './archive-conditions.ts';
import { type EventColumn, isByKind, valuesOfKinds } from './archive-kinds.ts';
import { overlaps } from './spans.ts';
import type { AlertDb, AlertTables } from './tables.ts';
import type { ArchiveBounds } from '../types.ts';

/** Newest states, or names, of the events that match, at most `limit` + 1 of them. */
export async function findValues(db: AlertDb, bounds: ArchiveBounds, column: EventColumn): Promise<string[]> {
  if (isByKind(bounds)) return valuesOfKinds(db, bounds, column);
  const rows = await db
    .selectFrom('events as e')
    .select(`e.${column} as value`)
    .where((e) => e.and([...timeConditions(e, bounds), ...kindConditions(e, bounds), ...areaConditions(e, bounds)]))
    .limit(bounds.limit + 1)
    .execute();
  return rows.map((row) => row.value);
}

/**
 * States as known at `at`, or the names of their events, at most `limit` + 1 of them. Of what is narrowed through the newest state only what never changes about an
 * event is used (its office, that a zone was once in it): what changed since must not hide what was known then.
 */
export async function valuesAt(db: AlertDb, at: Instant, bounds: ArchiveBounds, column: EventColumn): Promise<string[]> {
  const rows = await knownAt(db, at, bounds)
    .select(`r.${column} as value`)
    .limit(bounds.limit + 1)
    .execute();
  return rows.flatMap((row) => row.value ?? []);
}

/** States of these events as known at `at`. */
export async function statesNamedAt(db: AlertDb, ids: readonly string[], at: Instant): Promise<string[]> {
  const rows = await db
    .selectFrom('revisions')
    .select('state')
    .where('event_id', 'in', [...ids])
    .where('known_from', '<=', at)
    .where('known_until', '>', at)
    .execute();
  return rows.flatMap((row) => row.state ?? []);
}

/** How many there are, counted up to `limit` + 1: no state is read. */
export async function countAt(db: AlertDb, at: Instant, bounds: ArchiveBounds): Promise<number> {
  const some = knownAt(db, at, bounds)
    .select('r.seq')
    .limit(bounds.limit + 1);
  const row = await db
    .selectFrom(some.as('some'))
    .select((e) => e.fn.countAll<string | number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}

function knownAt(db: AlertDb, at: Instant, bounds: ArchiveBounds) {
  const { offices, ugcPrefixes, limit } = bounds;
  const known = db
    .selectFrom('revisions as r')
    .where('r.state', 'is not', null)
    .where('r.known_from', '<=', at)
    .where('r.known_until', '>', at)
    .where((e) => e.and(activeConditions(e, at, bounds)));
  if (!offices && !ugcPrefixes) return known;
  const narrowed = known.innerJoin('events as e', 'e.event_id', 'r.event_id').where((e) => {
    const events = e as unknown as EventsBuilder;
    const lasting = { limit, ...(offices ? { offices } : {}), ...(ugcPrefixes ? { ugcPrefixes } : {}) };
    return events.and([...kindConditions(events, lasting), ...areaConditions(events, lasting)]);
  });
  return narrowed as unknown as typeof known;
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
