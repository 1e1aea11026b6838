import { type AdviceFacts, MINUTE_MS } from '@nwms/domain';
import type { Recent } from './recent.ts';
import type { RequestReads } from './store-requests.ts';

/** Who asked one route more than 120 times in the last hour, in nearly every minute of it. */
export function pollersOf(recent: Recent, now: number): NonNullable<AdviceFacts['pollers']> {
  const seen = new Map<string, { requests: number; minutes: number }>();
  for (const { routes } of recent.minutesFrom(now - 60 * MINUTE_MS)) {
    for (const [key, requests] of routes) {
      const one = seen.get(key) ?? { requests: 0, minutes: 0 };
      seen.set(key, { requests: one.requests + requests, minutes: one.minutes + 1 });
    }
  }
  return [...seen]
    .filter(([, { requests, minutes }]) => requests > 120 && minutes >= 55)
    .map(([key, { requests }]) => ({ caller: key.split('\n')[0] ?? '', endpoint: key.split('\n')[1] ?? '', requests }));
}

/** Accounts that were refused for their number of requests. */
export async function refusalsOf(
  {
    requests,
    usernamesOf,
  }: { requests: Pick<RequestReads, 'refusals'>; usernamesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> },
  from: number,
): Promise<NonNullable<AdviceFacts['refusals']>> {
  const refused = await requests.refusals(from);
  const names = await usernamesOf(refused.map(({ userId }) => userId));
  return refused.map(({ userId, ...counts }) => ({ account: names.get(userId) ?? userId, ...counts }));
}
