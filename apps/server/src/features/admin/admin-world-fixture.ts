import { fakeClock, type FakeClock } from '@nwms/testkit';
import { openAddressHash } from '../../platform/address-hash.ts';
import { addressKey } from '../../platform/db/address-keys.ts';
import { createIdempotencyStore } from '../../platform/db/idempotency-store.ts';
import type { Database } from '../../platform/db/types.ts';
import { createIdempotency } from '../../platform/http/idempotency.ts';
import { createServe } from '../../platform/http/serve.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { silentLog } from '../../platform/log.ts';
import { createAudit, createAuditStore } from '../audit/index.ts';
import { createAuth, DEFAULT_POLICY, type Auth, type UserRow } from '../auth/index.ts';
import { createSettings, createSettingsStore, type Settings } from '../settings/index.ts';
import { registerAdminRoutes, type RequestFigures } from './index.ts';

/** The administration's routes over a real database, with a caller that is told instead of signed in. */
export interface AdminWorld {
  auth: Auth;
  settings: Settings;
  clock: FakeClock;
  /** An administrator made without a request. */
  addAdmin(name: string): Promise<UserRow>;
  /** A request by that administrator below /api/v1/auth/admin. */
  call(
    by: UserRow,
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Record<string, unknown>;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  json: any;
}

const CLOSED = {
  googleClientId: null,
  googleJwksUrl: 'http://127.0.0.1:1/',
  adminEmails: [],
  setupToken: null,
  signup: 'open',
  passwordLogin: true,
  localProvider: false,
  isPublic: false,
} as const;

/** Nobody made a request. */
const NO_REQUESTS: RequestFigures = {
  today: async () => ({ anonymous: 0, key: 0, session: 0 }),
  activeSince: async () => 0,
  keyTotals: async () => new Map(),
};

export async function openAdminWorld(database: Database, startAt = Date.UTC(2026, 10, 21, 12)): Promise<AdminWorld> {
  const clock = fakeClock(startAt);
  const common = { clock, log: silentLog, random: () => 0 };
  const app = database.app;
  const addressHash = await openAddressHash({ clock, keyOf: (period) => addressKey(app, period) });
  const audit = createAudit({ ...common, store: createAuditStore(app), addressHash });
  const settings = await createSettings({
    ...common,
    store: createSettingsStore(app),
    audit,
    capabilities: { mailServer: false },
    urlFault: () => null,
    sendTest: async () => ({ delivered: true, detail: 'Sent.' }),
  });
  const auth: Auth = await createAuth({
    ...common,
    database,
    fetch,
    config: CLOSED,
    policy: () => DEFAULT_POLICY,
    audit,
    addressOf: () => '127.0.0.1',
    passwordCostLog2: 4,
  });

  const server = await createHttpServer({
    clock,
    log: silentLog,
    corsOrigins: () => [],
    trustedProxies: [],
    page: () => null,
    secure: false,
  });
  server.decorateRequest('principal', null);
  server.addHook('onRequest', (request, _reply, done) => {
    const [id = '', username = ''] = String(request.headers['x-test-caller']).split(' ');
    const account = {
      id,
      username,
      email: '',
      role: 'admin',
      specialAccess: false,
      limits: { perMinute: 100, perDay: 10_000, perMonth: 100_000 },
    } as const;
    request.principal = { type: 'session', address: '127.0.0.1', account, sessionId: 'ses_test' };
    done();
  });
  const serve = createServe(server);
  settings.registerRoutes(serve);
  audit.registerRoutes(serve);
  registerAdminRoutes(serve, {
    clock,
    settings,
    audit,
    requests: NO_REQUESTS,
    users: auth.users,
    passwords: auth.passwords,
    idempotency: createIdempotency({ store: createIdempotencyStore(app), clock }),
    keyCountsOf: async () => new Map(),
    unitsOf: async () => new Map(),
    trouble: () => null,
  });
  await server.ready();

  return {
    auth,
    settings,
    clock,
    addAdmin: (name) =>
      auth.users.create({
        username: name,
        email: `${name}@example.org`,
        fullName: null,
        organization: null,
        role: 'admin',
        isActive: true,
        specialAccess: false,
        limits: { perMinute: 1, perDay: 1, perMonth: 1 },
        notes: null,
        provider: 'password',
        passwordHash: null,
        emailVerified: false,
        mustChangePassword: false,
      }),
    async call(by, method, path, body, headers = {}) {
      const answer = await server.inject({
        method,
        url: `/api/v1/auth/admin${path}`,
        headers: {
          ...headers,
          'x-test-caller': `${by.id} ${by.username}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      return { status: answer.statusCode, headers: answer.headers, json: answer.body === '' ? null : JSON.parse(answer.body) };
    },
    async close() {
      await server.close();
      await settings.stop();
      await auth.stop();
    },
  };
}
