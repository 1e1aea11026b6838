import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { type BenchContext, type Benchmark, type Figure, figure, median, percentile } from './harness.ts';
import type { LiveOrder, LiveReport } from './live-orders.ts';

/** Anonymous connections an address may hold (LV26): the swarm keeps to it. */
const PER_ADDRESS = 20;
/** A message of ours is its text and this many bytes of other members more than one of the yardstick, which therefore gets so much more text. */
const OTHER_MEMBERS_BYTES = 534;
/** Text of the broadcast alert: 2 KB as sent. */
const ALERT_BYTES = 1_500;

/** One forked process and its answers, in order. */
class Helper {
  readonly process: ChildProcess;
  readonly #answers: LiveReport[] = [];
  #wake: () => void = () => {};

  constructor(script: string) {
    this.process = fork(join(import.meta.dirname, script), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    this.process.on('message', (report: LiveReport) => {
      this.#answers.push(report);
      this.#wake();
    });
    this.process.on('exit', () => this.#wake());
  }

  async next<D extends LiveReport['did']>(did: D): Promise<Extract<LiveReport, { did: D }>> {
    for (;;) {
      const index = this.#answers.findIndex((answer) => answer.did === did);
      if (index >= 0) return this.#answers.splice(index, 1)[0] as Extract<LiveReport, { did: D }>;
      if (this.process.exitCode !== null) throw new Error(`a helper ended while ${did} was awaited`);
      await new Promise<void>((done) => (this.#wake = done));
    }
  }

  ask<D extends LiveReport['did']>(order: LiveOrder, did: D): Promise<Extract<LiveReport, { did: D }>> {
    this.process.send(order);
    return this.next(did);
  }
}

interface Side {
  server: Helper;
  swarm: Helper;
  port: number;
}

async function side(script: string): Promise<Side> {
  const server = new Helper(script);
  const { port } = await server.next('listen');
  return { server, swarm: new Helper('live-swarm.ts'), port };
}
const stop = (sides: readonly Side[]) => {
  for (const { server, swarm } of sides) {
    server.process.kill('SIGKILL');
    swarm.process.kill('SIGKILL');
  }
};

function clientCount(context: BenchContext): number {
  const wanted = context.quick ? 2_000 : 10_000;
  const files = Number(execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()) || wanted;
  const possible = Math.min(wanted, files - 500);
  if (possible < wanted) context.log(`ulimit -n is ${files}: ${possible} clients instead of ${wanted}; \`ulimit -n 12000\` lifts that`);
  return possible;
}

/** Milliseconds from the send to the arrival at the 99th of a hundred clients. */
async function broadcast({ server, swarm }: Side, bytes: number): Promise<number> {
  await swarm.ask({ do: 'expect', count: 1 }, 'ready');
  const { at } = await server.ask({ do: 'broadcast', bytes }, 'broadcast');
  const received = await swarm.next('received');
  return percentile(
    received.at.map((one) => Number(BigInt(one) - BigInt(at)) / 1e6),
    0.99,
  );
}

/** P5: one alert to everyone. */
export const liveBroadcast: Benchmark = {
  name: 'P5',
  what: 'broadcast of one 2 KB alert to 10,000 sockets, against a plain ws loop',
  async run(context) {
    const clients = clientCount(context);
    const [ours, plain] = await Promise.all([side('live-ours.ts'), side('live-yardstick.ts')]);
    const figures: Figure[] = [];
    try {
      const base = await Promise.all([ours, plain].map(({ server }) => server.ask({ do: 'look' }, 'look')));
      const opened: number[] = [];
      for (const { swarm, port } of [ours, plain]) {
        const { seconds } = await swarm.ask({ do: 'connect', port, count: clients, perAddress: PER_ADDRESS }, 'connect');
        opened.push(seconds);
      }
      await ours.swarm.ask({ do: 'subscribe', since: null, expect: 0 }, 'ready');
      await new Promise((done) => setTimeout(done, 3_000));
      const mine: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < (context.quick ? 5 : 15); round += 1) {
        mine.push(await broadcast(ours, ALERT_BYTES));
        theirs.push(await broadcast(plain, ALERT_BYTES + OTHER_MEMBERS_BYTES));
      }
      const now = await Promise.all([ours, plain].map(({ server }) => server.ask({ do: 'look' }, 'look')));
      const perSocket = now.map((look, index) => (look.rssBytes - (base[index]?.rssBytes ?? 0)) / clients / 1024);
      context.log(
        `${clients} clients; connected ours ${now[0]?.connections}; every round, ms: ours ${mine.map(Math.round).join(' ')}; plain ${theirs.map(Math.round).join(' ')}`,
      );
      figures.push(
        figure({
          name: `P5 broadcast p99, ${clients} sockets`,
          unit: 'ms',
          ours: median(mine),
          yardstick: median(theirs),
          target: { sign: '<=', ratio: 1.25 },
        }),
        figure({ name: 'P5 opening all', unit: 's', ours: opened[0] ?? 0, yardstick: opened[1] ?? 0, target: null }),
        figure({ name: 'P12 memory of one socket', unit: 'KiB', ours: perSocket[0] ?? 0, yardstick: perSocket[1] ?? 0, target: null }),
        figure({
          name: 'P12 resident with all sockets',
          unit: 'MiB',
          ours: (now[0]?.rssBytes ?? 0) / 2 ** 20,
          yardstick: (now[1]?.rssBytes ?? 0) / 2 ** 20,
          target: { sign: '<=', ratio: 2 },
        }),
      );
    } finally {
      stop([ours, plain]);
    }
    return figures;
  },
};

const MISSED_EVENTS = 200;
/** Text of one missed event: 10,000 clients times 200 of them is 2 GB, what a machine of 8 GB can hold in its socket buffers. */
const MISSED_BYTES = 500;

/** Seconds from the first request to resume until everybody has everything. */
async function resume({ swarm }: Side, since: string | null): Promise<number> {
  const received = await swarm.ask({ do: 'subscribe', since, expect: MISSED_EVENTS }, 'received');
  const last = received.at.reduce((latest, one) => (BigInt(one) > latest ? BigInt(one) : latest), 0n);
  if (received.dropped > 0) throw new Error(`${received.dropped} clients were dropped while resuming`);
  return Number(last - BigInt(received.started)) / 1e9;
}

/** P6: everybody was away and comes back 200 events behind. */
export const liveResume: Benchmark = {
  name: 'P6',
  what: '10,000 clients resume 200 events behind, against plain ws sending the same messages',
  async run(context) {
    const clients = clientCount(context);
    const [ours, plain] = await Promise.all([side('live-ours.ts'), side('live-yardstick.ts')]);
    try {
      await ours.server.ask({ do: 'fill', count: 1_000, bytes: MISSED_BYTES }, 'fill');
      const { latest } = await ours.server.ask({ do: 'fill', count: MISSED_EVENTS, bytes: MISSED_BYTES }, 'fill');
      await plain.server.ask({ do: 'fill', count: MISSED_EVENTS, bytes: MISSED_BYTES + OTHER_MEMBERS_BYTES }, 'fill');
      const mine: number[] = [];
      const theirs: number[] = [];
      const before = await ours.server.ask({ do: 'look' }, 'look');
      const rounds = context.quick ? 2 : 3;
      for (let round = 0; round < rounds; round += 1) {
        for (const [one, times, since] of [
          [ours, mine, `testepoc:${latest - MISSED_EVENTS}`],
          [plain, theirs, null],
        ] as const) {
          await one.swarm.ask({ do: 'connect', port: one.port, count: clients, perAddress: PER_ADDRESS }, 'connect');
          times.push(await resume(one, since));
          await one.swarm.ask({ do: 'leave' }, 'leave');
        }
        // An address may try 60 times a minute (LV26); twenty clients share one.
        if (round % 2 === 1 && round + 1 < rounds) await new Promise((done) => setTimeout(done, 61_000));
      }
      const after = await ours.server.ask({ do: 'look' }, 'look');
      const reads = (after.reads - before.reads) / rounds;
      context.log(`every round, s: ours ${mine.map((s) => s.toFixed(2)).join(' ')}; plain ${theirs.map((s) => s.toFixed(2)).join(' ')}`);
      return [
        figure({
          name: `P6 resume of ${clients} clients`,
          unit: 's',
          ours: median(mine),
          yardstick: median(theirs),
          target: { sign: '<=', ratio: 1.5 },
        }),
        figure({ name: 'P6 reads of the log, of 10 allowed', unit: '', ours: reads, yardstick: 10, target: { sign: '<=', ratio: 1 } }),
      ];
    } finally {
      stop([ours, plain]);
    }
  },
};

const READERS = 100;
const DEAD_READERS = 200;
/** 400 times 60 KB are 24 MB for every dead reader: up to 10 MB vanish into kernel buffers that have grown with use. */
const LARGE_MESSAGES = 400;
const LARGE_BYTES = 60_000;

/** C4: hung peers beside readers that read. The yardstick is the same server without them. */
export const liveSlowReaders: Benchmark = {
  name: 'C4',
  what: '200 dead readers: memory, time until they are gone, and what the others notice',
  async run(context) {
    const ours = await side('live-ours.ts');
    const dead = new Helper('live-swarm.ts');
    try {
      await ours.swarm.ask({ do: 'connect', port: ours.port, count: READERS, perAddress: PER_ADDRESS }, 'connect');
      await ours.swarm.ask({ do: 'subscribe', since: null, expect: 0 }, 'ready');
      const series = async (): Promise<number[]> => {
        const tookMs: number[] = [];
        for (let n = 0; n < LARGE_MESSAGES; n += 1) tookMs.push(await broadcast(ours, LARGE_BYTES));
        return tookMs;
      };
      await series();
      const alone = await series();
      // The readers have filled the first addresses.
      const connect = {
        do: 'connect',
        port: ours.port,
        count: DEAD_READERS,
        perAddress: PER_ADDRESS,
        skipAddresses: READERS / PER_ADDRESS,
      } as const;
      await dead.ask(connect, 'connect');
      await dead.ask({ do: 'subscribe', since: null, expect: 0 }, 'ready');
      await new Promise((done) => setTimeout(done, 1_000));
      const together = await series();
      await dead.ask({ do: 'hang' }, 'ready');
      const before = await ours.server.ask({ do: 'look' }, 'look');
      const crowded = await series();
      const full = await ours.server.ask({ do: 'look' }, 'look');
      const from = performance.now();
      while ((await ours.server.ask({ do: 'look' }, 'look')).connections > READERS && performance.now() - from < 15_000)
        await new Promise((done) => setTimeout(done, 50));
      context.log(
        `dead readers gone ${((performance.now() - from) / 1_000).toFixed(1)} s after the last message; medians ${median(alone).toFixed(1)} ms alone, ${median(together).toFixed(1)} beside the same 200 while they read, ${median(crowded).toFixed(1)} once they hang`,
      );
      return [
        figure({
          name: "C4 others' p99 against none beside them",
          unit: 'ms',
          ours: percentile(crowded, 0.99),
          yardstick: percentile(alone, 0.99),
          target: { sign: '<=', ratio: 1.2 },
        }),
        figure({
          name: "C4 others' p99 against the 200 reading",
          unit: 'ms',
          ours: percentile(crowded, 0.99),
          yardstick: percentile(together, 0.99),
          target: { sign: '<=', ratio: 1.2 },
        }),
        figure({
          name: 'C4 memory for 200 dead readers, of 250 allowed',
          unit: 'MiB',
          ours: (full.rssBytes - before.rssBytes) / 2 ** 20,
          yardstick: 250,
          target: { sign: '<=', ratio: 1 },
        }),
      ];
    } finally {
      stop([ours]);
      dead.process.kill('SIGKILL');
    }
  },
};
