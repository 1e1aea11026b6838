import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Benchmark, figure, median } from './harness.ts';
import { residentBytes, startProcess } from './processes.ts';
import { startProduct } from './product.ts';
import { seedHistory } from './seed-history.ts';

/** `live`: it answers. `ready`: it also has a list of alerts, which an empty folder must first be polled for. */
type Until = 'live' | 'ready';

/** Milliseconds from spawn to the first 200. */
async function untilAnswers(url: string, startedMs: number, until: Until): Promise<number> {
  const from = performance.now();
  for (;;) {
    const response = await fetch(`${url}/health/${until}`).catch(() => null);
    await response?.body?.cancel();
    if (response?.ok) return startedMs + (performance.now() - from);
    await new Promise((next) => setTimeout(next, 5));
  }
}

async function bareStart(): Promise<number> {
  const bare = await startProcess([join(import.meta.dirname, 'yardstick-fastify.ts')], /^\d+$/);
  const ms = await untilAnswers(`http://127.0.0.1:${bare.line.trim()}`, bare.startedMs, 'ready');
  await bare.stop();
  return ms;
}

async function productStart(until: Until): Promise<number> {
  const product = await startProduct({ FEED: 'simulator' });
  const ms = await untilAnswers(product.url, product.startedMs, until);
  await product.stop();
  return ms;
}

const times = async (rounds: number, run: () => Promise<number>) => {
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) values.push(await run());
  return median(values);
};

export const startUp: Benchmark = {
  name: 'P11',
  what: 'start to first 200 on an empty folder, and warm with a long history, against a bare Fastify process with the same plugins',
  async run(context) {
    const rounds = context.quick ? 2 : 5;
    const yardstick = await times(rounds, bareStart);
    const first = await times(rounds, () => productStart('live'));
    const firstList = await times(rounds, () => productStart('ready'));
    const sizes = context.quick ? [5_000, 50_000] : [50_000, 500_000];
    const warm: number[] = [];
    for (const messages of sizes) {
      const dataDir = mkdtempSync(join(tmpdir(), 'nwms-history-'));
      context.log(`writing ${messages} messages of history`);
      await seedHistory(dataDir, messages);
      warm.push(await times(rounds, () => productStartKeeping(dataDir)));
      rmSync(dataDir, { recursive: true, force: true });
    }
    const [small = 0, large = 0] = warm;
    return [
      figure({ name: 'P11 first start, empty folder', unit: 'ms', ours: first, yardstick, target: { sign: '<=', ratio: 4 } }),
      figure({ name: 'P11 first start until there is a list of alerts', unit: 'ms', ours: firstList, yardstick, target: null }),
      figure({ name: `P11 warm start, ${sizes[1]} messages`, unit: 'ms', ours: large, yardstick, target: { sign: '<=', ratio: 6 } }),
      figure({
        name: 'P11 growth of the warm start, 10 × history',
        unit: 'ms',
        ours: large,
        yardstick: small,
        target: { sign: '<=', ratio: 1.2 },
      }),
    ];
  },
};

/** Like a user who starts again: the folder stays. */
async function productStartKeeping(dataDir: string): Promise<number> {
  const product = await startProduct({ FEED: 'simulator' }, dataDir);
  const ms = await untilAnswers(product.url, product.startedMs, 'ready');
  product.child.kill('SIGKILL');
  await new Promise((gone) => product.child.once('exit', gone));
  return ms;
}

export const residentIdle = (pid: number) => residentBytes(pid);
