import type { JSONWebKeySet } from 'jose';
import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createOutbound, type FetchFunction } from '../../platform/outbound.ts';

const DEADLINE_MS = 5_000;
const MAX_BYTES = 256 * 1024;
const MINUTE_MS = 60_000;
/** Without a word of the provider, and the bounds of what it may say. */
const DEFAULT_AGE_MS = 60 * MINUTE_MS;
const MIN_AGE_MS = MINUTE_MS;
const MAX_AGE_MS = 24 * 60 * MINUTE_MS;
/** An unknown key id asks the provider again at most this often (F1): ids are the caller's to choose. */
const UNKNOWN_EVERY_MS = MINUTE_MS;
/** After a failed fetch the next one waits this long; callers meanwhile get the 503 at once. */
const FAILED_WAIT_MS = 2_000;

/** Public keys of an identity provider by key id. */
export interface ProviderKeys {
  /** Null: the provider has no such key. Throws 503 `auth.provider_unavailable` when that cannot be known. */
  find(kid: string): Promise<JSONWebKeySet['keys'][number] | null>;
}

const unavailable = (internal: string) =>
  new AppError('auth.provider_unavailable', {
    public: 'The keys of the identity provider cannot be fetched right now. Try again in a moment.',
    internal,
    retryAfterSeconds: 5,
  });

/** Keys fetched from `url` and kept as long as its Cache-Control says. */
export function createProviderKeys(deps: { clock: Clock; log: Log; fetch: FetchFunction }, url: string): ProviderKeys {
  const { clock } = deps;
  const { origin, pathname, search } = new URL(url);
  const outbound = createOutbound(deps, {
    origin,
    userAgent: 'NWMS',
    accept: 'application/json',
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
  });
  let keys: JSONWebKeySet['keys'] | null = null;
  let freshUntilMs = 0;
  let fetchedMs = Number.NEGATIVE_INFINITY;
  let askedAgainMs = Number.NEGATIVE_INFINITY;
  let failedMs = Number.NEGATIVE_INFINITY;
  let running: Promise<JSONWebKeySet['keys']> | null = null;

  const fetchKeys = async (): Promise<JSONWebKeySet['keys']> => {
    const answer = await outbound.getJson({ path: pathname + search });
    const found = answer.kind === 'ok' ? (answer.json as Partial<JSONWebKeySet> | null)?.keys : undefined;
    if (answer.kind !== 'ok' || !Array.isArray(found) || found.length === 0) {
      failedMs = clock.monotonicMs();
      deps.log.warn({ kind: answer.kind, url }, 'the keys of the identity provider could not be fetched');
      throw unavailable(`key set: ${answer.kind}`);
    }
    keys = found;
    fetchedMs = clock.monotonicMs();
    freshUntilMs = fetchedMs + ageMs(answer.facts.cacheControl);
    return found;
  };
  const renew = (): Promise<JSONWebKeySet['keys']> => {
    if (clock.monotonicMs() - failedMs < FAILED_WAIT_MS) return Promise.reject(unavailable('key set: failed a moment ago'));
    running ??= fetchKeys().finally(() => (running = null));
    return running;
  };
  const byId = (set: JSONWebKeySet['keys'], kid: string) => set.find((key) => key.kid === kid) ?? null;

  return {
    async find(kid) {
      const fresh = keys !== null && clock.monotonicMs() < freshUntilMs ? keys : await renew();
      const known = byId(fresh, kid);
      const nowMs = clock.monotonicMs();
      if (known || nowMs - Math.max(fetchedMs, askedAgainMs) < UNKNOWN_EVERY_MS) return known;
      askedAgainMs = nowMs;
      return byId(await renew(), kid);
    },
  };
}

/** `max-age` less `Age`, within bounds. */
function ageMs(cacheControl: string | null): number {
  const seconds = /(?:^|[\s,])max-age=(\d{1,9})/i.exec(cacheControl ?? '')?.[1];
  return seconds === undefined ? DEFAULT_AGE_MS : Math.min(MAX_AGE_MS, Math.max(MIN_AGE_MS, Number(seconds) * 1_000));
}
