import { kindConditions, touchesArea, windowOf } from './archive-conditions.ts';
import { LONGEST_CLASS, LONGEST_CLASS_MS } from './spans.ts';
import type { AlertDb } from './tables.ts';
import type { ArchiveBounds } from '../types.ts';

/** What is read of an event: all that it says, or its name. */
export type EventColumn = 'state' | 'event_id';

/** With more types than this, one after the other is no shorter than all of the time. */
const FEW_CODES = 8;
/** Letters of a whole zone or county: its own events are fewer than those of a type anywhere. */
const WHOLE_CODE = 6;

/** A few types in a time: narrowed by the index of types and times. */
export function isByKind({ eventCodes, ugcPrefixes, ...time }: ArchiveBounds): boolean {
  if (!eventCodes || eventCodes.length === 0 || eventCodes.length > FEW_CODES) return false;
  if (!windowOf(time) || (time.from !== undefined && (time.timeField ?? 'in_force') !== 'in_force')) return false;
  return ugcPrefixes?.some((prefix) => prefix.length < WHOLE_CODE) ?? true;
}

/**
 * Their newest states or names, at most `limit` + 1: events that began near the window, then the few that are longer than every class. Whether an event touches
 * an area is asked of each; all that was in the area meanwhile is much more.
 */
export async function valuesOfKinds(db: AlertDb, bounds: ArchiveBounds, column: EventColumn): Promise<string[]> {
  const window = windowOf(bounds);
  if (!window) return [];
  const { start, end } = window;
  const earliest = start - LONGEST_CLASS_MS;
  const matching = (isLong: boolean) =>
    db
      .selectFrom('events as e')
      .select(`e.${column} as value`)
      .where((e) => e.and([...kindConditions(e, bounds, isLong), ...touchesArea(e, bounds)]))
      .where('e.over_at', '>', start)
      .$if(bounds.updatedSince !== undefined, (query) => query.where('e.updated_at', '>=', bounds.updatedSince ?? 0));
  const near = matching(false).where('e.in_force_from', '>=', earliest).where('e.in_force_from', '<', end);
  const long = matching(true).where('e.span_class', '=', LONGEST_CLASS).where('e.in_force_from', '<', Math.min(earliest, end));
  const rows = await near
    .unionAll(long)
    .limit(bounds.limit + 1)
    .execute();
  return rows.map((row) => row.value);
}
