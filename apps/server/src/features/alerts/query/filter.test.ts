import { beforeAll, describe, expect, it } from 'vitest';
import { fakePlaces, type FakeZone, message, vtec } from '../../../../test/alerts-world.ts';
import { createMemoryIndex, applyMessage } from '@nwms/domain';
import { createRow, type Row } from '../board/row.ts';
import { createShapeCache } from '../board/shapes.ts';
import { type AlertFilter, compileFilter } from './filter.ts';

const T0 = Date.parse('2026-05-21T19:00:00Z');
const HOUR = 3_600_000;
const square = (west: number, south: number, size = 1): [number, number][] => [
  [west, south],
  [west + size, south],
  [west + size, south + size],
  [west, south + size],
  [west, south],
];
const ZONES: FakeZone[] = [
  { code: 'IAC153', type: 'county', shape: { type: 'Polygon', coordinates: [square(-94, 41)] } },
  { code: 'ORZ608', type: 'fire', shape: { type: 'Polygon', coordinates: [square(-121, 44)] } },
  { code: 'AKZ191', type: 'public', shape: { type: 'MultiPolygon', coordinates: [[square(179, 51)], [square(-180, 51)]] } },
];
const places = fakePlaces(ZONES);

/** One alert of each kind that filters tell apart. */
const rows = new Map<string, Row>();
beforeAll(() => {
  const index = createMemoryIndex();
  const shapes = createShapeCache();
  const add = (name: string, options: Parameters<typeof message>[0]) => {
    const parsed = message({ id: `urn:oid:${name}`, ...options }, T0);
    index.putMessage(parsed);
    for (const event of applyMessage(index, parsed, { now: T0, listed: true, pollStartedAt: T0 }).events) {
      index.put(event);
      rows.set(name, createRow({ event, message: (id) => index.message(id), places, at: T0, shapes }));
    }
  };
  const coming = vtec('NEW', 'KPQR.FW.W.0002', T0 + HOUR, T0 + 9 * HOUR);
  add('storm', {
    vtec: vtec('NEW', 'KDMX.SV.W.0106', T0, T0 + HOUR),
    polygon: square(-93.7, 41.5, 0.2),
    parameters: { maxWindGust: ['70 MPH'], thunderstormDamageThreat: ['CONSIDERABLE'] },
  });
  add('fire', {
    vtec: coming,
    event: 'Red Flag Warning',
    ugc: ['ORZ608'],
    same: ['041017'],
    zoneKind: 'fire',
    onset: T0 + HOUR,
    ends: T0 + 9 * HOUR,
    properties: { certainty: 'Likely', response: 'Prepare' },
  });
  add('air', {
    event: 'Air Quality Alert',
    ugc: ['ORZ608'],
    same: ['041017'],
    zoneKind: 'forecast',
    properties: { severity: 'Unknown', parameters: undefined },
  });
  add('aleutian', {
    vtec: vtec('NEW', 'PAFC.HW.W.0003', T0, T0 + HOUR),
    event: 'High Wind Warning',
    ugc: ['AKZ191'],
    same: ['002016'],
    zoneKind: 'forecast',
    properties: { severity: 'Moderate' },
  });
  add('test', { vtec: vtec('NEW', 'KDMX.TO.W.0009', T0, T0 + HOUR).replace('/O.', '/T.'), event: 'Tornado Warning' });
  add('civil', { event: 'Civil Emergency Message', ugc: [], same: ['119153'], properties: { category: 'Safety', messageType: 'Update' } });
});

const matching = (filter: AlertFilter): string[] => {
  const compiled = compileFilter(filter, places);
  return [...rows].filter(([, row]) => compiled.matches(row)).map(([name]) => name);
};
const COUNTED = ['storm', 'fire', 'air', 'aleutian', 'civil'];

describe('filters', () => {
  it.each<[string, AlertFilter, string[]]>([
    ['nothing asked: everything that counts, no test (A5)', {}, COUNTED],
    ['tests only when asked for', { status: ['Test'] }, ['test']],
    ['a test never under Actual, whatever CAP says', { status: ['Actual'] }, COUNTED],
    ['event in any letter case', { event: ['severe thunderstorm WARNING'] }, ['storm']],
    ['events joined by or', { event: ['Air Quality Alert', 'High Wind Warning'] }, ['air', 'aleutian']],
    ['family', { family: ['fire'] }, ['fire']],
    ['severity', { severity: ['Moderate', 'Unknown'] }, ['air', 'aleutian']],
    ['certainty', { certainty: ['Likely'] }, ['fire']],
    ['message type', { message_type: ['Update'] }, ['civil']],
    ['category', { category: ['safety'] }, ['civil']],
    ['response', { response: ['prepare'] }, ['fire']],
    ['lifecycle', { lifecycle: ['upcoming'] }, ['fire']],
    ['q folds accents and case and wants every word', { q: 'PENASCO thunderstorm gusts' }, COUNTED],
    ['q that one word misses', { q: 'penasco hurricane' }, []],
    ['whole UGC', { ugc: ['iac153'] }, ['storm']],
    ['UGC prefix of a state', { ugc: ['OR'] }, ['fire', 'air']],
    ['SAME as six digits', { same: ['041017'] }, ['fire', 'air']],
    ['SAME as FIPS finds a part of the county, too (trap 22)', { same: ['19153'] }, ['storm', 'civil']],
    ['office prefix', { office: ['kd'] }, ['storm']],
    ['zone type comes from the URL, not the letter (trap 21)', { zone_type: ['fire'] }, ['fire']],
    ['VTEC key without leading zeros', { vtec: ['kdmx.sv.w.106'] }, ['storm']],
    ['VTEC key of another year', { vtec: ['KDMX.SV.W.0106.2025'] }, []],
    ['phenomenon and significance of one string', { phenomenon: ['hw'], significance: ['w'] }, ['aleutian']],
    ['tag with value', { tag: ['thunderstorm_damage_threat:considerable'] }, ['storm']],
    ['tag with any value', { tag: ['max_wind_gust_kmh'] }, ['storm']],
    ['least rank', { min_rank: 500 }, ['storm', 'fire', 'aleutian', 'civil']],
    ['geometry source', { geometry_source: ['polygon'] }, ['storm']],
    ['source', { source: ['simulator'] }, []],
    ['different filters joined by and', { ugc: ['OR'], severity: ['Unknown'] }, ['air']],
    ['box', { bbox: '-95,40,-90,43' }, ['storm']],
    ['box over 180 degrees', { bbox: '170,50,-170,55' }, ['aleutian']],
    ['box on the far side of 180 degrees', { bbox: '-179.9,51.1,-179.5,51.9' }, ['aleutian']],
    ['polygon', { polygon: '-122,43;-119,43;-119,46;-122,46' }, ['fire']],
    ['place and radius', { lat: 41.6, lon: -93.6, radius_km: 5 }, ['storm', 'civil']],
  ])('%s', (_name, filter, expected) => {
    expect(matching(filter).sort()).toEqual([...expected].sort());
  });

  it('never matches a public zone by the number of a fire zone (trap 21)', () => {
    const near = matching({ lat: 44.5, lon: -120.5, radius_km: 1 });
    expect(near).toContain('fire');
    expect(near).not.toContain('air');
  });

  it.each<[string, AlertFilter]>([
    ['two areas', { bbox: '-95,40,-90,43', lat: 1, lon: 1 }],
    ['lat without lon', { lat: 41 }],
    ['a radius of nothing', { radius_km: 5 }],
    ['a polygon that crosses itself', { polygon: '0,0;1,1;1,0;0,1' }],
    ['a box upside down', { bbox: '-95,43,-90,40' }],
    ['an unknown tag', { tag: ['wind:strong'] }],
  ])('refuses %s', (_name, filter) => {
    expect(() => compileFilter(filter, places)).toThrowError(/request\.invalid|geo\.invalid_shape/);
  });
});
