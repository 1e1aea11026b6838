import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';

import type { Bbox, Position, Shape } from '@nwms/domain/geo/shape';

import type { Feed, RawZone } from '../feature.ts';
import { bboxOf, contains, polygonsOf } from '../places/geometry.ts';

/** Beginnings of the file names that hold each family, in a folder of recorded shapes (GeoJSON, plain or gzip). */
const FILES = { county: 'counties', public: 'public-zones', fire: 'fire-zones', marine: 'marine-zones' } as const;
type Family = keyof typeof FILES;

/** Time zone letters of the NWS shape files; the second letter of a pair covers a part of the zone. */
const TIME_ZONES: Readonly<Record<string, string>> = {
  E: 'America/New_York',
  C: 'America/Chicago',
  M: 'America/Denver',
  m: 'America/Phoenix',
  P: 'America/Los_Angeles',
  A: 'America/Anchorage',
  h: 'America/Adak',
  H: 'Pacific/Honolulu',
  V: 'America/Puerto_Rico',
  G: 'Pacific/Guam',
  S: 'Pacific/Pago_Pago',
};

interface Recorded {
  zone: RawZone;
  boxes: Bbox[];
}

interface Row {
  id: string;
  geometry: Shape;
  properties: { name?: string; state?: string; cwa?: string; wfo?: string; tz?: string };
}

/** Zones of a folder of recorded shapes; what the folder lacks comes from `fallback`. Files are read when first needed. */
export function recordedZones(
  folder: string,
  fallback: Pick<Feed, 'zone' | 'zones' | 'zonesAt'>,
): Pick<Feed, 'zone' | 'zones' | 'zonesAt'> {
  const read = new Map<Family, Map<string, Recorded>>();
  const family = (name: Family): Map<string, Recorded> => {
    const known = read.get(name);
    if (known) return known;
    const made = readFamily(folder, name);
    read.set(name, made);
    return made;
  };
  const at = (name: Family, position: Position): string | undefined =>
    [...family(name)].find(
      ([, { zone, boxes }]) => zone.geometry !== null && boxes.some((box) => inBox(box, position)) && contains(zone.geometry, position),
    )?.[0];
  return {
    zone: (type, id) =>
      familiesOf(type)
        .map((name) => family(name).get(id)?.zone)
        .find(Boolean) ?? fallback.zone(type, id),
    zones: (type) => familiesOf(type).flatMap((name) => [...family(name).values()].map(({ zone }) => zone)),
    zonesAt: (position) => {
      const place = fallback.zonesAt(position);
      if (!place) return undefined;
      return {
        ...place,
        county: at('county', position) ?? place.county,
        forecast: at('public', position) ?? place.forecast,
        fire: at('fire', position) ?? place.fire,
      };
    },
  };
}

function familiesOf(type: string): Family[] {
  if (type === 'forecast') return ['public', 'marine'];
  if (type === 'coastal' || type === 'offshore') return ['marine'];
  return type === 'public' || type === 'county' || type === 'fire' ? [type] : [];
}

function readFamily(folder: string, name: Family): Map<string, Recorded> {
  const file = existsSync(folder)
    ? readdirSync(folder).find((candidate) => candidate.startsWith(FILES[name]) && /\.(geo)?json(\.gz)?$/.test(candidate))
    : undefined;
  if (!file) return new Map();
  const bytes = readFileSync(join(folder, file));
  const collection = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')) as { features: Row[] };
  return new Map(collection.features.map((row) => [row.id, { zone: toZone(name, row), boxes: polygonsOf(row.geometry).map(bboxOf) }]));
}

function inBox([west, south, east, north]: Bbox, [x, y]: Position): boolean {
  return x >= west && x <= east && y >= south && y <= north;
}

/** The recorded tables are those valid from 2025-03-18. */
const VALID_FROM = '2025-03-18T00:00:00+00:00';

function toZone(family: Family, { id, geometry, properties }: Row): RawZone {
  const folder = family === 'county' || family === 'fire' ? family : 'forecast';
  const url = `https://api.weather.gov/zones/${folder}/${id}`;
  const office = properties.cwa ?? properties.wfo;
  return {
    id: url,
    type: 'Feature',
    geometry,
    properties: {
      '@id': url,
      '@type': 'wx:Zone',
      id,
      type: family === 'marine' ? 'coastal' : family,
      name: properties.name ?? id,
      effectiveDate: VALID_FROM,
      expirationDate: '2200-01-01T00:00:00+00:00',
      state: properties.state ?? null,
      cwa: office ? [office] : [],
      forecastOffices: office ? [`https://api.weather.gov/offices/${office}`] : [],
      gridIdentifier: office ?? null,
      awipsLocationIdentifier: office ?? null,
      timeZone: [...(properties.tz ?? '')].flatMap((letter) => TIME_ZONES[letter] ?? []),
      observationStations: [],
      radarStation: null,
    },
  };
}
