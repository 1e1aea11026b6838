import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';

/** As the server's database configuration. */
type DatabaseConfig = { kind: 'sqlite'; dir: string } | { kind: 'postgres'; url: string };

/** A place for one test to keep data in, on one engine. `dispose` removes it. */
export interface TestPlace {
  config: DatabaseConfig;
  dispose(): Promise<void>;
}

export interface TestEngine {
  name: 'sqlite' | 'postgres';
  /** Why it cannot be used here; null when it can. */
  skip: string | null;
  place(): Promise<TestPlace>;
}

const POSTGRES_URL = process.env['NWMS_TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/test';

/** Both engines for the shared store suite. Without a PostgreSQL server that half is skipped with a notice, or fails under NWMS_REQUIRE_POSTGRES=1. */
export async function testEngines(): Promise<TestEngine[]> {
  return [sqliteEngine(), await postgresEngine()];
}

export function sqliteEngine(): TestEngine {
  return {
    name: 'sqlite',
    skip: null,
    async place() {
      const dir = mkdtempSync(join(tmpdir(), 'nwms-test-'));
      return { config: { kind: 'sqlite', dir }, dispose: async () => rmSync(dir, { recursive: true, force: true }) };
    },
  };
}

async function postgresEngine(): Promise<TestEngine> {
  const skip = await reasonToSkip();
  if (skip !== null && process.env['NWMS_REQUIRE_POSTGRES'] === '1') throw new Error(skip);
  if (skip !== null) console.warn(`NOTICE: store tests on PostgreSQL are skipped: ${skip}`);
  return {
    name: 'postgres',
    skip,
    async place() {
      const name = `nwms_test_${process.pid}_${crypto.randomUUID().slice(0, 8)}`;
      await admin(`CREATE DATABASE ${name}`);
      const url = new URL(POSTGRES_URL);
      url.pathname = `/${name}`;
      return { config: { kind: 'postgres', url: url.href }, dispose: () => admin(`DROP DATABASE ${name} WITH (FORCE)`) };
    },
  };
}

async function admin(statement: string): Promise<void> {
  const client = new Client({ connectionString: POSTGRES_URL, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function reasonToSkip(): Promise<string | null> {
  try {
    await admin('SELECT 1');
    return null;
  } catch (error) {
    return `${new URL(POSTGRES_URL).host} cannot be reached (${error instanceof Error ? error.message : String(error)})`;
  }
}
