import { fakeClock, type FakeClock, type TestPlace } from '@nwms/testkit';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { type AddressHash, openAddressHash } from '../../platform/address-hash.ts';
import { addressKey } from '../../platform/db/address-keys.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { AroundStatement, Database } from '../../platform/db/types.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { silentLog } from '../../platform/log.ts';
import type { AuditRecord } from '../audit/index.ts';
import { createUsage, type FinishedRequest, type Usage } from './index.ts';
import { UNKNOWN_PLACE } from './locate.ts';
import type { Place } from './types.ts';

/** Usage records of a server that is not there: what is recorded and asked here is what routes record and ask. */
export interface UsageWorld {
  clock: FakeClock;
  db: Database;
  usage: Usage;
  audited: AuditRecord[];
  /** Accounts that the other slices no longer know. */
  removed: Set<string>;
  /** Records a request that finishes now. */
  seen(request?: Partial<FinishedRequest> & { address?: string }): void;
  /** Answer of an operation; headers it set beside. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  ask(operation: string, query?: object): Promise<any>;
  headers: Record<string, string>;
  /** Another process on the same database, which remembers nothing of this one. */
  another(): Promise<Pick<UsageWorld, 'usage' | 'seen' | 'ask'>>;
  close(): Promise<void>;
}

export const PLACES: Record<string, Place> = {
  '198.51.100.1': { country: 'US', region: 'Iowa', city: 'Des Moines' },
  '198.51.100.2': { country: 'US', region: 'Iowa', city: 'Des Moines' },
  '198.51.100.3': { country: 'US', region: 'Iowa', city: 'Ames' },
  '198.51.100.4': { country: 'DE', region: null, city: null },
};
export const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

export async function usageWorld(
  place: TestPlace,
  startAt: number,
  options: { around?: AroundStatement; clock?: FakeClock } = {},
): Promise<UsageWorld> {
  const clock = options.clock ?? fakeClock(startAt);
  const db = await openDatabase(place.config, { migrations: MIGRATIONS, ...(options.around ? { around: options.around } : {}) });
  const audited: AuditRecord[] = [];
  const headers: Record<string, string> = {};
  const removed = new Set<string>();
  const addressHash = await openAddressHash({ clock, keyOf: (period) => addressKey(db.app, period) });
  const start = () => startUsage({ db, clock, audited, headers, removed, addressHash });
  const own = start();
  return {
    clock,
    db,
    audited,
    headers,
    removed,
    ...own,
    another: async () => start(),
    async close() {
      await own.usage.stop();
      await db.close();
      await place.dispose();
    },
  };
}

function startUsage({
  db,
  clock,
  audited,
  headers,
  removed,
  addressHash,
}: Pick<UsageWorld, 'db' | 'clock' | 'audited' | 'headers' | 'removed'> & { addressHash: AddressHash }) {
  const usage = createUsage({
    database: db,
    clock,
    log: silentLog,
    random: () => 0,
    addressHash,
    locator: { placeOf: (address) => PLACES[address] ?? UNKNOWN_PLACE, attribution: () => null },
    audit: { record: async (entry) => void audited.push(entry) },
    limits: () => ({ highErrorRate: 10, unusualActivity: 1_000 }),
    usernamesOf: async (ids) => new Map(ids.flatMap((id) => (removed.has(id) ? [] : [[id, `name of ${id}`]]))),
    freshness: () => 'live',
    databaseAway: () => false,
    inFlight: () => 0,
    liveConnections: () => ({ websocket: 0, sse: 0 }),
    templates: 50,
    counted: new Set(['tiles']),
  });
  const handlers = new Map<string, (input: unknown) => unknown>();
  const serve: Serve = (spec, handler) => void handlers.set(spec.operation, handler as (input: unknown) => unknown);
  usage.registerRoutes(serve);
  const principal = { type: 'session', address: '::1', account: { id: 'usr_admin', username: 'admin' } };
  return {
    usage,
    seen({ address = '198.51.100.1', ...request }: Partial<FinishedRequest> & { address?: string } = {}) {
      usage.record({
        at: clock.now(),
        endpoint: '/api/v1/alerts',
        method: 'GET',
        status: 200,
        error: null,
        ms: 10,
        bytes: 100,
        caller: { type: 'anonymous', keyId: null, userId: null, address },
        userAgent: CHROME,
        cache: 'none',
        alerts: 0,
        geographic: false,
        timeFiltered: false,
        cost: 1,
        requestId: 'req_x',
        ...request,
      });
    },
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
    async ask(operation: string, query: object = {}): Promise<any> {
      const handler = handlers.get(operation);
      if (!handler) throw new Error(`nobody serves ${operation}`);
      return handler({ query, principal, request: { id: 'req_ask' }, reply: { headers: (set: object) => Object.assign(headers, set) } });
    },
  };
}
