/**
 * The API-key plugin of better-auth as its documentation sets it up: keys in the database, hashed, rate limits on. Arguments: `database` or `memory`
 * (keys in a secondary storage, here a map of this process, with deferred updates: their fastest setup), and a SQLite file or a PostgreSQL URL.
 */
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { ACCOUNTS, KEYS, LIMIT, serveOrders } from './verify-service.ts';

interface Created {
  id: string;
}
interface Theirs {
  $context: Promise<{ adapter: { create(row: { model: string; data: object }): Promise<Created> } }>;
  api: {
    createApiKey(call: { body: { userId: string; rateLimitMax?: number; rateLimitTimeWindow?: number } }): Promise<{ key: string }>;
    verifyApiKey(call: { body: { key: string } }): Promise<{ valid: boolean }>;
  };
}
/** By name, and with its types as far as they are used here: checking the project shall not need the package of one benchmark. */
const take = (name: string): Promise<Record<string, (options: object) => unknown>> => import(name);
const { apiKey } = await take('@better-auth/api-key');
const { betterAuth } = await take('better-auth');
const { getMigrations } = await take('better-auth/db/migration');
if (!apiKey || !betterAuth || !getMigrations) throw new Error('better-auth has not what this benchmark was written for');

const [storage = 'database', place = ''] = process.argv.slice(2);
const isServer = place.startsWith('postgres:');
const inMemory = storage === 'memory';

function openFile(): DatabaseSync {
  const db = new DatabaseSync(place);
  // In its favour: ours waits for the disk at every commit, this does not.
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
  return db;
}

const map = new Map<string, string>();
const pool = isServer ? new pg.Pool({ connectionString: place, max: 10 }) : null;
const options = {
  database: pool ?? openFile(),
  secret: 'a secret of this benchmark and of nothing else',
  baseURL: 'http://127.0.0.1',
  telemetry: { enabled: false },
  // Every refusal is an error line otherwise: writing those is not what is measured.
  logger: { disabled: true },
  emailAndPassword: { enabled: true },
  ...(inMemory && {
    secondaryStorage: {
      get: async (key: string) => map.get(key) ?? null,
      set: async (key: string, value: string) => void map.set(key, value),
      delete: async (key: string) => void map.delete(key),
    },
    advanced: { backgroundTasks: { handler: (task: Promise<unknown>) => void task.catch(() => {}) } },
  }),
  plugins: [
    apiKey({
      rateLimit: { enabled: true, timeWindow: 60_000, maxRequests: 1_000_000_000 },
      ...(inMemory && { storage: 'secondary-storage', deferUpdates: true }),
    }),
  ],
};
const migrations = (await getMigrations(options)) as { runMigrations(): Promise<void> };
await migrations.runMigrations();
const auth = betterAuth(options) as Theirs;

const accounts: string[] = [];
const { adapter } = await auth.$context;
for (let n = 0; n < ACCOUNTS; n += 1) {
  const at = new Date();
  const user = { name: `account-${n}`, email: `account-${n}@example.org`, emailVerified: true, createdAt: at, updatedAt: at };
  accounts.push((await adapter.create({ model: 'user', data: user })).id);
}
const keyOf = async (body: { userId: string; rateLimitMax?: number; rateLimitTimeWindow?: number }) =>
  (await auth.api.createApiKey({ body })).key;
const keys: string[] = [];
for (let n = 0; n < KEYS; n += 1) keys.push(await keyOf({ userId: accounts[n % ACCOUNTS] as string }));
const limited = await keyOf({ userId: accounts[0] as string, rateLimitMax: LIMIT, rateLimitTimeWindow: 60_000 });

const verify = async (key: string): Promise<boolean> => (await auth.api.verifyApiKey({ body: { key } })).valid;
serveOrders({
  verify: (n) => verify(keys[n] as string),
  verifyLimited: () => verify(limited),
  stop: async () => pool?.end(),
});
