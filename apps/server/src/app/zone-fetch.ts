import { createOutbound, type FetchFunction } from '../platform/outbound.ts';
import type { Clock } from '../platform/clock.ts';
import type { FetchZone } from '../features/places/types.ts';

/** A zone shape is a few hundred kilobytes at most; Alaska's largest is under 4 MB. */
const MAX_ZONE_BYTES = 16 * 1024 * 1024;

/** Asks the feed for one zone, through the same bounded client as everything outbound. */
export function createZoneFetch(deps: { clock: Clock; fetch: FetchFunction }, options: { origin: string; userAgent: string }): FetchZone {
  const outbound = createOutbound(deps, { ...options, accept: 'application/geo+json', maxBytes: MAX_ZONE_BYTES });
  return async (family, code) => {
    const answer = await outbound.getJson({ path: `/zones/${family}/${encodeURIComponent(code)}` });
    if (answer.kind === 'ok') return { kind: 'ok', feature: answer.json };
    if (answer.kind === 'http_error' && answer.status === 404) return { kind: 'missing' };
    const retryAfterSeconds = answer.kind === 'http_error' ? answer.retryAfterSeconds : null;
    return { kind: 'failed', reason: answer.kind === 'http_error' ? `http_${answer.status}` : answer.kind, retryAfterSeconds };
  };
}
