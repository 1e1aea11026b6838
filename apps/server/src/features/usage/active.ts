import type { Clock } from '../../platform/clock.ts';
import type { Bundle } from './bundles.ts';
import type { PrincipalKind, UsageRow } from './types.ts';

/** Who asked in this long counts as active. */
export const ACTIVE_MS = 300_000;
const LAST_SECONDS = 60;
/** Addresses and accounts told apart; beyond it the figures are floors. */
const MAX_ACTIVE = 100_000;

/** What other processes, or this one before its restart, wrote of a stretch of time. */
export interface ActiveElsewhere {
  seconds: readonly { principal: PrincipalKind; second: number; requests: number }[];
  callers: readonly { principal: PrincipalKind; address: string; userId: string | null; lastAt: number }[];
}

/** Counts by second, by kind of caller. */
type Seconds = Map<number, Map<PrincipalKind, number>>;
/** When somebody was last seen, by kind of caller and name. */
type Seen = Map<string, number>;

/** Who asks right now, and how much: to the second, of all processes. */
export class Active {
  readonly #clock: Clock;
  readonly #own: Seconds = new Map();
  readonly #others: Seconds = new Map();
  readonly #addresses: Seen = new Map();
  readonly #accounts: Seen = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Requests that were just finished here. */
  addTimes(rows: readonly Pick<UsageRow, 'at' | 'traits'>[]): void {
    for (const { at, traits } of rows) bump(this.#own, Math.floor(at / 1_000), traits.principal, 1);
  }

  /** The same as added up: who made them. */
  addCaller({ traits: { principal, address, userId }, lastAt }: Bundle): void {
    this.#note({ principal, address, userId, lastAt });
  }

  /** What others wrote from a second on; it replaces what was known of that. */
  take({ seconds, callers }: ActiveElsewhere, fromSecond: number): void {
    for (const second of this.#others.keys()) if (second >= fromSecond) this.#others.delete(second);
    for (const { second, principal, requests } of seconds) bump(this.#others, second, principal, requests);
    for (const caller of callers) this.#note(caller);
    this.forget();
  }

  /** Finished in the last 60 seconds. */
  requests(principal: PrincipalKind | null): number {
    const from = Math.floor(this.#clock.now() / 1_000) - LAST_SECONDS;
    let count = 0;
    for (const seconds of [this.#own, this.#others])
      for (const [second, byKind] of seconds)
        if (second > from) for (const [kind, requests] of byKind) if (principal === null || kind === principal) count += requests;
    return count;
  }

  /** Different addresses of the last five minutes. */
  addresses(principal: PrincipalKind | null): number {
    return this.#since(this.#addresses, principal).size;
  }

  /** Accounts of the last five minutes, those seen last at the end. */
  accounts(principal: PrincipalKind | null): string[] {
    return [...this.#since(this.#accounts, principal)].sort(([, a], [, b]) => a - b).map(([id]) => id);
  }

  /** Drops what is over. */
  forget(): void {
    const now = this.#clock.now();
    for (const seen of [this.#addresses, this.#accounts]) for (const [key, at] of seen) if (at <= now - ACTIVE_MS) seen.delete(key);
    const before = Math.floor(now / 1_000) - LAST_SECONDS;
    for (const seconds of [this.#own, this.#others]) for (const second of seconds.keys()) if (second <= before) seconds.delete(second);
  }

  #note({ principal, address, userId, lastAt }: ActiveElsewhere['callers'][number]): void {
    note(this.#addresses, `${principal} ${address}`, lastAt);
    if (userId !== null) note(this.#accounts, `${principal} ${userId}`, lastAt);
  }

  /** Names and when they were last seen, whatever kind of caller they were. */
  #since(seen: Seen, principal: PrincipalKind | null): Map<string, number> {
    const after = this.#clock.now() - ACTIVE_MS;
    const found = new Map<string, number>();
    for (const [key, at] of seen) {
      const blank = key.indexOf(' ');
      if (at <= after || (principal !== null && key.slice(0, blank) !== principal)) continue;
      const name = key.slice(blank + 1);
      found.set(name, Math.max(at, found.get(name) ?? 0));
    }
    return found;
  }
}

function bump(seconds: Seconds, second: number, principal: PrincipalKind, by: number): void {
  let byKind = seconds.get(second);
  if (!byKind) seconds.set(second, (byKind = new Map()));
  byKind.set(principal, (byKind.get(principal) ?? 0) + by);
}

function note(seen: Seen, key: string, at: number): void {
  const before = seen.get(key);
  if (before === undefined ? seen.size < MAX_ACTIVE : before < at) seen.set(key, at);
}
