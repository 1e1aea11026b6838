import type { Instant } from '@nwms/domain';

/** What an answer said about itself. Upstream clocks are hints, never truth (A3). */
export interface ResponseFacts {
  /** Upstream's clock at the answer: `Date` plus `Age` for answers out of a cache. */
  date: Instant | null;
  etag: string | null;
  lastModified: string | null;
  cacheControl: string | null;
  /** For the log: api.weather.gov asks for it in reports (trap 39). */
  correlationId: string | null;
}

const MAX_HEADER_CHARS = 256;

export function responseFacts(headers: Headers): ResponseFacts {
  const text = (name: string) => {
    const value = headers.get(name);
    return value !== null && value !== '' && value.length <= MAX_HEADER_CHARS ? value : null;
  };
  const date = httpDate(text('date'));
  const ageSeconds = Number(text('age') ?? 0);
  return {
    date: date === null ? null : date + (ageSeconds >= 0 && ageSeconds < 86_400 ? ageSeconds * 1_000 : 0),
    etag: text('etag'),
    lastModified: httpDate(text('last-modified')) === null ? null : text('last-modified'),
    cacheControl: text('cache-control'),
    correlationId: text('x-correlation-id') ?? text('x-request-id'),
  };
}

/** Seconds until a retry is welcome: delta-seconds or an HTTP-date (RFC 9110), null when absent or unreadable. */
export function retryAfterSeconds(headers: Headers, now: Instant): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const at = httpDate(value);
  return at === null ? null : Math.max(0, Math.ceil((at - now) / 1_000));
}

function httpDate(value: string | null): Instant | null {
  if (value === null || !/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)) return null;
  const at = Date.parse(value);
  return Number.isFinite(at) ? at : null;
}
