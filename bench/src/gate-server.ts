/**
 * One route of ready bytes behind the platform's HTTP stack, in a process of its own. Arguments: `gate` (API keys, quotas of three windows, headers,
 * use) or `bare`, file with the body. Prints `port secret`.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alerts, settingsDefaults } from '@nwms/contract';
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import type { Auth } from '../../apps/server/src/features/auth/index.ts';
import { createKeys } from '../../apps/server/src/features/keys/index.ts';
import { hashOf, makeSecret, shownPrefix } from '../../apps/server/src/features/keys/secret.ts';
import { createKeyRows } from '../../apps/server/src/features/keys/store.ts';
import { systemClock as clock } from '../../apps/server/src/platform/clock.ts';
import { openDatabase } from '../../apps/server/src/platform/db/open.ts';
import { createIdempotencyStore } from '../../apps/server/src/platform/db/idempotency-store.ts';
import { createClientAddress } from '../../apps/server/src/platform/http/client-address.ts';
import { createIdempotency } from '../../apps/server/src/platform/http/idempotency.ts';
import { installIdentity } from '../../apps/server/src/platform/http/identity.ts';
import { createServe } from '../../apps/server/src/platform/http/serve.ts';
import { createHttpServer } from '../../apps/server/src/platform/http/server.ts';
import { silentLog as log } from '../../apps/server/src/platform/log.ts';

const [mode = 'gate', path = ''] = process.argv.slice(2);
const body = readFileSync(path);
const dir = mkdtempSync(join(tmpdir(), 'nwms-gate-'));
const database = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
/** More than a run can use: what a refusal costs is not the question. */
const limits = { perMinute: 1e9, perDay: 1e10, perMonth: 1e11 };
const secret = makeSecret();
const now = clock.now();
await createKeyRows(database.engine).insert(
  database.app,
  {
    id: 'key_bench',
    userId: 'usr_bench',
    description: 'bench',
    isActive: true,
    limits,
    createdAt: now,
    updatedAt: now,
    expiresAt: null,
    lastUsedAt: null,
    lastCountry: null,
    lastAgent: null,
    totalRequests: 0,
    version: 1,
  },
  { hash: hashOf(secret), keyId: 'key_bench', prefix: shownPrefix(secret), createdAt: now, endsAt: null },
);
const owner = { id: 'usr_bench', username: 'bench', email: '', role: 'user', isActive: true, specialAccess: false, limits };
const auth = { users: { findAll: async () => [owner] }, onChanged: () => {}, onUserRemoved: () => {} } as unknown as Auth;
const address = createClientAddress([]);
const keys = createKeys({
  database,
  clock,
  log,
  random: Math.random,
  auth,
  audit: { record: async () => {} },
  settings: { current: settingsDefaults, onChange: () => () => {} },
  idempotency: createIdempotency({ store: createIdempotencyStore(database.app), clock }),
  addressOf: address,
  countryOf: () => null,
  placeCredit: () => null,
  factor: 100_000,
});
const app = await createHttpServer({ clock, log, corsOrigins: () => [], trustedProxies: [], page: () => null, secure: false });
if (mode === 'gate') {
  keys.gate.guard(app);
  installIdentity(app, { identifySession: keys.identify, identifyKey: keys.identify, addressOf: (request) => address(request.raw) });
  keys.gate.meter(app);
  keys.observe(app);
  keys.start();
}
const headers = { 'Content-Type': 'application/json; charset=utf-8', ETag: 'W/"1"' };
createServe(app)(alerts.listAlerts, () => ({ kind: 'raw', headers, body }));
await app.listen({ port: 0, host: '127.0.0.1' });
process.stdout.write(`${(app.server.address() as AddressInfo).port} ${secret}\n`);
process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => keys.stop())
    .then(() => database.close())
    .finally(() => {
      rmSync(dir, { recursive: true, force: true });
      process.exit(0);
    });
});
