import { createUsage, nowhere } from '@nwms/server/features/usage/index';
import { systemClock, type Clock } from '@nwms/server/platform/clock';
import type { Database } from '@nwms/server/platform/db/types';
import type { Serve } from '@nwms/server/platform/http/serve';
import { silentLog } from '@nwms/server/platform/log';

/** Answers as the routes give them, at the moment that `now` says. */
export function createUsageAsk(database: Database, now: () => number): (operation: string, query: object) => Promise<unknown> {
  const clock: Clock = { ...systemClock, now };
  const handlers = new Map<string, (input: unknown) => unknown>();
  const usage = createUsage({
    database,
    clock,
    log: silentLog,
    random: Math.random,
    addressHash: { hash: (text) => text, pair: (text) => ({ now: text, next: text }), renew: async () => {} },
    locator: nowhere,
    audit: { record: async () => {} },
    limits: () => ({ highErrorRate: 10, unusualActivity: 1_000 }),
    usernamesOf: async () => new Map(),
    freshness: () => 'live',
    databaseAway: () => false,
    inFlight: () => 0,
    liveConnections: () => ({ websocket: 0, sse: 0 }),
    templates: 50,
    counted: new Set(),
  });
  const serve: Serve = (spec, handler) => void handlers.set(spec.operation, handler as (input: unknown) => unknown);
  usage.registerRoutes(serve);
  return async (operation, query) => handlers.get(operation)?.({ query, reply: { headers: () => {} } });
}
