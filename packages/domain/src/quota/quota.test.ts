import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  aheadOf,
  emptyCount,
  fits,
  limitField,
  mayUse,
  mergeStates,
  openWindow,
  policyField,
  type QuotaState,
  QUOTA_WINDOWS,
  remainingOf,
  reservedUnits,
  resetsAt,
  retryAfterSeconds,
  rollTo,
  settledUnits,
  tightest,
  usedOf,
  wantedUnits,
  windowAt,
} from './index.ts';

const instant = fc.integer({ min: 0, max: Date.UTC(2200, 0, 1) });
const window = fc.constantFrom(...QUOTA_WINDOWS);

describe('windows', () => {
  it('are the minute, the day and the month of UTC', () => {
    const at = Date.UTC(2028, 1, 29, 23, 59, 59, 999);
    expect(windowAt('minute', at)).toEqual({ startsAt: Date.UTC(2028, 1, 29, 23, 59), endsAt: Date.UTC(2028, 2, 1) });
    expect(windowAt('day', at)).toEqual({ startsAt: Date.UTC(2028, 1, 29), endsAt: Date.UTC(2028, 2, 1) });
    expect(windowAt('month', at)).toEqual({ startsAt: Date.UTC(2028, 1, 1), endsAt: Date.UTC(2028, 2, 1) });
    expect(windowAt('month', at + 1).endsAt).toBe(Date.UTC(2028, 3, 1));
  });

  it('hold their instant, and the next begins where one ends', () => {
    fc.assert(
      fc.property(window, instant, (name, at) => {
        const { startsAt, endsAt } = windowAt(name, at);
        expect(startsAt).toBeLessThanOrEqual(at);
        expect(endsAt).toBeGreaterThan(at);
        expect(windowAt(name, endsAt).startsAt).toBe(endsAt);
        expect(windowAt(name, endsAt - 1).startsAt).toBe(startsAt);
      }),
    );
  });

  it('change when the calendar says so, also in the last days of a month and the last milliseconds of a minute', () => {
    const around = fc.oneof(
      fc.integer({ min: -5, max: 5 }),
      fc.integer({ min: 27 * 24 * 60, max: 32 * 24 * 60 }).map((minutes) => minutes * 60_000),
    );
    fc.assert(
      fc.property(window, instant, around, (name, at, later) => {
        const { startsAt, endsAt } = windowAt(name, at);
        for (const now of [startsAt + later, endsAt + later])
          expect(openWindow(name, now, startsAt)).toBe(Math.max(startsAt, windowAt(name, now).startsAt));
      }),
    );
  });

  it('I7: are never opened again, however the clock is set', () => {
    fc.assert(
      fc.property(window, fc.array(instant, { minLength: 1 }), (name, clock) => {
        let open = 0;
        for (const now of clock) {
          const next = openWindow(name, now, open);
          expect(next).toBeGreaterThanOrEqual(open);
          expect(next).toBeGreaterThanOrEqual(windowAt(name, now).startsAt);
          open = next;
        }
        expect(open).toBe(windowAt(name, Math.max(...clock)).startsAt);
      }),
    );
  });
});

describe('counter', () => {
  /** A model of the keeper: grants what still fits under the limit, once. */
  const run = (limit: number, asked: readonly number[]) => {
    let count = emptyCount(0);
    let kept = 0;
    let used = 0;
    const refused: number[] = [];
    let worstIdle = 0;
    for (const units of asked) {
      const wanted = wantedUnits(count, limit, units);
      const given = Math.min(Math.max(0, wanted), limit - kept);
      kept += given;
      count = { ...count, granted: kept, idle: count.idle + given, elsewhere: 0 };
      if (mayUse(count, limit, units)) {
        count = { ...count, idle: count.idle - units };
        used += units;
      } else refused.push(units);
      worstIdle = Math.max(worstIdle, count.idle);
    }
    return { count, kept, used, refused, worstIdle };
  };

  it.each([1, 60, 100, 199, 200, 10_000])('F7: of more single units than a limit of %d exactly the limit is used', (limit) => {
    const done = run(limit, Array<number>(limit + 50).fill(1));
    expect(done.used).toBe(limit);
    expect(done.refused).toHaveLength(50);
    expect(remainingOf(done.count, limit)).toBe(0);
  });

  it('never uses more than the limit, refuses only what does not fit, and holds at most half a percent unused (B3)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.array(fc.constantFrom(1, 2, 5, 10), { maxLength: 800 }), (limit, asked) => {
        const done = run(limit, asked);
        expect(done.used).toBeLessThanOrEqual(limit);
        expect(done.kept).toBeGreaterThanOrEqual(done.used);
        expect(usedOf(done.count)).toBe(done.used);
        // Whatever was refused did not fit at the end either.
        expect(done.refused.length === 0 || limit - done.used < Math.max(...done.refused)).toBe(true);
        // Plus what a refused call had asked for and did not get whole.
        expect(done.worstIdle).toBeLessThanOrEqual(limit / 200 + 10);
      }),
    );
  });

  it('a limit lowered below what is used refuses at once, also what is held ready', () => {
    const count = { startsAt: 0, granted: 100, idle: 20, elsewhere: 0 };
    expect(mayUse(count, 100, 1)).toBe(true);
    expect([mayUse(count, 80, 1), fits(count, 80, 1), remainingOf(count, 50)]).toEqual([false, false, 0]);
    expect(mayUse(count, 81, 1)).toBe(true);
  });

  it('a later window begins empty, an earlier one changes nothing', () => {
    const count = { startsAt: 60_000, granted: 7, idle: 2, elsewhere: 0 };
    expect(rollTo(count, 0)).toBe(count);
    expect(rollTo(count, 60_000)).toBe(count);
    expect(rollTo(count, 120_000)).toEqual(emptyCount(120_000));
    expect([aheadOf(60, 0), aheadOf(10_000, 0), aheadOf(10_000, 60), aheadOf(10_000, 99), aheadOf(10_000, Infinity)]).toEqual([
      0, 50, 20, 0, 0,
    ]);
  });

  it('B3: however many are killed while they hold what they may, less than a percent is lost', () => {
    for (const limit of [100, 1_000, 10_000, 1_000_000]) {
      let lost = 0;
      for (let kills = 0; kills < 1_000; kills += 1) lost += aheadOf(limit, lost);
      expect(lost).toBeLessThanOrEqual(limit / 100);
    }
  });
});

describe('costs', () => {
  const rule = {
    units: 1,
    dearer: [
      { units: 2, parameters: ['at', 'q'] },
      { units: 5, formats: ['csv', 'ndjson'], rowsOver: 1_000 },
    ],
  };
  it.each([
    ['', '', 1],
    ['state=IA', '', 1],
    ['at=2026-11-21', '', 2],
    ['at=', '', 1],
    ['format=csv', '', 1],
    ['format=csv&limit=1000', '', 1],
    ['format=CSV&limit=1001', '', 5],
    ['limit=5000', 'text/csv', 5],
    ['limit=5000', 'application/json', 1],
    ['q=flood&format=ndjson&limit=2000', '', 5],
  ])('%s (Accept %s) reserves %d', (query, accept, units) => {
    expect(reservedUnits(rule, new URLSearchParams(query), accept)).toBe(units);
  });

  it.each([
    [200, 5],
    [204, 5],
    [400, 5],
    [404, 5],
    [304, 0],
    [401, 0],
    [403, 0],
    [429, 0],
    [500, 0],
    [503, 0],
  ])('an answer %d of five units costs %d', (status, units) => expect(settledUnits(status, 5)).toBe(units));
});

describe('headers', () => {
  const now = Date.UTC(2026, 10, 21, 12, 30, 48, 500);
  const state = (name: QuotaState['window'], limit: number, remaining: number): QuotaState => ({
    window: name,
    limit,
    remaining,
    startsAt: windowAt(name, now).startsAt,
  });

  it('list the policies and show the tightest, of equal ones the longest', () => {
    const states = [state('minute', 60, 59), state('day', 10_000, 59), state('month', 100_000, 90)];
    expect(policyField(states)).toBe('"minute";q=60;w=60, "day";q=10000;w=86400, "month";q=100000;w=2592000');
    expect(tightest(states)?.window).toBe('day');
    expect(limitField(state('minute', 60, 59), now)).toBe('"minute";r=59;t=12');
    expect(tightest([])).toBeNull();
  });

  it('take the tighter of key and account in each window', () => {
    const merged = mergeStates([state('minute', 60, 10), state('day', 5, 5), state('minute', 100, 3), state('day', 9, 9)]);
    expect(merged.map(({ window: name, limit, remaining }) => [name, limit, remaining])).toEqual([
      ['minute', 60, 3],
      ['day', 5, 5],
    ]);
  });

  it('never call anybody back before the window ends, nor later than a minute after it', () => {
    fc.assert(
      fc.property(window, instant, fc.double({ min: 0, max: 1, noNaN: true }), (name, at, random) => {
        const { startsAt } = windowAt(name, at);
        const wait = retryAfterSeconds({ window: name, startsAt }, at, random);
        const end = resetsAt({ window: name, startsAt });
        expect(Number.isInteger(wait) && wait >= 1).toBe(true);
        expect(at + wait * 1_000).toBeGreaterThanOrEqual(end);
        expect(at + wait * 1_000).toBeLessThanOrEqual(end + (name === 'minute' ? 1_000 : 61_000));
      }),
    );
  });
});
