import type { Feed } from '../feature.ts';
import type { LocalTime } from '../local-time.ts';
import type { Format } from './alert-formats.ts';

/** One request, read. */
export interface Context {
  feed: Feed;
  now: number;
  /** Decoded path segments. */
  segments: string[];
  path: string;
  query: URLSearchParams;
  format: Format;
  /** Own origin, for `pagination.next`. */
  baseUrl: string;
  correlationId: string;
  /** What forecasts and observations are made of. */
  weather: { seed: number; times: LocalTime };
  /** Messages a page repeats from the one before; only a fault sets it. */
  pageOverlap?: number;
}
