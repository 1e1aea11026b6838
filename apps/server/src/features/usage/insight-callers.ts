import { alerts, trends } from '@nwms/contract';
import { type AdviceFacts, MINUTE_MS } from '@nwms/domain';
import type { Recent } from './recent.ts';
import type { RequestReads } from './store-requests.ts';
import { endpointName, type Tally } from './tally.ts';

interface Names {
  usernamesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}

const namesOf = (specs: readonly { method: string; path: string }[]) =>
  new Set(specs.map(({ method, path }) => endpointName(method, `/api/v1${path}`)));
/** What changes when alerts do: the live feed tells of it. */
const FOLLOWED = [alerts.listAlerts, alerts.alertsNear, alerts.alertsWithin, alerts.alertStats, alerts.breakingNewsTicker];
const FOLLOWED_NAMES = namesOf(FOLLOWED);
/** What answers "not modified" to If-None-Match. */
export const REVALIDATED = [
  ...FOLLOWED,
  alerts.alertTypes,
  trends.severityTrends,
  trends.historicalPatterns,
  trends.alertFatigueAnalysis,
  trends.systemRecommendations,
  trends.seasonalPatterns,
  trends.trendAnalysis,
];
const REVALIDATED_NAMES = namesOf(REVALIDATED);

/** Answers with a key that could have been "not modified", and those that were. Refusals could not. */
export function revalidation(name: string, tally: Tally | undefined): { keyGets: number; keyNotModified: number } {
  if (!tally || !REVALIDATED_NAMES.has(name)) return { keyGets: 0, keyNotModified: 0 };
  return { keyGets: tally.gets - tally.errors, keyNotModified: tally.not_modified };
}

/** Who asked for alerts at one route more than 120 times in the last hour, in nearly every minute of it. */
export async function pollersOf(
  { recent, usernamesOf }: Names & { recent: Recent },
  now: number,
): Promise<NonNullable<AdviceFacts['pollers']>> {
  const seen = new Map<string, { requests: number; minutes: number }>();
  for (const { routes } of recent.minutesFrom(now - 60 * MINUTE_MS)) {
    for (const [key, requests] of routes) {
      const one = seen.get(key) ?? { requests: 0, minutes: 0 };
      seen.set(key, { requests: one.requests + requests, minutes: one.minutes + 1 });
    }
  }
  const found = [...seen]
    .filter(([, { requests, minutes }]) => requests > 120 && minutes >= 55)
    .map(([key, { requests }]) => ({ caller: key.slice(0, key.indexOf('\n')), endpoint: key.slice(key.indexOf('\n') + 1), requests }))
    .filter(({ endpoint }) => FOLLOWED_NAMES.has(endpoint));
  return named(found, usernamesOf);
}

const USER = 'user ';

/** Callers as people know them: accounts by their names. */
export async function named<T extends { caller: string }>(callers: readonly T[], usernamesOf: Names['usernamesOf']): Promise<T[]> {
  const ids = callers.flatMap(({ caller }) => (caller.startsWith(USER) ? [caller.slice(USER.length)] : []));
  if (ids.length === 0) return [...callers];
  const names = await usernamesOf(ids);
  return callers.map((one) => {
    const name = one.caller.startsWith(USER) ? names.get(one.caller.slice(USER.length)) : undefined;
    return name === undefined ? one : { ...one, caller: `account ${name}` };
  });
}

/** Accounts that were refused for their number of requests. */
export async function refusalsOf(
  { requests, usernamesOf }: Names & { requests: Pick<RequestReads, 'refusals'> },
  from: number,
): Promise<NonNullable<AdviceFacts['refusals']>> {
  const refused = await requests.refusals(from);
  const names = await usernamesOf(refused.map(({ userId }) => userId));
  return refused.map(({ userId, ...counts }) => ({ account: names.get(userId) ?? userId, ...counts }));
}
