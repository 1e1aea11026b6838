import type { Dashboard, User } from '@nwms/contract';
import { startOfDay, type Instant } from '@nwms/domain';
import { byPrincipal, type FigureDeps } from './answer.ts';
import { daysOf } from './segments.ts';
import type { AccountReads } from './store-accounts.ts';
import { createTurns } from './turns.ts';

type UserFigures = Pick<User, 'total_api_requests' | 'current_day_requests' | 'current_month_requests' | 'web_requests'>;

/** What other slices ask of the record. Every request counts once and whatever its answer was, as in the analytics (docs/analytics.md). */
export interface AccountFigures {
  /** Absent accounts made no request. */
  figuresOf(ids: readonly string[]): Promise<ReadonlyMap<string, UserFigures>>;
  /** With keys, all time, of every account that has any. */
  keyTotals(): Promise<ReadonlyMap<string, number>>;
  /** Accounts with a request at or after `since`. */
  activeSince(since: Instant): Promise<number>;
  /** All requests of this UTC day: the last row of a daily series. */
  today(): Promise<Dashboard['requests_today_by_principal']>;
}

export function createAccountFigures({ clock, figures, accounts }: Omit<FigureDeps, 'reads'> & { accounts: AccountReads }): AccountFigures {
  return {
    async figuresOf(ids) {
      const found = await accounts.figuresOf(ids, clock.now());
      return new Map(
        [...found].map(([id, { key, session }]) => [
          id,
          {
            total_api_requests: key.total,
            current_day_requests: key.today,
            current_month_requests: key.month,
            web_requests: session,
          },
        ]),
      );
    },
    keyTotals: () => accounts.keyTotals(),
    activeSince: (since) => accounts.activeSince(since),
    async today() {
      const now = clock.now();
      const window = { from: startOfDay(now), to: now, days: 1, unit: 'day' } as const;
      const told = await figures(
        {
          name: 'today',
          parts: [
            {
              kinds: ['all'],
              segments: daysOf(window),
              counts: ['requests'],
              principals: true,
              into: { principal: (row) => row.principal },
            },
          ],
          principal: null,
        },
        createTurns(clock),
      );
      return byPrincipal(told.of('principal'));
    },
  };
}
