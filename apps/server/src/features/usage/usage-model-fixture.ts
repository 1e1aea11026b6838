import { seededRandom } from '@nwms/domain';
import { PLACES, CHROME, type UsageWorld } from './usage-fixture.ts';
import type { Caller } from './types.ts';

/** Questions whose answer is one object, over days. */
export const OBJECT_QUESTIONS = [
  'usageOverview',
  'usagePerformance',
  'usageErrors',
  'usageBusinessMetrics',
  'usageGeographic',
  'usageUserAgents',
  'usageUsersOverview',
  'usageInsights',
];
/** Those, and the ones that answer a list. */
export const QUESTIONS = [...OBJECT_QUESTIONS, 'usageEndpoints', 'usageUsersDetailed'];

/** A request of the script, with everything the tally needs. */
export interface Scripted {
  at: number;
  endpoint: string;
  method: string;
  status: number;
  error: string | null;
  ms: number | null;
  bytes: number;
  caller: Caller;
  userAgent: string;
  device: string;
  browser: string | null;
  os: string | null;
  /** Name of the crawler or program. */
  agent: string | null;
  alerts: number;
  geographic: boolean;
  timeFiltered: boolean;
}

const AGENTS = [
  [CHROME, 'desktop', 'Chrome', 'Windows', null],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'desktop', 'Firefox', 'Linux', null],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    'mobile',
    'Safari',
    'iOS',
    null,
  ],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', 'bot', null, null, 'Googlebot'],
  ['python-requests/2.32.3', 'client', null, null, 'python-requests'],
  ['', 'unknown', null, null, null],
] as const;
const ENDPOINTS = ['/api/v1/alerts', '/api/v1/alerts/{id}', '/api/v1/alerts/near', '/api/v1/auth/me', '(unmatched)'];
const OUTCOMES = [
  [200, null],
  [200, null],
  [200, null],
  [304, null],
  [400, 'request.invalid'],
  [404, 'alert.not_found'],
  [503, 'server.overloaded'],
] as const;

/** Requests of some thirty callers over a stretch of time, in order; some in bursts, so that there are visits. */
export function script(seed: number, count: number, from: number, to: number): Scripted[] {
  const random = seededRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const addresses = [...Object.keys(PLACES), ...Array.from({ length: 26 }, (_, n) => `203.0.113.${n}`)];
  const times: number[] = [];
  while (times.length < count) {
    const start = from + Math.floor(random() * (to - from));
    const burst = 1 + Math.floor(random() * 8);
    for (let n = 0; n < burst && times.length < count; n += 1) times.push(Math.min(to - 1, start + Math.floor(random() * 20 * 60_000)));
  }
  return times
    .sort((a, b) => a - b)
    .map((at) => {
      const [userAgent, device, browser, os, agent] = pick(AGENTS);
      const [status, error] = pick(OUTCOMES);
      const address = pick(addresses);
      const kind = random();
      const caller: Caller =
        kind < 0.6
          ? { type: 'anonymous', keyId: null, userId: null, address }
          : kind < 0.8
            ? { type: 'session', keyId: null, userId: pick(['usr_a', 'usr_b', 'usr_c']), address }
            : { type: 'key', keyId: 'key_1', userId: pick(['usr_a', 'usr_d']), address };
      return {
        at,
        endpoint: pick(ENDPOINTS),
        method: status === 304 || random() < 0.9 ? 'GET' : 'POST',
        status,
        error,
        ms: random() < 0.05 ? null : Math.exp(1 + 4 * random()),
        bytes: Math.floor(random() * 10_000),
        caller,
        userAgent,
        device,
        browser,
        os,
        agent,
        alerts: status === 200 ? Math.floor(random() * 20) : 0,
        geographic: random() < 0.2,
        timeFiltered: random() < 0.1,
      };
    });
}

/** Plays the script on the world's clock: batches and roll-ups happen where chance puts them. */
export async function play(world: UsageWorld, requests: readonly Scripted[], seed: number): Promise<void> {
  const random = seededRandom(seed);
  for (const { device: _device, browser: _browser, os: _os, agent: _agent, ...request } of requests) {
    world.clock.jump(request.at - world.clock.now());
    world.seen(request);
    if (random() < 0.1) await world.usage.flush();
    if (random() < 0.02) await world.usage.compactNow();
  }
  await world.usage.flush();
}

export const visitorOf = ({ caller, userAgent }: Scripted): string => caller.userId ?? `${caller.address} ${userAgent}`;

const GAP_MS = 30 * 60_000;
/** Visits and their whole length, of one visitor's requests in order. */
export function visits(times: readonly number[]): { count: number; ms: number } {
  let [count, ms] = [0, 0];
  for (const [i, at] of times.entries()) {
    const before = times[i - 1];
    if (before === undefined || at - before >= GAP_MS) count += 1;
    else ms += at - before;
  }
  return { count, ms };
}
