import { type QuotaCount, type QuotaWindow, rollTo } from '@nwms/domain';
import type { Clock } from '../../../platform/clock.ts';
import type { QuotaAsk, QuotaStore } from './store-quota.ts';

/** One window of one allowance in this process. */
export interface Counter {
  subject: string;
  window: QuotaWindow;
  count: QuotaCount;
  limit: number;
  /** Window that `granted` was asked for, so far; another one: nothing is known yet. */
  knownFor: number;
  /** When the store last answered, monotonic. */
  askedMs: number;
  usedMs: number;
  /** Refused requests not yet written down. */
  refused: number;
  /** Units used (less those given back) and not yet written down. */
  used: number;
}

export interface Exchange {
  /** Asks the store for units of a counter, together with everything else that is asked for in this turn of the event loop. */
  ask(counter: Counter, units: number): void;
  /** Resolves when what was asked before this call was answered; rejects when the store could not. */
  done(): Promise<void>;
  /** True for a moment after the store could not be written: nobody waits for it then. */
  isAway(): boolean;
}

/** After a failure nothing is asked for so long: requests must not wait for a database that is away. */
const AWAY_MS = 1_000;

/** One statement for all who wait in the same turn: a flood of requests costs as many writes as the store can do one after the other. */
export function createExchange({ store, clock }: { store: QuotaStore; clock: Clock }): Exchange {
  let wanted = new Map<Counter, number>();
  let next: PromiseWithResolvers<void> | null = null;
  let running: Promise<void> = Promise.resolve();
  let awayUntilMs = -Infinity;

  const run = async (): Promise<void> => {
    const asked = [...wanted];
    wanted = new Map();
    const asks = asked.map(([counter, units]): QuotaAsk => {
      const { subject, window, limit, refused, used } = counter;
      counter.refused = 0;
      counter.used = 0;
      // Given back from this moment on: nobody may use it while the store is being told.
      if (units < 0) counter.count = moved(counter.count, units, units);
      return { subject, window, startsAt: counter.count.startsAt, units, limit, refused, used };
    });
    try {
      const rows = await store.exchange(asks);
      const byName = new Map(rows.map((row) => [`${row.subject} ${row.window}`, row]));
      const nowMs = clock.monotonicMs();
      for (const [counter, units] of asked) {
        const row = byName.get(`${counter.subject} ${counter.window}`);
        if (!row) continue;
        counter.askedMs = nowMs;
        // The window ended meanwhile: what was granted in it ended with it.
        if (counter.count.startsAt > row.startsAt) continue;
        const idle = rollTo(counter.count, row.startsAt).idle + (units < 0 ? 0 : row.given);
        const elsewhere = Math.max(0, row.granted - row.used - idle - counter.used);
        counter.count = { startsAt: row.startsAt, granted: row.granted, idle, elsewhere };
        counter.knownFor = row.startsAt;
      }
    } catch (error) {
      awayUntilMs = clock.monotonicMs() + AWAY_MS;
      asked.forEach(([counter, units], index) => {
        const ask = asks[index];
        counter.refused += ask?.refused ?? 0;
        if (counter.count.startsAt === ask?.startsAt) counter.used += ask.used;
        if (units < 0 && counter.count.startsAt === ask?.startsAt) counter.count = moved(counter.count, -units, -units);
      });
      throw error;
    }
  };

  return {
    ask(counter, units) {
      wanted.set(counter, (wanted.get(counter) ?? 0) + units);
      if (next) return;
      const turn = Promise.withResolvers<void>();
      next = turn;
      // Who waits is told; a failure without anybody waiting shows in `isAway`.
      turn.promise.catch(() => {});
      setImmediate(() => {
        next = null;
        running = running.then(run, run);
        running.then(turn.resolve, turn.reject);
      });
    },
    done: () => next?.promise ?? running,
    isAway: () => clock.monotonicMs() < awayUntilMs,
  };
}

const moved = (count: QuotaCount, granted: number, idle: number): QuotaCount => ({
  ...count,
  granted: count.granted + granted,
  idle: count.idle + idle,
});
