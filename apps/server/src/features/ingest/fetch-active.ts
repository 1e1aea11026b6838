import type { Outbound } from '../../platform/outbound.ts';
import { type ListResult, readPages } from './read-pages.ts';

/** Validators of the last accepted list; never those of a list that was refused, so that the next poll sees it whole again. */
export interface Validators {
  etag: string | null;
  lastModified: string | null;
}

/** Came unpaged at 529 messages; the cap only stops damage. */
const MAX_PAGES = 10;

/** The national list, every CAP status, no query at all: one cached copy for everybody (traps 35 to 37). */
export function fetchActive(
  outbound: Outbound,
  asked: { validators: Validators | null; sameAs: string | null; isKnown: (digest: string) => boolean },
  signal: AbortSignal,
): Promise<ListResult> {
  const { validators, ...known } = asked;
  return readPages(outbound, { path: '/alerts/active', ...validators, ...known, maxPages: MAX_PAGES, signal });
}
