import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Freshness } from '@nwms/contract';
import type { Live } from '../features/live/index.ts';
import { type AccountFigures, createUsage, type Locator, type Usage } from '../features/usage/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/db/types.ts';
import type { Log } from '../platform/log.ts';
import type { Accounts } from './accounts.ts';
import { countedTemplates, createRecordUsage, type RecordUsage } from './record-usage.ts';

/** Accounts whose allowances are looked at, most recently active first. */
const MAX_QUOTAS = 200;

/** How much of their day's or month's units accounts have used, by their keys. */
async function quotasOf({ auth, keys }: Accounts, ids: readonly string[]): Promise<{ subject: string; usedPercent: number }[]> {
  const asked = ids.slice(-MAX_QUOTAS);
  const used = await keys.usedBy(asked);
  const users = await Promise.all(asked.map((id) => auth.users.find(id)));
  return users.flatMap((user) => {
    const own = user && used.get(user.id)?.keys;
    if (!own) return [];
    const share = Math.max(own.day / user.limits.perDay, own.month / user.limits.perMonth);
    return [{ subject: `account ${user.username}`, usedPercent: Math.round(1_000 * share) / 10 }];
  });
}

/** The record as accounts and the administration ask it. It is built after them. */
export const recordedRequests = (usage: () => Usage): AccountFigures => ({
  figuresOf: (ids) => usage().accounts.figuresOf(ids),
  keyTotals: () => usage().accounts.keyTotals(),
  activeSince: (since) => usage().accounts.activeSince(since),
  today: () => usage().accounts.today(),
});

export interface UsageParts {
  usage: Usage;
  recording: RecordUsage;
}

/** Usage records and analytics, between the HTTP side that tells and the slices that are asked. Install it before routes are mounted. */
export function createUsageParts(deps: {
  database: Database;
  clock: Clock;
  log: Log;
  random: () => number;
  accounts: Accounts;
  app: FastifyInstance;
  live: Pick<Live, 'transports'>;
  freshness: () => Freshness;
  databaseAway: () => boolean;
  addressOf: (request: IncomingMessage) => string;
  /** False: nothing is recorded. */
  isOn: boolean;
  locator: Locator;
}): UsageParts {
  const { database, clock, log, random, accounts } = deps;
  const { audit, settings, addressHash } = accounts.administration;
  let inFlight = () => 0;
  const usage = createUsage({
    database,
    clock,
    log,
    random,
    addressHash,
    audit,
    locator: deps.locator,
    limits() {
      const { high_error_rate, unusual_activity } = settings.current().notifications.alert_thresholds;
      return { highErrorRate: high_error_rate, unusualActivity: unusual_activity };
    },
    usernamesOf: async (ids) => new Map((await accounts.auth.users.findAll(ids)).map((user) => [user.id, user.username])),
    freshness: () => deps.freshness().status,
    databaseAway: deps.databaseAway,
    inFlight: () => inFlight(),
    liveConnections: () => deps.live.transports(),
    templates: countedTemplates(),
    counted: new Set(['tiles', 'alerts_streamed']),
    quotas: (ids) => quotasOf(accounts, ids),
    idleKeys: () => accounts.keys.idle(),
  });
  const recording = createRecordUsage({ clock, usage: deps.isOn ? usage : { record() {}, count() {} }, addressOf: deps.addressOf });
  ({ inFlight } = recording.install(deps.app));
  accounts.auth.onEnded(({ userId, removed }) => {
    if (removed)
      void usage
        .forget(userId)
        .catch((error: unknown) => log.warn({ err: error, userId }, 'Usage of a removed account keeps its id for now'));
  });
  return { usage, recording };
}
