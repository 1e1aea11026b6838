import {
  aheadOf,
  emptyCount,
  fits,
  mayUse,
  openWindow,
  QUOTA_WINDOWS,
  type QuotaWindow,
  remainingOf,
  resetsAt,
  rollTo,
  usedOf,
  wantedUnits,
  windowAt,
} from '@nwms/domain';
import type { Clock } from '../../../platform/clock.ts';
import { every } from '../../../platform/jobs/every.ts';
import type { Log } from '../../../platform/log.ts';
import { type Counter, createExchange } from './exchange.ts';
import type { QuotaRow, QuotaStore } from './store-quota.ts';
import type { Allowance, Exceeded, Quotas, ScopedState, Taken, Used } from './types.ts';

/** Figures others see are at most this old; idle units of a process come back within it. */
const FLUSH_MS = 1_000;
/** Where nobody else reads them, used units are written down this often: what a kill leaves unwritten still counts as granted. */
const TELL_ALONE_MS = 5_000;
/** Other processes may have given units back: a window that is used up is asked about again, this often at most. */
const ASK_AGAIN_MS = 250;
/** Counters nobody used for this long are forgotten. */
const FORGET_MS = 150_000;
/** Rounds of asking for one request: every round either grants it or finds a window used up, unless limits change meanwhile. */
const MAX_ROUNDS = 8;

export interface QuotasDeps {
  clock: Clock;
  log: Log;
  random: () => number;
  store: QuotaStore;
  /** Other processes may grant units of the same windows. */
  shared: boolean;
}

interface Part {
  allowance: Allowance;
  counter: Counter;
  limit: number;
}

/**
 * Allowances decided in memory on units granted by the database before they are used (decision 17): no unit is granted twice, whatever is
 * killed, and a process that holds enough answers without waiting.
 */
export function createQuotas(deps: QuotasDeps): Quotas {
  const { clock, store, shared } = deps;
  const counters = new Map<string, Map<QuotaWindow, Counter>>();
  const isOver = ({ window, count }: Counter) => openWindow(window, clock.now(), count.startsAt) > count.startsAt;
  /** What nobody needs goes back, what was used beyond what is granted is asked for. */
  const unitsToTell = (counter: Counter): number => {
    // Units of a window that is over are worth nothing to anybody.
    if (isOver(counter)) return 0;
    const { count, limit, usedMs } = counter;
    if (count.idle < 0) return -count.idle;
    // Before a counter is forgotten nothing lies with it.
    const isIdle = clock.monotonicMs() - usedMs >= (shared ? FLUSH_MS : FORGET_MS);
    const kept = isIdle ? 0 : aheadOf(limit, count.elsewhere);
    return Math.min(0, kept - count.idle);
  };
  const exchange = createExchange({ store, clock, unitsToTell });

  const counterOf = (subject: string, window: QuotaWindow, limit: number): Counter => {
    let windows = counters.get(subject);
    if (!windows) counters.set(subject, (windows = new Map()));
    let counter = windows.get(window);
    if (!counter) {
      const count = emptyCount(windowAt(window, clock.now()).startsAt);
      // As if used now: it must not be forgotten while its first units are asked for.
      const usedMs = clock.monotonicMs();
      counter = { subject, window, count, limit, knownFor: -1, askedMs: -Infinity, usedMs, refused: 0, used: 0 };
      windows.set(window, counter);
    }
    return counter;
  };
  const partsOf = (allowances: readonly Allowance[]): Part[] => {
    const parts: Part[] = [];
    const now = clock.now();
    for (const allowance of allowances) {
      for (const window of QUOTA_WINDOWS) {
        const limit = allowance.limits[window];
        if (limit === null) continue;
        const counter = counterOf(allowance.subject, window, limit);
        if (counter.limit !== limit) {
          counter.limit = limit;
          // What was refused under the other limit may fit now.
          counter.askedMs = -Infinity;
        }
        const startsAt = openWindow(window, now, counter.count.startsAt);
        if (startsAt > counter.count.startsAt) {
          counter.count = rollTo(counter.count, startsAt);
          counter.used = 0;
        }
        parts.push({ allowance, counter, limit });
      }
    }
    return parts;
  };
  const stateOf = ({ allowance, counter, limit }: Part): ScopedState => ({
    window: counter.window,
    scope: allowance.scope,
    limit,
    remaining: remainingOf(counter.count, limit),
    startsAt: counter.count.startsAt,
  });
  /** Alone, memory knows everything once it was told of the window; with others, for a moment. */
  const isKnown = ({ count, knownFor, askedMs }: Counter) =>
    knownFor === count.startsAt && (!shared || clock.monotonicMs() - askedMs < ASK_AGAIN_MS);
  const fullest = (parts: readonly Part[], units: number): Part | null =>
    parts
      .filter(({ counter, limit }) => !fits(counter.count, limit, units))
      .reduce<Part | null>((found, part) => (found === null || resetsAt(stateOf(part)) >= resetsAt(stateOf(found)) ? part : found), null);

  const use = (parts: readonly Part[], units: number): Taken => {
    const usedMs = clock.monotonicMs();
    const startedAt = parts.map(({ counter }) => counter.count.startsAt);
    for (const { counter, limit } of parts) {
      counter.usedMs = usedMs;
      counter.count = { ...counter.count, idle: counter.count.idle - units };
      counter.used += units;
      const more = exchange.isAway() ? 0 : wantedUnits(counter.count, limit, 0);
      // Held ahead for the next ones: nobody waits for this.
      if (more > 0 && aheadOf(limit, counter.count.elsewhere) > 0 && fits(counter.count, limit, 1)) askOnce(counter, more);
    }
    return {
      ok: true,
      units,
      giveBack(back) {
        parts.forEach(({ counter }, index) => {
          // A window that is over has nothing to give back to.
          if (counter.count.startsAt !== startedAt[index]) return;
          counter.count = { ...counter.count, idle: counter.count.idle + back };
          counter.used -= back;
        });
      },
      states: () => parts.map(stateOf),
    };
  };
  const underWay = new WeakSet<Counter>();
  const askOnce = (counter: Counter, units: number) => {
    if (underWay.has(counter)) return;
    underWay.add(counter);
    exchange.ask(counter, units);
    const free = () => underWay.delete(counter);
    exchange.done().then(free, free);
  };
  const refuse = (parts: readonly Part[], full: Part): Exceeded => {
    const counted = new Set<Counter>([full.counter]);
    // The day of the account is where refusals are read; others count with the window that refused.
    for (const { counter } of parts) if (counter.window === 'day') counted.add(counter);
    for (const counter of counted) counter.refused += 1;
    return { ok: false, exceeded: stateOf(full), states: () => parts.map(stateOf) };
  };

  /** Null: the store must be asked first. */
  const decide = (parts: readonly Part[], units: number): Taken | Exceeded | null => {
    const isAway = exchange.isAway();
    const full = fullest(parts, units);
    if (full) return isAway || isKnown(full.counter) ? refuse(parts, full) : null;
    // With nothing to write to, memory alone decides: readers of alerts must not wait for a disk that is full.
    const isReady = isAway || parts.every(({ counter, limit }) => mayUse(counter.count, limit, units));
    return isReady ? use(parts, units) : null;
  };
  /** Units all who wait need of each counter; never more than their tightest window still takes, or a burst would hold what it cannot use. */
  const waiting = new Map<Counter, number>();
  const askFor = (parts: readonly Part[], units: number): Promise<void> => {
    const most = Math.min(...parts.map(({ counter, limit }) => remainingOf(counter.count, limit)));
    for (const { counter, limit } of parts) {
      const before = waiting.get(counter) ?? 0;
      const needed = Math.min(before + units, Math.max(units, most));
      const more = wantedUnits(counter.count, limit, needed) - (before === 0 ? 0 : wantedUnits(counter.count, limit, before));
      if (before === 0 || more > 0) exchange.ask(counter, Math.max(0, more));
      waiting.set(counter, needed);
    }
    return exchange.done();
  };
  const takeSlowly = async (allowances: readonly Allowance[], units: number): Promise<Taken | Exceeded> => {
    for (let round = 0; ; round += 1) {
      const parts = partsOf(allowances);
      const decided = decide(parts, units);
      if (decided) return decided;
      const full = round >= MAX_ROUNDS ? fullest(parts, units) : null;
      if (full) return refuse(parts, full);
      try {
        await askFor(parts, units);
      } catch (error) {
        deps.log.warn({ err: error }, 'Granted units could not be written; memory decides meanwhile');
      } finally {
        for (const { counter } of parts) waiting.delete(counter);
      }
    }
  };

  const flush = async (isDue: (counter: Counter) => boolean = () => true) => {
    for (const [subject, windows] of counters) {
      for (const [window, counter] of windows) {
        const isUntold = counter.refused > 0 || counter.used !== 0;
        if (unitsToTell(counter) !== 0 || (isUntold && isDue(counter))) exchange.tell(counter);
        else if (!isUntold && !underWay.has(counter) && clock.monotonicMs() - counter.usedMs > FORGET_MS) windows.delete(window);
      }
      if (windows.size === 0) counters.delete(subject);
    }
    await exchange.allDone();
  };
  const job = every(deps, {
    name: 'granted units',
    intervalMs: FLUSH_MS,
    run: async () => {
      // A database that is away is told by health; what is owed waits.
      await flush(({ askedMs }) => shared || clock.monotonicMs() - askedMs >= TELL_ALONE_MS).catch(() => {});
      return { kind: 'ok' };
    },
  });

  /** What is known of the running windows of subjects: the store's rows and this process's own counts of them. */
  const readRunning = async (subjects: readonly string[]) => {
    const rows = await store.read(subjects);
    const now = clock.now();
    return rows.map((row) => {
      const isRunning = openWindow(row.window, now, row.startsAt) === row.startsAt;
      const counter = counters.get(row.subject)?.get(row.window);
      return { row, isRunning, own: counter?.count.startsAt === row.startsAt ? counter : null };
    });
  };
  /** Units that nobody gets any more. What was lost with a process that was killed is among them, and what others hold idle. */
  const goneOf = (row: QuotaRow, own: Counter | null): number =>
    !shared && own?.knownFor === row.startsAt ? usedOf(own.count) : row.granted - (own?.count.idle ?? 0);
  /** Others use some of what they hold, and tell within a second. Where there are no others, what is not held here is used. */
  const usedIn = (row: QuotaRow, own: Counter | null): number => Math.max(0, shared ? row.used + (own?.used ?? 0) : goneOf(row, own));
  const usedBy = async (subjects: readonly string[]): Promise<Map<string, Used>> => {
    const used = new Map<string, Used>();
    for (const { row, isRunning, own } of await readRunning(subjects)) {
      const found = used.get(row.subject) ?? { minute: 0, day: 0, month: 0, refusedToday: 0 };
      used.set(row.subject, found);
      if (!isRunning) continue;
      found[row.window] = usedIn(row, own);
      if (row.window === 'day') found.refusedToday = row.refused + (own?.refused ?? 0);
    }
    return used;
  };

  return {
    take(allowances, units) {
      const parts = partsOf(allowances);
      return decide(parts, units) ?? takeSlowly(allowances, units);
    },
    usedBy,
    async statesOf(allowances) {
      const running = await readRunning(allowances.map(({ subject }) => subject));
      return partsOf(allowances).map((part) => {
        const { counter, limit } = part;
        const known = running.find(({ row, isRunning }) => isRunning && row.subject === counter.subject && row.window === counter.window);
        // Never more than can be had: what was lost is not promised.
        const used = known ? usedIn(known.row, known.own) : Math.max(0, usedOf(counter.count));
        const gone = known ? Math.max(used, goneOf(known.row, known.own)) : used;
        return { ...stateOf(part), used, remaining: Math.max(0, limit - gone) };
      });
    },
    flush: () => flush(),
    start: () => job.start(),
    async stop() {
      await job.stop();
      // What was asked for ahead and is on its way goes back too.
      await exchange.allDone().catch(() => {});
      for (const windows of counters.values()) {
        for (const counter of windows.values()) {
          const { idle } = counter.count;
          if (!isOver(counter) && idle !== 0) exchange.ask(counter, -idle);
          else if (counter.refused > 0 || counter.used !== 0) exchange.ask(counter, 0);
        }
      }
      // What cannot be given back is lost; it was not much.
      await exchange.done().catch(() => {});
    },
  };
}
