import type { Position } from '@nwms/domain/geo/shape';

import type { Feed, RawFeature } from '../feature.ts';
import { contains } from '../places/geometry.ts';

/** Known parameters; upstream refuses every other one with 400 (trap 36). */
const FILTERS = [
  'status',
  'message_type',
  'event',
  'code',
  'area',
  'point',
  'region',
  'region_type',
  'zone',
  'urgency',
  'severity',
  'certainty',
];
/** `/alerts` also takes times and pages; `/alerts/active` does not take `limit` or `cursor` here, as upstream in practice refused them. */
const LIST_ONLY = ['active', 'start', 'end', 'limit', 'cursor'];

const WORDS: Readonly<Record<string, readonly string[]>> = {
  status: ['actual', 'exercise', 'system', 'test', 'draft'],
  message_type: ['alert', 'update', 'cancel'],
  urgency: ['Immediate', 'Expected', 'Future', 'Past', 'Unknown'],
  severity: ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'],
  certainty: ['Observed', 'Likely', 'Possible', 'Unlikely', 'Unknown'],
  region_type: ['land', 'marine'],
  region: ['AL', 'AT', 'GL', 'GM', 'PA', 'PI'],
};

/** Marine regions by their waters (upstream's MarineRegionCode). */
const WATERS: Readonly<Record<string, readonly string[]>> = {
  AL: ['PK'],
  AT: ['AM', 'AN'],
  GL: ['LC', 'LE', 'LH', 'LM', 'LO', 'LS', 'SL'],
  GM: ['GM'],
  PA: ['PZ'],
  PI: ['PH', 'PM', 'PS'],
};

export type Fault = { parameter: string; message: string };

/** What is wrong with a query, empty when nothing is. */
export function checkQuery(query: URLSearchParams, list: boolean): Fault[] {
  const known = list ? [...FILTERS, ...LIST_ONLY] : FILTERS;
  const faults: Fault[] = [];
  for (const [parameter, value] of query) {
    const words = WORDS[parameter];
    if (!known.includes(parameter))
      faults.push({ parameter: `query.${parameter}`, message: `Query parameter "${parameter}" is not recognized` });
    else if (words && value.split(',').some((word) => !words.some((allowed) => allowed.toLowerCase() === word.toLowerCase()))) {
      faults.push({ parameter: `query.${parameter}`, message: 'Does not have a value in the enumeration' });
    }
  }
  const point = query.get('point');
  if (point !== null && !/^-?\d{1,3}(\.\d{1,4})?,-?\d{1,3}(\.\d{1,4})?$/.test(point))
    faults.push({ parameter: 'query.point', message: 'Does not match the pattern of a point' });
  const limit = query.get('limit');
  if (list && limit !== null && !(Number.isInteger(Number(limit)) && Number(limit) >= 1 && Number(limit) <= 500)) {
    faults.push({ parameter: 'query.limit', message: 'Must be an integer from 1 to 500' });
  }
  for (const name of list ? ['start', 'end'] : []) {
    const value = query.get(name);
    if (value !== null && Number.isNaN(Date.parse(value))) faults.push({ parameter: `query.${name}`, message: 'Invalid date-time' });
  }
  return faults;
}

/** Predicate of a checked query. */
export function filterOf(query: URLSearchParams, feed: Feed): (feature: RawFeature) => boolean {
  const tests: ((feature: RawFeature) => boolean)[] = [];
  const oneOf = (name: string, read: (feature: RawFeature) => string[]): void => {
    const value = query.get(name);
    if (value === null) return;
    const wanted = value.split(',').map((word) => word.toLowerCase());
    tests.push((feature) => read(feature).some((word) => wanted.includes(word.toLowerCase())));
  };
  oneOf('status', ({ properties }) => [properties.status]);
  oneOf('message_type', ({ properties }) => [properties.messageType]);
  oneOf('event', ({ properties }) => [properties.event]);
  oneOf('code', ({ properties }) => Object.values(properties.eventCode ?? {}).flat());
  oneOf('urgency', ({ properties }) => [properties.urgency]);
  oneOf('severity', ({ properties }) => [properties.severity]);
  oneOf('certainty', ({ properties }) => [properties.certainty]);
  oneOf('zone', ({ properties }) => zoneIds(properties.affectedZones));
  oneOf('area', ({ properties }) => zoneIds(properties.affectedZones).map((id) => id.slice(0, 2)));
  const region = query.get('region');
  if (region !== null) {
    const waters = region
      .toUpperCase()
      .split(',')
      .flatMap((code) => WATERS[code] ?? []);
    tests.push(({ properties }) => zoneIds(properties.affectedZones).some((id) => waters.includes(id.slice(0, 2))));
  }
  const regionType = query.get('region_type');
  if (regionType !== null) {
    const all = Object.values(WATERS).flat();
    tests.push(({ properties }) =>
      zoneIds(properties.affectedZones).some((id) => all.includes(id.slice(0, 2)) === (regionType === 'marine')),
    );
  }
  const point = query.get('point');
  if (point !== null) tests.push(atPoint(point, feed));
  return (feature) => tests.every((test) => test(feature));
}

function zoneIds(urls: string[] | undefined): string[] {
  return (urls ?? []).map((url) => url.slice(url.lastIndexOf('/') + 1));
}

function atPoint(point: string, feed: Feed): (feature: RawFeature) => boolean {
  const [lat = 0, lon = 0] = point.split(',').map(Number);
  const position: Position = [lon, lat];
  const place = feed.zonesAt(position);
  const here = place ? [`county/${place.county}`, `forecast/${place.forecast}`, `fire/${place.fire}`] : [];
  return ({ geometry, properties }) => {
    if (geometry) return contains(geometry, position);
    return (properties.affectedZones ?? []).some((url) => here.some((zone) => url.endsWith(`/${zone}`)));
  };
}
