import { DAY_MS, MINUTE_MS, startOfMinute } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import { Active } from './active.ts';
import type { Bundle } from './bundles.ts';
import type { ReadRollup } from './store-read.ts';
import { Tally } from './tally.ts';
import type { PrincipalKind, Traits } from './types.ts';

/** Minutes kept: as many as can be asked for. */
export const RECENT_MINUTES = 1_440;
/** Callers per minute remembered for "who is loud": the first ones of a minute, as a flood of addresses must not cost memory. */
const MAX_CALLERS = 5_000;

/** One minute of the past, of this process or of others. */
export interface RecentMinute {
  start: number;
  all: Map<string, Tally>;
  /** Requests by kind of caller and template. */
  endpoints: Map<string, number>;
  countries: Map<string, Tally>;
  failedSignIns: number;
  /** Requests by caller, and by caller and route. */
  callers: Map<string, number>;
  routes: Map<string, number>;
}

const emptyMinute = (start: number): RecentMinute => ({
  start,
  all: new Map(),
  endpoints: new Map(),
  countries: new Map(),
  failedSignIns: 0,
  callers: new Map(),
  routes: new Map(),
});

/** The last day by minutes, in memory. */
export class Recent {
  readonly #clock: Clock;
  readonly #own = new Map<number, RecentMinute>();
  #others = new Map<number, RecentMinute>();
  /** Who asks right now. */
  readonly active: Active;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.active = new Active(clock);
  }

  /** Requests that were just finished, as added up. */
  add(bundles: ReadonlyMap<number, readonly Bundle[]>): void {
    for (const [start, ofMinute] of bundles) {
      let minute = this.#own.get(start);
      if (!minute) {
        this.#own.set(start, (minute = emptyMinute(start)));
        this.#forget();
      }
      for (const bundle of ofMinute) this.#addTo(minute, bundle);
    }
  }

  #addTo(minute: RecentMinute, bundle: Bundle): void {
    const { traits, requests } = bundle;
    const { principal, country, endpoint, method } = traits;
    tallyIn(minute.all, principal, 'all').add(bundle);
    tallyIn(minute.countries, `${principal} ${country}`, 'country').add(bundle);
    bump(minute.endpoints, `${principal} ${endpoint}`, requests);
    if (isFailedSignIn(traits)) minute.failedSignIns += requests;
    const caller = callerOf(traits);
    if (minute.callers.size < MAX_CALLERS || minute.callers.has(caller)) {
      bump(minute.callers, caller, requests);
      if (method === 'GET') bump(minute.routes, `${caller}\n${method} ${endpoint}`, requests);
    }
    this.active.addCaller(bundle);
  }

  /** Takes what other processes, or this one before its restart, wrote; each minute given replaces what was known of it. */
  take(rows: readonly ReadRollup[], from: number): void {
    for (const start of this.#others.keys()) if (start >= from) this.#others.delete(start);
    for (const row of rows) {
      let minute = this.#others.get(row.start);
      if (!minute) this.#others.set(row.start, (minute = emptyMinute(row.start)));
      if (row.kind === 'all') tallyIn(minute.all, row.principal, 'all').merge(row);
      if (row.kind === 'country') tallyIn(minute.countries, `${row.principal} ${row.name}`, 'country').merge(row);
      if (row.kind === 'endpoint')
        bump(minute.endpoints, `${row.principal} ${row.name.slice(row.name.indexOf(' ') + 1)}`, row.requests ?? 0);
    }
  }

  /** Everything known of the minutes from `from` on, by whom it was counted. */
  minutesFrom(from: number): RecentMinute[] {
    return [...this.#own.values(), ...this.#others.values()].filter(({ start }) => start >= from);
  }

  requestsFrom(from: number): number {
    return this.minutesFrom(from).reduce((sum, { all }) => [...all.values()].reduce((more, { requests }) => more + requests, sum), 0);
  }

  #forget(): void {
    const before = startOfMinute(this.#clock.now()) - DAY_MS;
    for (const minutes of [this.#own, this.#others]) for (const start of minutes.keys()) if (start < before) minutes.delete(start);
    // Only the last hour is asked for who was loud.
    for (const minute of this.#own.values()) {
      if (minute.start >= this.#clock.now() - 62 * MINUTE_MS) continue;
      minute.callers.clear();
      minute.routes.clear();
    }
    this.active.forget();
  }
}

function tallyIn(tallies: Map<string, Tally>, key: string, kind: string): Tally {
  let tally = tallies.get(key);
  if (!tally) tallies.set(key, (tally = new Tally(kind)));
  return tally;
}

function bump<K>(counts: Map<K, number>, key: K, by: number): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

const isFailedSignIn = ({ endpoint, status }: Traits) =>
  status >= 400 && status < 500 && (endpoint === '/api/v1/auth/login' || endpoint === '/api/v1/auth/google');

/** Who without an address: a key, an account, or the beginning of an address hash. */
export function callerOf({ keyId, userId, address }: Pick<Traits, 'keyId' | 'userId' | 'address'>): string {
  if (keyId !== null) return `key ${keyId}`;
  return userId === null ? `address ${address.slice(0, 8)}` : `user ${userId}`;
}

export const isOf = (principal: PrincipalKind | null, key: string) =>
  principal === null || key === principal || key.startsWith(`${principal} `);
