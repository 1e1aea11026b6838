import { describe, expect, it } from 'vitest';
import { LiveClient } from './live-client.ts';
import { ALL_CHANNELS, liveFixture } from './live-fixture.ts';
import { RawPeer } from './raw-peer.ts';

const { boot } = liveFixture();
const MESSAGE_BYTES = 60_000;
/** 13 MB for every dead reader: what vanishes into kernel buffers first is about 4 MB. */
const MESSAGES = 220;

describe.runIf(process.env['NWMS_CHAOS'])('C4 at length', () => {
  it('200 dead readers cost at most 250 MiB, are closed in time, and the others miss nothing', async () => {
    const server = await boot({ config: { limits: { perAddress: 1_000, attemptsPerMinute: 1_000 } } });
    const readers = await Promise.all(Array.from({ length: 20 }, () => LiveClient.open(server.url)));
    for (const reader of readers) {
      reader.send({ type: 'subscribe', channels: ALL_CHANNELS, id: 's' });
      await reader.next('ack');
    }
    let seq = 0;
    const round = async (): Promise<number[]> => {
      const tookMs: number[] = [];
      for (let n = 0; n < MESSAGES; n += 1) {
        seq += 1;
        const started = performance.now();
        server.world.commit({ eventId: `E${seq}`, description: 'x'.repeat(MESSAGE_BYTES) });
        const wanted = seq;
        await Promise.all(
          readers.map((reader) =>
            reader.until((message): message is never => message.type === 'alert' && message.seq === wanted, `alert ${wanted}`),
          ),
        );
        tookMs.push(performance.now() - started);
        for (const reader of readers) reader.forget();
      }
      return tookMs.sort((a, b) => a - b);
    };
    const alone = await round();
    const dead: RawPeer[] = [];
    for (let n = 0; n < 200; n += 1) {
      const peer = await RawPeer.open(server.port);
      peer.sendText({ type: 'subscribe', channels: ALL_CHANNELS, id: 's' });
      await peer.received('"ack"');
      peer.socket.pause();
      dead.push(peer);
    }
    const before = process.memoryUsage().rss;
    let worst = 0;
    const watch = setInterval(() => (worst = Math.max(worst, process.memoryUsage().rss)), 20);
    const crowded = await round();
    await expect.poll(() => server.live.connections(), { timeout: 15_000, interval: 50 }).toBe(20);
    clearInterval(watch);
    const p99 = (values: number[]) => values[Math.ceil(values.length * 0.99) - 1] ?? 0;
    const grownMiB = (worst - before) / 2 ** 20;
    console.log(
      `C4: memory grew ${grownMiB.toFixed(0)} MiB; others' p99 ${p99(alone).toFixed(1)} ms alone, ${p99(crowded).toFixed(1)} ms beside 200 dead readers`,
    );
    console.log(`C4: medians ${(alone[MESSAGES / 2] ?? 0).toFixed(1)} ms and ${(crowded[MESSAGES / 2] ?? 0).toFixed(1)} ms`);
    for (const peer of dead) peer.socket.destroy();
    for (const reader of readers) reader.ws.terminate();
    expect(grownMiB).toBeLessThanOrEqual(250);
  }, 300_000);
});
