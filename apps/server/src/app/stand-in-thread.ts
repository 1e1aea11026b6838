import { parentPort, workerData } from 'node:worker_threads';
import { type Feed, loadAtlas, startNwsSim } from '@nwms/nws-sim';
import { systemClock } from '../platform/clock.ts';
import { createSteadyClock } from '../platform/steady-clock.ts';
import { feedOf } from './stand-in-feed.ts';
import type { StandInReply, StandInWorld } from './stand-in.ts';

/** The thread of `standInThread`: is told when its world began, answers where it listens. */
const world = workerData as StandInWorld;
const clock = createSteadyClock(systemClock);
// Read while the product still opens its database.
const atlas = world.kind === 'storms' ? loadAtlas() : undefined;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread, not a window
const send = (reply: StandInReply) => parentPort?.postMessage(reply);

/** A world of storms is known by its settings: its address can be told before it is made. */
function made(make: () => Feed): Feed {
  let feed: Feed | null = null;
  const known = () => (feed ??= make());
  setImmediate(known);
  return {
    kind: world.kind,
    activeAt: (now) => known().activeAt(now),
    issuedBetween: (from, to) => known().issuedBetween(from, to),
    byId: (id) => known().byId(id),
    zone: (type, id) => known().zone(type, id),
    zones: (type) => known().zones(type),
    zonesAt: (position) => known().zonesAt(position),
  };
}

parentPort?.once('message', async (startedAt: number) => {
  try {
    // A recording is read at once: a file that is none has to be told.
    const feed = world.kind === 'storms' ? made(() => feedOf(world, startedAt, atlas)) : feedOf(world, startedAt);
    const { url } = await startNwsSim({ feed, clock: () => clock.now() });
    send({ url });
  } catch (error) {
    send({ failed: error instanceof Error ? error.message : String(error) });
  }
});
