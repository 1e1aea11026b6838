import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { STATES } from './alert/vocabulary.ts';
import { compareRank, type Ranked } from './rank.ts';
import { tickerOrder, type TickerRow } from './ticker.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
let serial = 0;
const row = (change: Partial<TickerRow> = {}): TickerRow => ({
  eventId: `e${String(++serial).padStart(3, '0')}`,
  event: 'Gale Warning',
  state: 'in_force',
  isActive: true,
  hazardRank: 345,
  inForceUntil: NOW + 3_600_000,
  endedAt: null,
  severity: 'Moderate',
  countable: true,
  lastAlertedAt: null,
  ...change,
});
const order = (rows: TickerRow[], limit = 20) => tickerOrder(rows, NOW, limit).map((r) => r.eventId);

describe('order_by=rank', () => {
  it('in force, then upcoming, then over; danger, soonest end, id', () => {
    const rows = [
      row({ eventId: 'over-old', isActive: false, state: 'ended', endedAt: 1, hazardRank: 900 }),
      row({ eventId: 'over-new', isActive: false, state: 'ended', endedAt: 2 }),
      row({ eventId: 'upcoming', state: 'upcoming', hazardRank: 900 }),
      row({ eventId: 'open', inForceUntil: null }),
      row({ eventId: 'soon', inForceUntil: NOW }),
      row({ eventId: 'worst', hazardRank: 900 }),
    ];
    expect(rows.sort(compareRank).map((r) => r.eventId)).toEqual(['worst', 'soon', 'open', 'upcoming', 'over-new', 'over-old']);
  });

  it('is a total order', () => {
    const time = fc.option(fc.integer({ min: 0, max: 3 }));
    const ranked = fc.record({
      eventId: fc.constantFrom('a', 'b', 'c'),
      state: fc.constantFrom(...STATES),
      isActive: fc.boolean(),
      hazardRank: fc.integer({ min: 0, max: 2 }),
      inForceUntil: time,
      endedAt: time,
    });
    const sign = (a: Ranked, b: Ranked) => Math.sign(compareRank(a, b));
    fc.assert(
      fc.property(ranked, ranked, ranked, (a, b, c) => {
        expect(sign(a, b) + sign(b, a)).toBe(0);
        const chained = sign(a, b) <= 0 && sign(b, c) <= 0;
        expect(chained && sign(a, c) > 0).toBe(false);
      }),
    );
  });
});

describe('breaking news', () => {
  it('is empty only when nothing is active', () => {
    expect(order([row({ severity: 'Minor' })])).toHaveLength(1);
    expect(order([row({ isActive: false, state: 'cancelled' }), row({ countable: false })])).toEqual([]);
  });

  it('fresh Severe and Extreme lead, unconfirmed come last', () => {
    const rows = [
      row({
        eventId: 'unconfirmed',
        event: 'Tornado Warning',
        state: 'unconfirmed',
        hazardRank: 900,
        severity: 'Extreme',
        lastAlertedAt: NOW,
      }),
      row({ eventId: 'dangerous', event: 'Tsunami Warning', hazardRank: 860, severity: 'Extreme', lastAlertedAt: NOW - 3_600_001 }),
      row({ eventId: 'fresh', event: 'Flood Warning', hazardRank: 520, severity: 'Severe', lastAlertedAt: NOW - 3_600_000 }),
    ];
    expect(order(rows)).toEqual(['fresh', 'dangerous', 'unconfirmed']);
  });

  it('at most three of one name among the first ten, none lost after', () => {
    const rows = [
      ...Array.from({ length: 8 }, () => row({ hazardRank: 900, event: 'Tornado Warning' })),
      ...Array.from({ length: 4 }, (_, i) => row({ event: `Other ${i}` })),
    ];
    const names = tickerOrder(rows, NOW, 50).map((r) => r.event);
    expect(names.slice(0, 7)).toEqual([
      'Tornado Warning',
      'Tornado Warning',
      'Tornado Warning',
      'Other 0',
      'Other 1',
      'Other 2',
      'Other 3',
    ]);
    expect(names).toHaveLength(12);
    expect(order(rows, 5)).toHaveLength(5);
  });
});
