import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SESSION_GAP_MS, type Stretch, type Visits, visitsGoneOn, visitsOfPieces } from './index.ts';

const HOUR = 3_600_000;

/** Visits of requests, one after the other. */
function counted(times: readonly number[]): Visits {
  const visits = { sessions: 0, activeMs: 0 };
  for (const [n, at] of times.entries()) {
    const gap = at - (times[n - 1] ?? -Infinity);
    if (gap >= SESSION_GAP_MS) visits.sessions += 1;
    else visits.activeMs += gap;
  }
  return visits;
}
const sum = (...all: readonly Visits[]): Visits => ({
  sessions: all.reduce((total, { sessions }) => total + sessions, 0),
  activeMs: all.reduce((total, { activeMs }) => total + activeMs, 0),
});
const stretchOf = (times: readonly number[]): Stretch => [times[0] ?? 0, times.at(-1) ?? 0];
const moments = fc
  .uniqueArray(fc.integer({ min: 0, max: 12 * HOUR }), { minLength: 1, maxLength: 40 })
  .map((times) => times.sort((a, b) => a - b));

describe('visits over the ends of stretches', () => {
  it('are as many and as long as those of the requests, however the time is cut', () => {
    fc.assert(
      fc.property(moments, fc.integer({ min: 1, max: 12 }), fc.integer({ min: 0, max: 12 * HOUR }), (times, hours, change) => {
        const cut = (of: readonly number[]) => [...Map.groupBy(of, (at) => Math.floor(at / (hours * HOUR))).values()];
        const [early, later] = [times.filter((at) => at < change), times.filter((at) => at >= change)];
        const together = (of: readonly number[], before: number | null) => {
          const gone = visitsGoneOn(before, cut(of).map(stretchOf).reverse());
          return gone && sum(...cut(of).map(counted), gone);
        };
        const first = together(early, null);
        const second = together(later, early.at(-1) ?? null);
        expect(first && second && sum(first, second)).toEqual(counted(times));
      }),
    );
  });

  it('of pieces that may overlap count once', () => {
    fc.assert(
      fc.property(moments, fc.array(fc.nat(39), { maxLength: 8 }), (times, shared) => {
        const minutes = [...Map.groupBy(times, (at) => Math.floor(at / 60_000)).values()].map(stretchOf);
        const again = shared.flatMap((n): Stretch[] => {
          const [first, last] = minutes[n] ?? [0, -1];
          return last < 0
            ? []
            : [
                [first, first],
                [last, last],
              ];
        });
        expect(visitsOfPieces(null, [...minutes, ...again])).toEqual(counted(times));
      }),
    );
  });

  it('cannot be told from sums where a stretch begins before another ends', () => {
    expect(
      visitsGoneOn(null, [
        [0, 10],
        [5, 20],
      ]),
    ).toBeNull();
    expect(visitsGoneOn(7, [[5, 20]])).toBeNull();
    expect(visitsOfPieces(7, [[5, 20]])).toBeNull();
    expect(
      visitsOfPieces(null, [
        [0, 10],
        [5, 20],
      ]),
    ).toEqual({ sessions: 1, activeMs: 20 });
    expect(visitsOfPieces(5, [[5, 20]])).toEqual({ sessions: 0, activeMs: 15 });
  });
});
