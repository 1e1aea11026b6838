import { Worker } from 'node:worker_threads';
import type { Instant } from '@nwms/domain';
import type { StormOptions } from '@nwms/nws-sim';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';

/** What a stand-in for api.weather.gov shows; plain data, so that a thread can be told. */
export type StandInWorld =
  | ({ kind: 'storms' } & Pick<StormOptions, 'seed' | 'speed' | 'targetActive' | 'seasons'>)
  | { kind: 'replay'; path: string; zonesDir?: string };

export interface StandIn {
  /** Begins the world, as it would be had it begun at this instant, and answers where it listens. Rejects when it cannot. */
  open(startedAt: Instant): Promise<{ baseUrl: string; close(): Promise<void> }>;
}

/** Makes a stand-in ready; nothing is played before it is opened. */
export type PrepareStandIn = (world: StandInWorld, deps: { clock: Clock; log: Log }) => StandIn;

/** In this thread and by the caller's clock: for tests, which move it. */
export const standInHere: PrepareStandIn = (world, { clock, log }) => ({
  async open(startedAt) {
    // Read when it is needed: a product whose stand-in has a thread has no use for it here.
    const [{ startNwsSim }, { feedOf }] = await Promise.all([import('@nwms/nws-sim'), import('./stand-in-feed.ts')]);
    const sim = await startNwsSim({ feed: feedOf(world, startedAt), clock: () => clock.now(), log: (line) => log.debug({}, line) });
    return { baseUrl: sim.url, close: () => sim.close() };
  },
});

/** What the thread answers to the instant its world begins at. */
export type StandInReply = { url: string } | { failed: string };

/**
 * In a thread of its own, as the weather service is a machine of its own: making the world takes a third of a second at the start and some milliseconds
 * of every round, in which the product can answer. Its time is the machine's.
 */
export const standInThread: PrepareStandIn = (world, { log }) => {
  const thread = new Worker(new URL('./stand-in-thread.ts', import.meta.url), { workerData: world });
  // The product ends when its own work does.
  thread.unref();
  const failed = new Promise<never>((_, reject) => {
    thread.once('error', (error) => {
      // Once it plays nobody waits for this any more: what is shown then grows old and says so.
      log.error({ err: error }, 'the stand-in for the weather service ended');
      reject(error instanceof Error ? error : new Error(String(error)));
    });
  });
  failed.catch(() => {});
  return {
    async open(startedAt) {
      const replied = new Promise<StandInReply>((resolve) => thread.once('message', resolve));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
      thread.postMessage(startedAt);
      thread.ref();
      const reply = await Promise.race([replied, failed]);
      thread.unref();
      if ('failed' in reply) throw new Error(reply.failed);
      return { baseUrl: reply.url, close: async () => void (await thread.terminate()) };
    },
  };
};
