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

async function measure(context: BenchContext, messages: number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'nwms-past-memory-'));
  context.log(`writing ${messages} messages of history`);
  await seedHistory(dataDir, messages);
  const product = await startProduct({ FEED: 'simulator' }, dataDir);
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
    return { before: before / MIB, peak: peak / MIB, after: after / MIB };
  } finally {
    await product.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

export const pastMemory: Benchmark = {
  name: 'P16',
  what: 'resident memory after questions about the past, against what operators are told',
  async run(context) {
    const { before, peak, after } = await measure(context, 100_000);
    const shared = { unit: 'MiB', yardstick: PROMISED_MIB };
    return [
      figure({ ...shared, name: 'P16 resident before the questions', ours: before, target: null }),
      figure({ ...shared, name: 'P16 highest while they are asked', ours: peak, target: { sign: '<=', ratio: 1 } }),
      figure({ ...shared, name: 'P16 after them', ours: after, target: null }),
    ];
  },
};
