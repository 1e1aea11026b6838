import { setTimeout as wait } from 'node:timers/promises';
import { PostgresDialect } from 'kysely';
import { Client, Pool, types, type ClientBase, type PoolConfig } from 'pg';
import { AppError } from '../app-error.ts';
import { databaseFault } from './faults.ts';
import { keptName } from './kept.ts';
import type { Engine, EngineParts, Hints, WriterLock } from './types.ts';
import { PARTS } from './types.ts';

/** Ten connections in all: half for answers, so that a stuck writer takes none of theirs. */
const POOL_SIZE = 5;
/** I5: a caller waits at most this long for a connection. */
const CONNECT_TIMEOUT_MS = 500;
/** The writer's lock and the listener wait longer: no request waits for them. */
const BACKGROUND_CONNECT_TIMEOUT_MS = 10_000;
/** At the start a server that still starts itself, or a host under load, is given so long for a first connection, and for each of the others. */
const START_WITHIN_MS = 20_000;
const START_CONNECT_TIMEOUT_MS = 10_000;
const START_PAUSE_MS = 500;
/** D5: no read holds a connection longer. */
const STATEMENT_TIMEOUT_MS = 2_000;
/** Limit of one statement inside a write transaction (a chunk of a national snapshot on a slow disk). */
const WRITE_STATEMENT_TIMEOUT_MS = 20_000;
/** A server that keeps silent past its own limit of a read is stuck: the caller gets its 503 while it still waits (I5). */
const READ_QUERY_TIMEOUT_MS = 3_000;
/** Usage has connections of its own, so that neither its batches nor its long questions take one from anything else. */
const USAGE_POOL_SIZE = 3;
/** A question over 90 days may take this long. */
const USAGE_STATEMENT_TIMEOUT_MS = 8_000;
/**
 * Its questions are long statements that read some 100,000 narrow rows: making machine code of them takes longer than they do, and their groups (a visitor
 * each) fit into memory, of which the server's default of 4 MB is for small machines.
 */
const USAGE_READ_OPTIONS = '-c jit=off -c work_mem=32MB -c max_parallel_workers_per_gather=0';
/** Past the server's own limits the server itself is stuck: give up on the socket. */
const QUERY_TIMEOUT_MS = 25_000;
/** Names our lock among others in the same database: "NWMS" in ASCII. */
const WRITER_LOCK_KEY = 0x4e574d53;
const HINT_CHANNEL = 'nwms_log';
/** Sessions that hold the lock; a bigint key is split over two columns, and the low half is ours. */
const LOCK_HOLDERS = `select l.pid from pg_locks l join pg_database d on d.oid = l.database
  where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and l.classid = 0 and l.objid = ${WRITER_LOCK_KEY} and d.datname = current_database()`;
/** The server notices within some 11 s that the host of the lock's holder is gone; its own default is two hours. */
const NOTICE_LOST_HOST = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3';
const INT8_OID = 20;

/** PostgreSQL >= 15: one pool, one schema per part. */
/** `usageUrl`: a database of its own for the `usage` part; the same unless said. */
export async function openPostgres(url: string, usageUrl = url): Promise<EngineParts> {
  const connection = {
    connectionString: url,
    connectionTimeoutMillis: START_CONNECT_TIMEOUT_MS,
    types: { getTypeParser: typeParser },
    application_name: 'nwms',
    keepAlive: true,
  };
  const pool = openPool({ ...connection, query_timeout: QUERY_TIMEOUT_MS });
  const readPool = openPool({ ...connection, query_timeout: READ_QUERY_TIMEOUT_MS });
  const usage = {
    ...connection,
    connectionString: usageUrl,
    max: USAGE_POOL_SIZE,
    statement_timeout: USAGE_STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  };
  const [usagePool, usageReadPool] = [openPool(usage), openPool({ ...usage, options: USAGE_READ_OPTIONS })];
  const pools = [pool, readPool, usagePool, usageReadPool];
  const end = async () => void (await Promise.all(pools.map((each) => each.end())));
  try {
    for (const each of [pool, readPool, usagePool]) await reach(each);
    await assertDurable(pool);
    for (const part of PARTS) await createSchema(part === 'usage' ? usagePool : pool, part);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    engine: postgresEngine(pool, readPool, () => new Client({ ...connection, connectionTimeoutMillis: BACKGROUND_CONNECT_TIMEOUT_MS })),
    dialects: dialectsOver(pool, usagePool),
    readDialects: dialectsOver(readPool, usageReadPool),
    schemaOf: (part) => part,
    // A server has locks of its own for migrations and for the right to write.
    isAlone: true,
    share: () => {},
    close: end,
  };
}

function dialectsOver(pool: Pool, usagePool: Pool): EngineParts['dialects'] {
  const over = (shared: Pool) =>
    new PostgresDialect({
      pool: { connect: () => shared.connect(), end: async () => {}, options: shared.options, Client: Client } as never,
    });
  return { app: over(pool), log: over(pool), usage: over(usagePool) };
}

function openPool(config: PoolConfig): Pool {
  const pool = new Pool({ max: POOL_SIZE, statement_timeout: STATEMENT_TIMEOUT_MS, ...config });
  // An idle connection that breaks must not end the process; the next query reports the fault to its caller.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    // The same for a connection in use: its query is rejected, and that is where the fault is told.
    client.on('error', () => {});
    guardQueries(client);
  });
  return pool;
}

/** Names what is to be kept prepared. After a client-side timeout the answer may still come: the connection is of no use to the next caller and is closed. */
function guardQueries(client: ClientBase): void {
  const stuck = client as ClientBase & { connection: { stream: { destroy(): void } } };
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const guarded = (...args: unknown[]) => {
    const [text, values] = args;
    const name = keptName(text);
    const answer = name === null ? query(...args) : query({ name, text, values });
    if (answer instanceof Promise) {
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === 'Query read timeout') stuck.connection.stream.destroy();
      });
    }
    return answer;
  };
  stuck.query = guarded as ClientBase['query'];
}

/** Opens a first connection; what is no matter of waiting (a wrong password) rejects at once. */
async function reach(pool: Pool): Promise<void> {
  const startedAtMs = performance.now();
  for (;;) {
    try {
      await pool.query('SELECT 1');
      return;
    } catch (error) {
      if (performance.now() - startedAtMs > START_WITHIN_MS || !(databaseFault(error) instanceof AppError)) throw error;
      await wait(START_PAUSE_MS);
    }
  }
}

/** B4: a server that acknowledges commits before they are on disk is refused. */
async function assertDurable(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    "SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'synchronous_commit', 'server_version_num')",
  );
  const setting = new Map(rows.map((row) => [row.name, row.setting]));
  for (const name of ['fsync', 'synchronous_commit']) {
    if (setting.get(name) === 'off') {
      throw new Error(`The PostgreSQL server would lose acknowledged data in a power cut: ${name}=off. Set it to on.`);
    }
  }
  if (Number(setting.get('server_version_num')) < 150_000) throw new Error('PostgreSQL 15 or newer is needed.');
}

/** int8 comes as text by default. Ours are instants and counters far below 2^53; anything else is a defect, not a rounding. */
function typeParser(oid: number, format?: 'text' | 'binary'): unknown {
  if (oid === INT8_OID && format !== 'binary') return parseInt8;
  return format === 'binary' ? types.getTypeParser(oid, 'binary') : types.getTypeParser(oid, 'text');
}

function parseInt8(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`int8 out of the safe range: ${text}`);
  return value;
}

function postgresEngine(pool: Pool, readPool: Pool, newClient: () => Client): Engine {
  return {
    kind: 'postgres',
    lockRow: ' for update',
    shareRow: ' for share',
    tryWriterLock: () => tryWriterLock(pool, newClient),
    async breakWriterLock() {
      await pool.query(`select pg_terminate_backend(holder.pid) from (${LOCK_HOLDERS}) holder`);
    },
    async allowLongWrites(transaction) {
      const { sql } = await import('kysely');
      await sql`set local statement_timeout = ${sql.lit(WRITE_STATEMENT_TIMEOUT_MS)}`.execute(transaction);
    },
    serve() {
      // The pool reads it anew for every connection.
      for (const each of [pool, readPool]) each.options.connectionTimeoutMillis = CONNECT_TIMEOUT_MS;
    },
    async hint() {
      await pool.query(`NOTIFY ${HINT_CHANNEL}`);
    },
    onHint: (listener) => listen(newClient(), listener),
  };
}

/** A session lock on a connection of its own: PostgreSQL frees it when that connection ends. */
async function tryWriterLock(pool: Pool, newClient: () => Client): Promise<WriterLock | null> {
  // Followers ask every second: a look at the list of locks spares the connection.
  if ((await pool.query(LOCK_HOLDERS)).rows.length > 0) return null;
  const client = newClient();
  let held = false;
  const lost = () => {
    held = false;
  };
  client.on('error', lost);
  client.on('end', lost);
  await client.connect();
  await client.query(NOTICE_LOST_HOST);
  const { rows } = await client.query<{ got: boolean }>('SELECT pg_try_advisory_lock($1) AS got', [WRITER_LOCK_KEY]);
  if (!rows[0]?.got) {
    await client.end();
    return null;
  }
  held = true;
  return { held: () => held, release: () => client.end() };
}

async function listen(client: Client, listener: () => void): Promise<Hints> {
  let alive = true;
  const lost = () => {
    alive = false;
  };
  client.on('error', lost);
  client.on('end', lost);
  client.on('notification', listener);
  await client.connect();
  await client.query(`LISTEN ${HINT_CHANNEL}`);
  return { isAlive: () => alive, stop: () => client.end() };
}

/** Two processes that start at once may both find none: the slower one is told of a duplicate, and all is well. */
async function createSchema(pool: Pool, part: string): Promise<void> {
  const create = () => pool.query(`CREATE SCHEMA IF NOT EXISTS "${part}"`);
  await create().catch(create);
}
