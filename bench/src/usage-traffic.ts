import { createHash } from 'node:crypto';
import { seededRandom } from '@nwms/domain';
import { traitsOf } from '@nwms/server/features/usage/traits';
import type { Device, PrincipalKind, Traits, UsageRow } from '@nwms/server/features/usage/types';
import { addressPeriod } from '@nwms/server/platform/address-hash';

const CALLERS = 20_000;
const ACCOUNTS = 300;
const ROUTES = 25;
const DEVICES: readonly Device[] = ['desktop', 'desktop', 'mobile', 'bot', 'client'];
/** Status and code; most requests succeed. */
const OUTCOMES: readonly [status: number, error: string | null][] = [
  [200, null],
  [304, null],
  ...[404, 503].flatMap((status) => Array.from({ length: 5 }, (_, n): [number, string] => [status, `error.code_${n}`])),
];
const PRINCIPALS: readonly PrincipalKind[] = ['anonymous', 'key', 'session'];
/** Descriptions that are remembered; those of few callers come again and again. */
const REMEMBERED = 300_000;

/** Made-up requests: a few routes and callers make most of them. The same seed makes the same ones. */
export interface Traffic {
  /** So many requests of a stretch of time, in their order. */
  requestsOf(from: number, to: number, count: number): UsageRow[];
}

export function createTraffic(seed: number): Traffic {
  const random = seededRandom(seed);
  const names = new Map<number, string>();
  let known = new Map<number, Traits>();
  let made = 0;
  /** What a caller is known by under the key of a period: as long as the product's hashes. */
  const hashOf = (period: number, caller: number): string => {
    const key = period * CALLERS + caller;
    let name = names.get(key);
    if (name === undefined) names.set(key, (name = createHash('sha256').update(String(key)).digest('base64url').slice(0, 22)));
    return name;
  };
  const traitsFor = (period: number, caller: number, [route, method, outcome, principal]: readonly number[]): Traits => {
    const key =
      ((((period * CALLERS + caller) * ROUTES + (route ?? 0)) * 2 + (method ?? 0)) * OUTCOMES.length + (outcome ?? 0)) * 3 +
      (principal ?? 0);
    const found = known.get(key);
    if (found) return found;
    const type = PRINCIPALS[principal ?? 0] ?? 'anonymous';
    const [status, error] = OUTCOMES[outcome ?? 0] ?? [200, null];
    const device = DEVICES[caller % DEVICES.length] ?? 'unknown';
    const isBrowser = device === 'desktop' || device === 'mobile';
    const userId = type === 'anonymous' ? null : `usr_${caller % ACCOUNTS}`;
    const [address, addressNext] = [hashOf(period, caller), hashOf(period + 1, caller)];
    const traits = traitsOf({
      endpoint: `/api/v1/route/${route}`,
      method: method === 0 ? 'GET' : 'POST',
      status,
      error,
      cache: 'none',
      principal: type,
      keyId: type === 'key' ? `key_${caller % 50}` : null,
      userId,
      visitor: userId ?? `vis_${address}`,
      visitorNext: userId ?? `vis_${addressNext}`,
      address,
      addressNext,
      country: `C${String.fromCharCode(65 + (caller % 20))}`,
      region: null,
      city: `City ${caller % 80}`,
      browser: isBrowser ? `Browser ${caller % 8}` : null,
      os: isBrowser ? `OS ${caller % 4}` : null,
      device,
      agent: isBrowser ? null : `agent ${caller % 9}`,
    });
    if (known.size >= REMEMBERED) known = new Map();
    known.set(key, traits);
    return traits;
  };
  const outcomeOf = (n: number): number => {
    const share = random();
    if (share < 0.8) return 0;
    if (share < 0.93) return 1;
    return (share < 0.98 ? 2 : 7) + (n % 5);
  };
  const principalOf = (): number => {
    const share = random();
    if (share < 0.7) return 0;
    return share < 0.85 ? 1 : 2;
  };
  return {
    requestsOf(from, to, count) {
      const times = Float64Array.from({ length: count }, () => Math.floor(from + random() * (to - from))).sort();
      return Array.from(times, (at): UsageRow => {
        made += 1;
        const n = made;
        const outcome = outcomeOf(n);
        const caller = Math.floor(CALLERS * random() ** 3);
        const traits = traitsFor(addressPeriod(at), caller, [
          Math.floor(ROUTES * random() ** 2),
          random() < 0.95 ? 0 : 1,
          outcome,
          principalOf(),
        ]);
        return {
          traits,
          at,
          ms: Math.exp(1 + 5 * random()),
          bytes: 1_000 + (n % 50_000),
          alerts: outcome === 0 ? n % 30 : 0,
          geographic: n % 7 === 0,
          timeFiltered: n % 11 === 0,
          cost: 1,
          requestId: `req_${n}`,
        };
      });
    },
  };
}
