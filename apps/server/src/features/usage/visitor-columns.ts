import type { Layer } from './segments.ts';
import type { VisitorRow } from './types.ts';

/** What is counted of a visitor, in the order of the narrow rows. */
export const PERSON_COUNTS = [
  'requests',
  'errors',
  'timed',
  'desktop',
  'mobile',
  'bot',
  'client',
  'unknown',
  'by_key',
  'by_api',
  'sessions',
  'active_ms',
  'ms',
] as const satisfies (keyof VisitorRow)[];

/** A row of days or ten days without what the visitor used. */
export const FIGURE_COLUMNS = [
  'start',
  'scope',
  'visitor',
  'visitor_next',
  'user_id',
  ...PERSON_COUNTS,
  'first_at',
  'last_at',
] as const satisfies (keyof VisitorRow)[];

/** A row with everything. */
export const VISITOR_COLUMNS = [
  'size',
  'start',
  'visitor',
  'scope',
  'part',
  'rolled',
  'visitor_next',
  'user_id',
  ...PERSON_COUNTS,
  'first_at',
  'last_at',
  'detail',
] as const satisfies (keyof VisitorRow)[];

/** One visitor in one layer of a window, added up by the database. Before the window only `known_at` is told. */
export interface PersonRow extends Record<(typeof PERSON_COUNTS)[number], number> {
  layer: Layer;
  v: string;
  user_id: string | null;
  /** First seen before the window. */
  known_at: number | null;
  first_at: number | null;
  last_at: number | null;
  /** Where visits may go on in other rows: `first-last`, blanks between. */
  stretches: string | null;
}
