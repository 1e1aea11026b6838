import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { readSeverities, switched, writeSeverities } from '../../../lib/severities.ts';
import type { LiveAlert } from '@nwms/contract';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawingOrder } from '../../../ui/map/map-features.ts';
import { EXTENTS } from '../../../ui/map/map-types.ts';
import { alertFixture } from '../alert-fixture.ts';
import { alertFeatures } from './alert-features.ts';
import { filterWords } from './map-filters.tsx';
import { isFiltered, MAP_LIMITS, type MapSearch, readMapSearch } from './map-search.ts';
import { selectForMap } from './select-for-map.ts';
import { startView } from './start-view.ts';
import { tileAddress } from './tile-address.ts';
import { readRefresh, writeRefresh } from './use-map-refresh.ts';

const geometry = { type: 'Polygon', coordinates: [] } as never;
const rowsOf = (alerts: readonly LiveAlert[]) => alerts.map((alert) => ({ alert, seq: 1, arrivedAtMs: null, endedAtMs: null }));
const idsOf = (alerts: readonly LiveAlert[], search: MapSearch = {}, found: ReadonlySet<string> | null = null) =>
  selectForMap(rowsOf(alerts), search, found).rows.map(({ alert }) => alert.event_id);

describe('where the map begins', () => {
  test('MAP-01: at 39.8283, -98.5795 and zoom 4 of street maps (256-pixel tiles), where the box has room', () => {
    expect(startView(830, 560)).toEqual({ lat: 39.8283, lon: -98.5795, zoom: 3 });
    expect(startView(2000, 1400).zoom).toBe(3);
  });
  test('MAP-01: on a phone further away, so that the whole of the lower 48 is seen', () => {
    const { zoom } = startView(358, 480);
    const [west, , east] = EXTENTS['Lower 48'];
    expect(((east - west) / 360) * 512 * 2 ** zoom).toBeLessThanOrEqual(358);
    expect(zoom).toBeGreaterThan(1.5);
  });
});

describe('which alerts are drawn', () => {
  const alerts = [
    alertFixture({ event_id: 'storm', severity: 'Severe', hazard_rank: 700, geometry_source: 'polygon' }),
    alertFixture({ event_id: 'flood', severity: 'Moderate', hazard_rank: 520, geometry_source: 'zones', expires: null }),
    alertFixture({ event_id: 'air', severity: 'Unknown', hazard_rank: 180, geometry_source: 'counties', event: 'Air Quality Alert' }),
    alertFixture({ event_id: 'lost', severity: 'Minor', hazard_rank: 200, geometry_source: 'none', label_point: null }),
    alertFixture({ event_id: 'over', severity: 'Severe', hazard_rank: 690, is_active: false, state: 'cancelled' }),
  ];
  test('MAP-04, MAP-05, MAP-09, R-06: every active alert, wherever it lies and whatever its shape comes from', () => {
    expect(idsOf(alerts)).toEqual(['storm', 'flood', 'lost', 'air']);
    const far = ['guam', 'samoa', 'aleutians'].map((event_id, at) =>
      alertFixture({
        event_id,
        label_point: [
          [144.8, 13.5],
          [-170.7, -14.3],
          [179, 52],
        ][at] as [number, number],
      }),
    );
    const { points, undrawn } = alertFeatures(far, undefined, { markers: true });
    expect([points.features.length, undrawn]).toEqual([3, 0]);
  });
  test('MAP-04: a marker stands at the label point, inside the shape; one for every alert', () => {
    const { areas, points, undrawn } = alertFeatures(alerts, new Map([['storm', { version: 1, geometry }]]), { markers: true });
    expect(areas.features.map(({ properties }) => properties.id)).toEqual(['storm']);
    expect(points.features.map(({ properties, geometry: { coordinates } }) => [properties.id, coordinates])).toEqual(
      ['storm', 'flood', 'air'].map((id) => [id, alertFixture().label_point]),
    );
    expect(undrawn).toBe(1);
  });
  test('MAP-06, R-29: a severity that is switched off takes its alerts away and no others, Unknown among them', () => {
    for (const severity of SEVERITIES) {
      const on = writeSeverities(switched(new Set(SEVERITIES), severity));
      const expected = alerts.filter((alert) => alert.is_active && alert.severity !== severity).length;
      expect(idsOf(alerts, on ? { on } : {}).length).toBe(expected);
    }
    const strange = alertFixture({ event_id: 'new', severity: 'Dreadful' as never });
    expect(idsOf([strange])).toEqual(['new']);
    expect(idsOf([strange], { on: 'Extreme,Severe,Moderate,Minor' })).toEqual([]);
  });
  test('MAP-07: active only unless asked otherwise, by event, by words, and with a polygon of the issuer', () => {
    expect(idsOf(alerts, { scope: 'all' })).toEqual(['storm', 'flood', 'lost', 'air', 'over']);
    expect(idsOf(alerts, { event: 'Air Quality Alert' })).toEqual(['air']);
    expect(idsOf(alerts, { polygon: true })).toEqual(['storm']);
    expect(idsOf(alerts, { q: 'no such words' }, new Set(['flood']))).toEqual(['flood']);
  });
  test('MAP-08, R-28: a limit keeps the most dangerous and says how many there are; none by default', () => {
    const many = Array.from({ length: 60 }, (_, at) => alertFixture({ event_id: `e${at}`, hazard_rank: at }));
    for (const limit of MAP_LIMITS) {
      const { rows, matching } = selectForMap(rowsOf(many), { limit }, null);
      expect([rows.length, matching]).toEqual([Math.min(limit, 60), 60]);
      expect(rows[0]?.alert.event_id).toBe('e59');
    }
    expect(selectForMap(rowsOf(many), {}, null).rows.length).toBe(60);
  });
  test('MAP-10: the figures count what is shown', () => {
    const { figures } = selectForMap(rowsOf(alerts), { scope: 'all' }, null);
    expect(figures).toEqual({
      active: 4,
      upcoming: 0,
      extreme: 0,
      severeOrExtreme: 2,
      drawn: 4,
      bySource: { polygon: 1, zones: 1, counties: 2, none: 1 },
    });
  });
  test('the worse an alert, the later it is drawn', () => {
    const order = SEVERITIES.map((severity) => drawingOrder(severity, 500));
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    expect(drawingOrder('Minor', 1000)).toBeLessThan(drawingOrder('Moderate', 0));
    expect(drawingOrder('Dreadful', 3)).toBe(drawingOrder('Unknown', 3));
  });
});

describe('the address of the map', () => {
  test('MAP-07: nothing in it means active only, all severities, no limit', () => {
    const search = readMapSearch({});
    expect(search).toEqual({});
    expect([isFiltered(search), readSeverities(search.on).size, search.limit]).toEqual([false, 5, undefined]);
    expect(filterWords(search)).toBe('Active only · all severities · no limit');
  });
  test('whatever somebody writes into it is read without an error, and read again the same', () => {
    const value = fc.oneof(
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constantFrom('none', 'Extreme,Severe', 'Extreme,x', 'all', '100', 'true'),
    );
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('q', 'on', 'event', 'scope', 'polygon', 'limit', 'alert', 'details', 'map'), value),
        (given) => {
          const search = readMapSearch(given);
          expect(readMapSearch({ ...search })).toEqual(search);
        },
      ),
    );
  });
  test('severities switched on and off come back from the address', () => {
    fc.assert(
      fc.property(fc.subarray([...SEVERITIES]), (on) => {
        expect([...readSeverities(writeSeverities(new Set(on)))]).toEqual(on);
      }),
    );
  });
  test('tiles carry the filters, follow the log in steps, and are not asked for when nothing is to be drawn', () => {
    const address = tileAddress('https://n.test', { on: 'Extreme,Severe', event: 'Flood Warning', polygon: true }, 99);
    expect(address).toBe(
      'https://n.test/api/v1/alerts/tiles/{z}/{x}/{y}.mvt?active_only=true&severity=Extreme%2CSevere&event=Flood+Warning&geometry_source=polygon&v=3',
    );
    expect(tileAddress('https://n.test', {}, 98)).toBe(tileAddress('https://n.test', {}, 76));
    expect(tileAddress('https://n.test', { on: 'none' }, 99)).toBeNull();
  });
});

test('MAP-11: on, every 300 s, unless the reader chose one of the offered intervals or switched it off', () => {
  expect(readRefresh(null)).toEqual({ automatic: true, everySeconds: 300 });
  expect(readRefresh('off 60')).toEqual({ automatic: false, everySeconds: 60 });
  expect(readRefresh('on 7')).toEqual({ automatic: true, everySeconds: 300 });
  for (const everySeconds of [60, 300, 600, 1800])
    expect(readRefresh(writeRefresh({ automatic: true, everySeconds }))).toEqual({ automatic: true, everySeconds });
});
