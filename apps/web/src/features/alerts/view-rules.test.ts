import type { LiveAlert } from '@nwms/contract';
import { SEVERITIES, STATES } from '@nwms/domain/alert/vocabulary';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTimeLabels } from '../../lib/time-labels.ts';
import { alertFixture } from './alert-fixture.ts';
import { spanLabel, stateWords, timingSentence } from './alert-words.ts';
import { countAlerts } from './count-alerts.ts';
import { csvLink } from './csv-link.ts';
import { emptyKind } from './empty-notice.tsx';
import { alertMatcher } from './filter-alerts.ts';
import { alertFeatures } from './map/alert-features.ts';
import { ALL_ORDERS, nextOrder, type Order, orderRows } from './order-alerts.ts';
import { pageWindow } from './pager.tsx';
import { CLEARED, isFiltered, PAGE_SIZES, readAlertsSearch } from './search-params.ts';

const NOW = Date.parse('2026-05-01T13:00:00Z');
const labels = createTimeLabels(() => 'UTC');

const alerts: fc.Arbitrary<LiveAlert> = fc
  .record({
    event_id: fc.stringMatching(/^[A-Z]{1,4}$/),
    severity: fc.constantFrom(...SEVERITIES),
    state: fc.constantFrom(...STATES),
    hazard_rank: fc.constantFrom(100, 300, 520),
    event: fc.constantFrom('Flood Warning', 'Gale Warning', 'Tornado Warning'),
    in_force_until: fc.constantFrom(null, '2026-05-01T14:00:00Z', '2026-05-02T00:00:00Z'),
  })
  .map((over) => alertFixture({ ...over, is_active: ['upcoming', 'unconfirmed', 'expiring', 'in_force'].includes(over.state) }));

describe('what an empty list may say', () => {
  test('"none" only for a fresh, successful, empty answer', () => {
    for (const loaded of [true, false])
      for (const level of ['fresh', 'stale', 'unknown'] as const)
        for (const scopeTotal of [0, 3]) {
          const none = emptyKind({ loaded, level, scopeTotal }) === 'none';
          expect(none).toBe(loaded && level === 'fresh' && scopeTotal === 0);
        }
  });
});

describe('counts', () => {
  test('Σ severities = Σ events = active, and what is over never counts', () => {
    fc.assert(
      fc.property(fc.array(alerts), (rows) => {
        const counts = countAlerts(rows);
        const active = rows.filter((row) => row.is_active).length;
        expect(counts.active).toBe(active);
        expect(Object.values(counts.bySeverity).reduce((a, b) => a + b, 0)).toBe(active);
        expect(counts.byEvent.reduce((all, { count }) => all + count, 0)).toBe(active);
        expect(counts.severeOrExtreme).toBe(rows.filter((row) => row.is_active && ['Severe', 'Extreme'].includes(row.severity)).length);
      }),
    );
  });
});

const idsInOrder = (list: LiveAlert[], order: Order) =>
  orderRows(
    list.map((alert) => ({ alert })),
    order,
  ).map(({ alert }) => alert.event_id);

describe('order', () => {
  test.each(ALL_ORDERS)('%s is total: any shuffle sorts to the same list', (order) => {
    fc.assert(
      fc.property(fc.uniqueArray(alerts, { selector: (row) => row.event_id }), fc.nat(), (rows, seed) => {
        const shuffled = [...rows].sort((a, b) => ((a.hazard_rank * 31 + seed) % 7) - ((b.hazard_rank * 31 + seed) % 7));
        const ids = (list: LiveAlert[]) => idsInOrder(list, order);
        expect(ids(shuffled.reverse())).toEqual(ids(rows));
      }),
    );
  });
  test('in force stands before upcoming however dangerous, and both before what is over', () => {
    const order = [
      alertFixture({ event_id: 'a', hazard_rank: 900, state: 'upcoming' }),
      alertFixture({ event_id: 'b', hazard_rank: 100 }),
      alertFixture({ event_id: 'c', hazard_rank: 1000, state: 'cancelled', is_active: false }),
      alertFixture({ event_id: 'd', hazard_rank: 700 }),
    ];
    expect(idsInOrder(order, 'rank')).toEqual(['d', 'b', 'a', 'c']);
  });
});

describe('order, turned round', () => {
  test('the head of a column turns: its order, the same reversed, danger', () => {
    expect(nextOrder('event', 'rank')).toBe('event');
    expect(nextOrder('event', 'event')).toBe('-event');
    expect(nextOrder('event', '-event')).toBe('rank');
    expect(nextOrder('event', '-until')).toBe('event');
  });

  test('what is reversed is the column alone: equals stay by danger', () => {
    const row = (event_id: string, event: string, hazard_rank: number) => alertFixture({ event_id, event, hazard_rank });
    const list = [row('A', 'Flood Warning', 300), row('B', 'Flood Warning', 520), row('C', 'Gale Warning', 100)];
    expect(idsInOrder(list, 'event')).toEqual(['B', 'A', 'C']);
    expect(idsInOrder(list, '-event')).toEqual(['C', 'B', 'A']);
  });
});

describe('filter', () => {
  test('ALRT-06: cleared filters leave every active alert', () => {
    const search = readAlertsSearch({ q: 'x', severity: 'Severe', event: 'Gale Warning', scope: 'all', size: 50 });
    expect(isFiltered(search)).toBe(true);
    const cleared = readAlertsSearch({ ...search, ...CLEARED });
    expect(isFiltered(cleared)).toBe(false);
    expect(cleared.size).toBe(50);
  });

  test('ALRT-09: the page sizes are 10, 20, 50 and 100, and 10 unless said', () => {
    expect(PAGE_SIZES).toEqual([10, 20, 50, 100]);
    expect(readAlertsSearch({ size: '10' }).size).toBeUndefined();
    expect(readAlertsSearch({ size: '100' }).size).toBe(100);
    expect(readAlertsSearch({ size: '7' }).size).toBeUndefined();
  });

  test('words match in any letter case and with or without accents, all of them', () => {
    const row = alertFixture({ area_desc: 'Añasco, PR; Mayagüez, PR' });
    const filter = (q: string) => alertMatcher({ severity: null, event: null, q }, null)(row);
    expect(filter('anasco FLOOD')).toBe(true);
    expect(filter('anasco tornado')).toBe(false);
  });
  test('an alert whose description matched on the server is shown, but not against another filter', () => {
    const row = alertFixture();
    expect(alertMatcher({ severity: null, event: null, q: 'streams' }, new Set([row.event_id]))(row)).toBe(true);
    expect(alertMatcher({ severity: 'Minor', event: null, q: 'streams' }, new Set([row.event_id]))(row)).toBe(false);
  });
});

describe('words', () => {
  test('ALRT-15, ALRT-16: what is active is what the server says, whatever `expires` is (R-03)', () => {
    for (const expires of [null, '2026-05-01T01:00:00Z', '2026-05-09T00:00:00Z'])
      for (const is_active of [true, false]) {
        const alert = alertFixture({ expires, is_active, state: is_active ? 'in_force' : 'ended' });
        expect(stateWords(alert).word).toBe(is_active ? 'Active' : 'Expired');
        expect(countAlerts([alert]).active).toBe(is_active ? 1 : 0);
      }
  });

  test('a span names what both ends share once, and never hides a change of day or zone', () => {
    const at = (text: string) => Date.parse(text);
    const span = (from: string, until: string | null, zone = 'America/New_York') =>
      spanLabel(at(from), until === null ? null : at(until), zone, labels, NOW);
    expect(span('2026-05-01T12:00:00Z', '2026-05-01T18:30:00Z')).toBe('Fri 08:00 – 14:30 EDT');
    expect(span('2026-05-01T12:00:00Z', '2026-05-02T18:30:00Z')).toBe('Fri 08:00 – Sat 14:30 EDT');
    expect(span('2026-05-01T12:00:00Z', null)).toBe('Fri 08:00 EDT, no end set');
    expect(spanLabel(at('2026-11-01T04:00:00Z'), at('2026-11-01T10:00:00Z'), 'America/New_York', labels, at('2026-11-01T00:00:00Z'))).toBe(
      'Sun 00:00 EDT – 05:00 EST',
    );
  });

  test('every state has a badge, and active states never read as over', () => {
    for (const state of STATES) {
      const is_active = ['upcoming', 'unconfirmed', 'expiring', 'in_force'].includes(state);
      const { word } = stateWords({ state, is_active });
      expect(['Active', 'Upcoming'].includes(word)).toBe(is_active);
    }
  });
  test('a state of a newer server reads as what is_active says', () => {
    expect(stateWords({ state: 'hovering' as never, is_active: true }).word).toBe('Active');
  });
  test.each([
    [{}, 'In force now, until Fri 19:00 CDT (in 11 h).'],
    [{ in_force_until: null }, 'In force now, until further notice.'],
    [{ state: 'expiring', in_force_until: '2026-05-01T13:20:00Z' }, 'In force, ends soon: Fri 08:20 CDT (in 20 min).'],
    [{ in_force_until: '2026-05-01T12:50:00Z' }, 'Was due to end Fri 07:50 CDT (10 min ago); nothing newer is known here.'],
    [{ state: 'upcoming', in_force_from: '2026-05-01T20:00:00Z' }, 'Starts Fri 15:00 CDT (in 7 h), until Fri 19:00 CDT.'],
    [
      { state: 'cancelled', is_active: false, ended_at: '2026-05-01T12:55:00Z' },
      'Cancelled Fri 07:55 CDT (5 min ago). It was to last until Fri 19:00 CDT.',
    ],
    [{ state: 'ended', is_active: false, ended_at: '2026-05-01T12:55:00Z' }, 'Ended Fri 07:55 CDT (5 min ago).'],
    [
      { state: 'unconfirmed' },
      'In force now, until Fri 19:00 CDT (in 11 h). It is missing from the last checks of the feed, and no message has ended it.',
    ],
  ] as [Partial<LiveAlert>, string][])('%j says when', (over, sentence) => {
    const said = timingSentence(alertFixture(over), labels, NOW);
    expect(said.lead + said.strong + said.tail).toBe(sentence);
  });
});

describe('address', () => {
  test('a popup is open only for an alert that is named', () => {
    expect(readAlertsSearch({ details: true })).toEqual({});
    expect(readAlertsSearch({ details: 'true', alert: 'A' })).toEqual({ details: true, alert: 'A' });
    expect(readAlertsSearch({ details: 'yes', alert: 'A' })).toEqual({ alert: 'A' });
  });

  test('whatever an address says, it is read without error and only known values are kept', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('q', 'severity', 'event', 'page', 'size', 'order', 'map', 'alert'), fc.jsonValue()),
        (given) => {
          const search = readAlertsSearch(given);
          expect(readAlertsSearch({ ...search })).toEqual(search);
          expect([undefined, ...SEVERITIES]).toContain(search.severity);
          expect([undefined, 0, 20, 50, 100]).toContain(search.size);
        },
      ),
    );
  });
  test('a filter, page and map view come back from the address that says them', () => {
    const given = { q: 'iowa', severity: 'Extreme', page: 3, size: 50, order: 'until', scope: 'all', map: '41.500,-93.600,6.00' };
    expect(readAlertsSearch({ ...given, page: '3' })).toEqual(given);
  });
  test('ALRT-03: the export asks for active alerts by the filters on screen, not for one page', () => {
    const api = { url: (path: string, query: object = {}) => `${path}?${new URLSearchParams(JSON.parse(JSON.stringify(query)))}` };
    const link = csvLink(api as never, { severity: 'Severe', page: 4, q: 'x' }, NOW);
    expect(link).toEqual({ url: '/alerts?format=csv&active_only=true&severity=Severe', name: 'active-weather-alerts-2026-05-01.csv' });
  });
});

describe('map', () => {
  const geometry = { type: 'Polygon', coordinates: [] } as never;
  test('every active alert is drawn, by its shape or a spot, and what cannot be is counted', () => {
    const rows = [
      alertFixture({ event_id: 'shape' }),
      alertFixture({ event_id: 'spot' }),
      alertFixture({ event_id: 'nowhere', label_point: null }),
      alertFixture({ event_id: 'over', is_active: false, state: 'ended' }),
    ];
    const drawn = alertFeatures(rows, new Map([['shape', { version: 1, geometry }]]));
    expect(drawn.areas.features.map((feature) => feature.properties.id)).toEqual(['shape']);
    expect(drawn.points.features.map((feature) => feature.properties.id)).toEqual(['spot']);
    expect(drawn.undrawn).toBe(1);
  });
  test('a small polygon has a spot as well, so that it is seen from afar', () => {
    const row = alertFixture({ event_id: 'small', geometry_source: 'polygon', area_km2: 600 });
    const drawn = alertFeatures([row], new Map([['small', { version: 1, geometry }]]));
    expect([drawn.areas.features.length, drawn.points.features.length]).toEqual([1, 1]);
  });
});

test('ALRT-11: page numbers: at most five, around the current page, never outside', () => {
  expect([pageWindow(1, 3), pageWindow(1, 9), pageWindow(5, 9), pageWindow(9, 9), pageWindow(1, 1)]).toEqual([
    [1, 2, 3],
    [1, 2, 3, 4, 5],
    [3, 4, 5, 6, 7],
    [5, 6, 7, 8, 9],
    [1],
  ]);
});
