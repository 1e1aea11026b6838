import type { Entry } from '@nwms/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../src/platform/clock.ts';
import { boot, type Booted } from './boot.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Several polls and looks at the clock. */
const WATCH_MS = 1_800;
const JUMPS: [string, number][] = [['an hour ahead', HOUR_MS], ['an hour back', -HOUR_MS], ['a day ahead', DAY_MS], ['a day back', -DAY_MS]]; // prettier-ignore

let offsetMs = 0;
const jumpy: Clock = { ...systemClock, now: () => Date.now() + offsetMs };
let product: Booted;
beforeAll(async () => {
  product = await boot({ FEED: 'simulator' }, { clock: jumpy });
  await product.until('/alerts/stats?active_only=true', (stats) => stats.total > 50 && stats.freshness.status === 'simulated');
  // Late zone shapes are told as changes, too: they must all have come, or they would be taken for the jump's doing.
  let quiet = 0;
  let last = '';
  await product.until(
    '/alerts/changes',
    ({ latest_cursor: latest }) => {
      quiet = latest === last ? quiet + 1 : 0;
      last = latest;
      return quiet >= 25;
    },
    60_000,
  );
}, 120_000);
afterAll(() => product.stop());

const changesSince = async (cursor: string): Promise<Entry[]> => (await product.json(`/alerts/changes?since=${cursor}&limit=1000`)).changes;
const polls = async (): Promise<number> => {
  const { polls_24h: counts } = await product.json('/health/upstream');
  return counts.ok + counts.unchanged;
};

describe('a wall clock that jumps (I7)', () => {
  it.each(JUMPS)(
    '%s ends no alert, tells nothing twice and stops no schedule',
    async (_name, jumpMs) => {
      const before = await product.json('/alerts/stats?active_only=true');
      const pollsBefore = await polls();
      offsetMs = jumpMs;
      await new Promise((watched) => setTimeout(watched, WATCH_MS));
      const during = await product.json('/alerts/stats?active_only=true');
      const pollsDuring = await polls();
      offsetMs = 0;
      await new Promise((watched) => setTimeout(watched, WATCH_MS));
      const after = await product.until('/alerts/stats?active_only=true', (stats) => stats.freshness.status === 'simulated', 10_000);
      const entries = await changesSince(before.position.cursor);

      // A few alerts come and go by themselves in these seconds; a jump that is believed ends a hundred at once.
      for (const stats of [during, after]) expect(Math.abs(stats.total - before.total)).toBeLessThanOrEqual(before.total * 0.1);
      expect(entries.length).toBeLessThanOrEqual(before.total * 0.1);
      const keys = entries.map((entry) => JSON.stringify([entry.event_id, entry.id, entry.version, entry.kind, entry.state]));
      expect(new Set(keys).size).toBe(keys.length);
      // No entry carries the time of the jump.
      for (const entry of entries) expect(Math.abs(Date.parse(entry.at) - Date.now())).toBeLessThan(HOUR_MS / 2);
      // Both while it stands and after: the list is asked for, and asked for again.
      expect(pollsDuring).toBeGreaterThan(pollsBefore);
      expect(await polls()).toBeGreaterThan(pollsDuring);
      console.log(
        `jump ${jumpMs / HOUR_MS} h: ${before.total} active, ${during.total} while it stood, ${after.total} after, ${entries.length} entries`,
      );
    },
    40_000,
  );
});
