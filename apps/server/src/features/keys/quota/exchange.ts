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
  /** Lets the store know what became of a counter's units when nobody waits for theirs; `unitsToTell` says then how many. */
  tell(counter: Counter): void;
  /** Resolves when what was asked before this call was answered; rejects when the store could not. */
  done(): Promise<void>;
  /** Resolves when everything asked and told before this call was answered; rejects when the store could not. */
  allDone(): Promise<void>;
  /** True for a moment after the store could not be written: nobody waits for it then. */
  isAway(): boolean;
}

export interface ExchangeDeps {
  store: QuotaStore;
  clock: Clock;
  /** Units to ask for when a counter is told of; below zero they go back. */
  unitsToTell(counter: Counter): number;
}

/** After a failure nothing is asked for so long: requests must not wait for a database that is away. */
const AWAY_MS = 1_000;
/** Counters told of in one statement: whoever waits for units waits for one such statement at most, however many keys are in use. */
const TOLD_AT_ONCE = 200;

/** One statement for all who wait in the same turn: a flood of requests costs as many writes as the store can do one after the other. */
export function createExchange({ store, clock, unitsToTell }: ExchangeDeps): Exchange {
  let wanted = new Map<Counter, number>();
  const untold = new Set<Counter>();
  let next: PromiseWithResolvers<void> | null = null;
  let running: Promise<void> = Promise.resolve();
  let awayUntilMs = -Infinity;

  /** What is asked for, and some of what is to be told. */
  const gather = (): [Counter, number][] => {
    const gathered = wanted;
    wanted = new Map();
    for (const counter of untold) {
      if (gathered.size >= TOLD_AT_ONCE) break;
      untold.delete(counter);
      // Who waits for units of it tells what was used, too.
      if (!gathered.has(counter)) gathered.set(counter, unitsToTell(counter));
    }
    return [...gathered];
  };
  const run = async (): Promise<void> => {
    const asked = gather();
    if (untold.size > 0) soon();
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
      // A database that hangs is not tried once more for each of these: they are told of again anyway.
      untold.clear();
      asked.forEach(([counter, units], index) => {
        const ask = asks[index];
        counter.refused += ask?.refused ?? 0;
        if (counter.count.startsAt === ask?.startsAt) counter.used += ask.used;
        if (units < 0 && counter.count.startsAt === ask?.startsAt) counter.count = moved(counter.count, -units, -units);
      });
      throw error;
    }
  };

  const soon = (): void => {
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
  };
  const done = () => next?.promise ?? running;

  return {
    ask(counter, units) {
      wanted.set(counter, (wanted.get(counter) ?? 0) + units);
      soon();
    },
    tell(counter) {
      untold.add(counter);
      soon();
    },
    done,
    async allDone() {
      // At most once more than there are statements to make: what is told meanwhile is somebody else's.
      for (let left = Math.ceil(untold.size / TOLD_AT_ONCE); left > 1; left -= 1) await done();
      await done();
    },
    isAway: () => clock.monotonicMs() < awayUntilMs,
  };
}

const moved = (count: QuotaCount, granted: number, idle: number): QuotaCount => ({
  ...count,
  granted: count.granted + granted,
  idle: count.idle + idle,
});
