import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { type BenchContext, type Benchmark, type Figure, figure, paired } from './harness.ts';
import { KEYS, LIMIT, type Order, type OrderAnswer } from './verify-service.ts';

const CALLERS = 16;
/** Calls at once with a key that may make LIMIT of them. */
const RUSH = 5 * LIMIT;

interface Service {
  order(order: Order): Promise<OrderAnswer>;
  stop(): Promise<void>;
}

/** Starts one of the services in a process of its own; resolves when its keys are made. */
function start(script: string, args: readonly string[]): Promise<Service> {
  const child: ChildProcess = fork(join(import.meta.dirname, script), args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  const told = <T>() =>
    new Promise<T>((done, fail) => {
      const ended = (code: number | null) => fail(new Error(`${script} ended with ${code}`));
      child.once('exit', ended);
      child.once('message', (message) => {
        child.off('exit', ended);
        done(message as T);
      });
    });
  return told().then(() => ({
    order(order) {
      child.send(order);
      return told<OrderAnswer>();
    },
    async stop() {
      if (child.connected) child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
      await gone;
      clearTimeout(timer);
    },
  }));
}

/** Both on one kind of database, each with its own, in rounds that take turns. */
async function compare(context: BenchContext, name: string, places: { ours: string; theirs: string; storage: string }): Promise<Figure[]> {
  const ours = await start('verify-ours.ts', [places.ours]);
  const theirs = await start('verify-theirs.ts', [places.storage, places.theirs]);
  try {
    const rate = async (service: Service) => {
      const { decided, passed, perSecond } = await service.order({ kind: 'rate', callers: CALLERS, ms: context.quick ? 1_000 : 3_000 });
      if (passed !== decided) throw new Error(`P13 ${name}: ${decided - passed} of ${decided} good calls were refused`);
      return perSecond;
    };
    for (const service of [ours, theirs]) {
      await service.order({ kind: 'warm', callers: CALLERS });
      await rate(service);
    }
    const measured = await paired(
      context.quick ? 3 : 7,
      () => rate(ours),
      () => rate(theirs),
    );
    // Of a window that ends meanwhile nothing could be said.
    await roomInMinute();
    const passed = { ours: await rush(ours), theirs: await rush(theirs) };
    const isTarget = places.storage === 'database';
    return [
      figure({
        name: `P13 verify and decide, ${name}`,
        unit: '/s',
        ours: measured.ours,
        yardstick: measured.yardstick,
        target: isTarget ? { sign: '>=', ratio: 20 } : null,
        note: `${KEYS} keys, ${CALLERS} callers; ratios ${measured.ratios.map((ratio) => ratio.toFixed(1)).join(' ')}`,
      }),
      figure({
        name: `P13 passed of ${RUSH} at once, limit ${LIMIT}, ${name}`,
        unit: 'calls',
        ours: passed.ours,
        yardstick: passed.theirs,
        // Exact is exact: neither more nor fewer than the limit.
        ratio: Math.abs(passed.ours - LIMIT),
        target: { sign: '<=', ratio: 0 },
        note: 'ratio: ours beyond or below the limit',
      }),
    ];
  } finally {
    await Promise.all([ours.stop(), theirs.stop()]);
  }
}

const rush = async (service: Service) => (await service.order({ kind: 'limited', calls: RUSH })).passed;

/** Waits for the next minute when this one is nearly over: our windows are minutes of the clock. */
async function roomInMinute(): Promise<void> {
  const left = 60_000 - (Date.now() % 60_000);
  if (left < 10_000) await new Promise((next) => setTimeout(next, left + 100));
}

async function run(context: BenchContext): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'nwms-verify-'));
  try {
    const file = (name: string) => join(folder, name);
    return [
      ...(await compare(context, 'SQLite', { ours: file('ours'), theirs: file('theirs.db'), storage: 'database' })),
      ...(await compare(context, 'SQLite, theirs in memory', { ours: file('ours-2'), theirs: file('theirs-2.db'), storage: 'memory' })),
      ...(await onServer(context)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The same on PostgreSQL, where one answers. */
async function onServer(context: BenchContext): Promise<Figure[]> {
  const base = process.env['NWMS_TEST_POSTGRES_URL'] ?? 'postgres://root@127.0.0.1:5432/postgres';
  const admin = new pg.Client({ connectionString: base, connectionTimeoutMillis: 1_000 });
  try {
    await admin.connect();
  } catch {
    context.log('no PostgreSQL answers: left out');
    return [];
  }
  const names = ['ours', 'theirs'].map((side) => `nwms_bench_verify_${side}_${process.pid}`);
  const urlOf = (name: string) => Object.assign(new URL(base), { pathname: `/${name}` }).href;
  try {
    for (const name of names) await admin.query(`create database ${name}`);
    const [ours = '', theirs = ''] = names.map(urlOf);
    return await compare(context, 'PostgreSQL', { ours, theirs, storage: 'database' });
  } finally {
    for (const name of names) await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

export const keyVerify: Benchmark = {
  name: 'P13',
  what: 'key verification and limit decision against the API-key plugin of better-auth, same machine and kind of database',
  run,
};
