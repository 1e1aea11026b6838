import { createLiveFeed, type SocketConstructor } from '@nwms/client';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { startLiveServer } from '../src/features/live/live-server.ts';
import { createMemoryWorld } from '../src/features/live/memory-world.ts';
import { type PlanResult, runPlan, until } from './live-recovery.ts';

describe.runIf(process.env['NWMS_CHAOS'])('C1 at length', () => {
  it('500 random disconnect plans: 0 holes, 0 repeats, ascending, and the reader knows exactly what is active', async () => {
    const base = Number(process.env['NWMS_SEED'] ?? Date.now() % 1_000_000);
    console.log(`C1: seeds ${base} to ${base + 499}`);
    const results: PlanResult[] = [];
    for (let start = 0; start < 500; start += 10)
      results.push(...(await Promise.all(Array.from({ length: 10 }, (_, n) => runPlan(base + start + n, 60, 30)))));
    const sum = (member: 'committed' | 'received' | 'drops' | 'snapshots') => results.reduce((total, result) => total + result[member], 0);
    console.log(`C1: ${sum('committed')} committed, ${sum('received')} received, ${sum('drops')} drops, ${sum('snapshots')} snapshots`);
    expect(results.flatMap((result) => result.faults.map((fault) => `seed ${result.seed}: ${fault}`))).toEqual([]);
  }, 1_200_000);

  it('2,000 missed events arrive within 2 s, and 10,000 events over ten restarts arrive once each', async () => {
    const world = createMemoryWorld();
    let server = await startLiveServer({ world });
    const { port, url } = server;
    const seqs: number[] = [];
    const feed = createLiveFeed({ url, cursor: 'testepoc:0', WebSocket: WebSocket as unknown as SocketConstructor, random: () => 0 });
    feed.onMessage((message) => {
      if (message.type === 'alert' || message.type === 'update') seqs.push(message.seq);
    });
    feed.connect();
    await until(() => feed.status().subscribed, 'the subscription');
    feed.disconnect();
    world.commit(...Array.from({ length: 2_000 }, (_, n) => ({ eventId: `M${n}`, description: 'x'.repeat(2_000) })));
    const started = performance.now();
    feed.connect();
    await until(() => seqs.length === 2_000, 'what was missed');
    const tookMs = performance.now() - started;
    console.log(`C1: 2,000 missed events in ${tookMs.toFixed(0)} ms`);
    expect(tookMs).toBeLessThan(2_000);
    for (let n = 0; n < 10; n += 1) {
      world.commit(...Array.from({ length: 400 }, (_, m) => ({ eventId: `R${n}-${m}` })));
      await server.close();
      world.commit(...Array.from({ length: 400 }, (_, m) => ({ eventId: `S${n}-${m}` })));
      server = await startLiveServer({ world, port });
      await until(() => feed.status().subscribed, `the return after restart ${n}`);
    }
    await until(() => seqs.length >= 10_000, 'the end');
    feed.disconnect();
    await server.close();
    expect(seqs).toEqual(Array.from({ length: 10_000 }, (_, n) => n + 1));
  }, 120_000);
});
