import type { Layer } from './segments.ts';
import type { VisitorRow } from './types.ts';

/** What is counted of a visitor in whole numbers. */
const WHOLE_COUNTS = [
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
] as const satisfies (keyof VisitorRow)[];

/** What is counted of a visitor. */
export const PERSON_COUNTS = [...WHOLE_COUNTS, 'ms'] as const satisfies (keyof VisitorRow)[];
/** What is told of a visitor as one text, in this order. */
export const PERSON_NUMBERS = ['first_at', 'last_at', ...WHOLE_COUNTS] as const satisfies (keyof VisitorRow)[];

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

/** What is asked of all visitors where nothing else is told of them. */
export const LOAD_COUNTS = ['requests', 'bot'] as const;

/** What a visitor asked, in one layer of a window, added up by the database. */
export interface LoadRow extends Record<(typeof LOAD_COUNTS)[number], number> {
  layer: Layer;
  v: string;
  known_at: number | null;
}

/** One visitor in one layer of a window, added up by the database. */
export interface PersonRow extends Pick<LoadRow, 'layer' | 'v'> {
  /** First seen before the window: then nothing else is told. */
  known_at: number | null;
  user_id: string | null;
  ms: number;
  /** `PERSON_NUMBERS`, blanks between. */
  numbers: string | null;
  /** Where visits may go on in other rows: `first last`, commas between; of days and ten days in one row for all, which names no visitor. */
  stretches: string | null;
}
