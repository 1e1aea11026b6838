/** Our key check and limit decision without HTTP. Argument: folder of an embedded database, or a PostgreSQL URL. */
import { MIGRATIONS } from '../../apps/server/migrations/index.ts';
import type { UserStore } from '../../apps/server/src/features/auth/index.ts';
import { createUserRows } from '../../apps/server/src/features/auth/store-users.ts';
import { newUserRow } from '../../apps/server/src/features/auth/users.ts';
import { allowancesOf } from '../../apps/server/src/features/keys/allowances.ts';
import { createKnownKeys } from '../../apps/server/src/features/keys/known-keys.ts';
import { createQuotas } from '../../apps/server/src/features/keys/quota/quotas.ts';
import { createQuotaStore } from '../../apps/server/src/features/keys/quota/store-quota.ts';
import { hashOf, makeSecret, shownPrefix } from '../../apps/server/src/features/keys/secret.ts';
import { createKeyRows } from '../../apps/server/src/features/keys/store.ts';
import { systemClock as clock } from '../../apps/server/src/platform/clock.ts';
import { openDatabase } from '../../apps/server/src/platform/db/open.ts';
import { silentLog as log } from '../../apps/server/src/platform/log.ts';
import { ACCOUNTS, KEYS, LIMIT, serveOrders } from './verify-service.ts';

const [place = ''] = process.argv.slice(2);
const isServer = place.startsWith('postgres:');
const database = await openDatabase(isServer ? { kind: 'postgres', url: place } : { kind: 'sqlite', dir: place }, {
  migrations: MIGRATIONS,
});
const rows = createKeyRows(database.engine);
const userRows = createUserRows(database.engine);
/** Never used up, in three windows of the key and three of its account. */
const wide = { perMinute: 1e9, perDay: 1e10, perMonth: 1e11 };
const now = clock.now();

async function addAccount(name: string): Promise<string> {
  const user = newUserRow(
    {
      username: name,
      email: `${name}@example.org`,
      fullName: null,
      organization: null,
      role: 'user',
      isActive: true,
      specialAccess: false,
      limits: wide,
      notes: null,
      provider: 'google',
      passwordHash: null,
      emailVerified: true,
      mustChangePassword: false,
    },
    now,
  );
  await userRows.insert(database.app, user);
  return user.id;
}

async function addKey(name: string, userId: string, limits: typeof wide): Promise<string> {
  const secret = makeSecret();
  const key = {
    id: `key_${name}`,
    userId,
    description: name,
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
  };
  const kept = { hash: hashOf(secret), keyId: key.id, prefix: shownPrefix(secret), createdAt: now, endsAt: null };
  await rows.insert(database.app, key, kept);
  return secret;
}

const accounts: string[] = [];
for (let n = 0; n < ACCOUNTS; n += 1) accounts.push(await addAccount(`account-${n}`));
const secrets: string[] = [];
for (let n = 0; n < KEYS; n += 1) secrets.push(await addKey(`k${n}`, accounts[n % ACCOUNTS] as string, wide));
const limited = await addKey('limited', accounts[0] as string, { ...wide, perMinute: LIMIT });

const users: Pick<UserStore, 'findAll'> = { findAll: (ids) => userRows.findAll(database.reads.app, ids) };
const known = createKnownKeys({ database, clock, rows, users, shared: isServer });
const quotas = createQuotas({ clock, log, random: Math.random, store: createQuotaStore(database.app), shared: isServer });
quotas.start();

const verify = async (secret: string): Promise<boolean> => {
  const principal = await known.identify(secret, '192.0.2.1');
  return (await quotas.take(allowancesOf(principal, 1), 1)).ok;
};
serveOrders({
  verify: (n) => verify(secrets[n] as string),
  verifyLimited: () => verify(limited),
  async stop() {
    await quotas.stop();
    await database.close();
  },
});
