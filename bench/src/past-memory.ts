import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seeded } from './board-messages.ts';
import { type BenchContext, type Benchmark, figure } from './harness.ts';
import { residentBytes } from './processes.ts';
import { type RunningProduct, startProduct, waitForAlerts } from './product.ts';
import { seedHistory } from './seed-history.ts';

const DAY_MS = 86_400_000;
const MIB = 2 ** 20;
/** Of each kind. */
const QUESTIONS = 40;
/** What docs/benchmarks.md tells operators. */
const PROMISED_MIB = 800;

/** Days of the record with almost 10,000 events. */
const LONG_DAYS = 24;
/** What so many such questions may add. */
const LONG_MIB = 400;
/** Days before today in which the seeded record lies, for any size asked here. */
const RECORD_DAYS = { newest: 32, oldest: 110 };

async function ask(product: RunningProduct, path: string): Promise<number> {
  const response = await fetch(`${product.url}/api/v1${path}`);
  const body = await response.arrayBuffer();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${Buffer.from(body).toString().slice(0, 300)}`);
  return body.byteLength;
}

/** Timelines of two days and lists as of an instant, anywhere in the record, one after the other. */
async function askThePast(product: RunningProduct, note: () => void): Promise<number> {
  const random = seeded(5);
  const anywhere = () =>
    Math.floor((Date.now() - (RECORD_DAYS.newest + random() * (RECORD_DAYS.oldest - RECORD_DAYS.newest)) * DAY_MS) / 60_000) * 60_000;
  const iso = (at: number) => new Date(at).toISOString();
  let bytes = 0;
  for (let n = 0; n < QUESTIONS; n += 1) {
    const from = anywhere();
    bytes += await ask(product, `/playback/timeline?from=${iso(from)}&to=${iso(from + 2 * DAY_MS)}`);
    note();
    bytes += await ask(product, `/alerts?at=${iso(anywhere())}`);
    note();
  }
  return bytes;
}

/** Like a user who starts again: the folder stays. */
async function endKeeping({ child }: RunningProduct): Promise<void> {
  const gone = new Promise((ended) => child.once('exit', ended));
  child.kill('SIGTERM');
  await gone;
}

/** At once: questions over a time that find close to as many events as one may. */
const LONG_QUESTIONS = 6;

/** What they add to the memory of a server of its own. Each begins at another row, so that no answer is there for the next. */
async function longQuestions(dataDir: string): Promise<number> {
  const product = await startProduct({ FEED: 'simulator' }, dataDir);
  try {
    await waitForAlerts(product.url, 20);
    const pid = product.child.pid ?? 0;
    const before = residentBytes(pid);
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, residentBytes(pid))), 10);
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const iso = (days: number) => new Date(today - days * DAY_MS).toISOString();
    const range = `from=${iso(RECORD_DAYS.newest + LONG_DAYS - 1)}&to=${iso(RECORD_DAYS.newest - 1)}`;
    const pages = Array.from({ length: LONG_QUESTIONS }, (_, n) => ask(product, `/alerts?${range}&limit=500&offset=${n}`));
    if (Math.min(...(await Promise.all(pages))) < MIB) throw new Error('there is no such record');
    clearInterval(watch);
    return (peak - before) / MIB;
  } finally {
    await endKeeping(product);
  }
}

async function measure(context: BenchContext, messages: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'nwms-past-memory-'));
  context.log(`writing ${messages} messages of history`);
  await seedHistory(dataDir, messages);
  const product = await startProduct({ FEED: 'simulator' }, dataDir);
  let ended = false;
  try {
    await waitForAlerts(product.url, 20);
    const pid = product.child.pid ?? 0;
    const before = residentBytes(pid);
    let peak = before;
    const note = () => (peak = Math.max(peak, residentBytes(pid)));
    const from = performance.now();
    const bytes = await askThePast(product, note);
    const seconds = (performance.now() - from) / 1_000;
    context.log(`${QUESTIONS * 2} questions, ${Math.round(bytes / MIB)} MiB of answers, ${seconds.toFixed(1)} s`);
    const after = residentBytes(pid);
    await endKeeping(product);
    ended = true;
    return { before: before / MIB, peak: peak / MIB, after: after / MIB, long: await longQuestions(dataDir) };
  } finally {
    if (!ended) await endKeeping(product);
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const pastMemory: Benchmark = {
  name: 'P16',
  what: 'resident memory after questions about the past, against what operators are told',
  async run(context) {
    const { before, peak, after, long } = await measure(context, 100_000);
    const shared = { unit: 'MiB', yardstick: PROMISED_MIB };
    return [
      figure({ ...shared, name: 'P16 resident before the questions', ours: before, target: null }),
      figure({ ...shared, name: 'P16 highest while they are asked', ours: peak, target: { sign: '<=', ratio: 1 } }),
      figure({ ...shared, name: 'P16 after them', ours: after, target: null }),
      figure({
        name: `P16 what ${LONG_QUESTIONS} questions add that find almost 10,000 events each`,
        unit: 'MiB',
        ours: long,
        yardstick: LONG_MIB,
        target: { sign: '<=', ratio: 1 },
      }),
    ];
  },
};
