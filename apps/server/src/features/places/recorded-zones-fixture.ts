import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { sharedData } from '@nwms/testkit';
import type { FetchZone, ZoneFamily } from './types.ts';

export interface RecordedZone {
  type: 'Feature';
  properties: Record<string, unknown>;
  geometry: unknown;
}

export interface RecordedZones {
  byFamily: Record<ZoneFamily, Map<string, RecordedZone>>;
  fetchZone: FetchZone;
  /** `family/code` of everything asked that is not in the recordings. */
  unknown: Set<string>;
}

const FILES: [ZoneFamily, string][] = [
  ['forecast', 'zones/public-zones-18mr25.simplified.geojson.gz'],
  ['forecast', 'zones/marine-zones.partial.geojson.gz'],
  ['county', 'zones/counties-nws.simplified.geojson.gz'],
  ['fire', 'zones/fire-zones.simplified.geojson.gz'],
];

/** NWS one-letter time zones of the zone files. */
const TIME_ZONES: Record<string, string> = {
  E: 'America/New_York',
  C: 'America/Chicago',
  M: 'America/Denver',
  P: 'America/Los_Angeles',
  A: 'America/Anchorage',
  H: 'Pacific/Honolulu',
  m: 'America/Phoenix',
  G: 'Pacific/Guam',
  S: 'Pacific/Pago_Pago',
  V: 'America/Puerto_Rico',
};

export function readGzipJson(path: string): unknown {
  return JSON.parse(gunzipSync(readFileSync(path)).toString('utf8'));
}

/** The real zone shapes in the form of upstream's `/zones/{family}/{code}`; null where the recordings are not at hand. */
export function recordedZones(): RecordedZones | null {
  const byFamily: RecordedZones['byFamily'] = { forecast: new Map(), county: new Map(), fire: new Map() };
  for (const [family, file] of FILES) {
    const path = sharedData(file);
    if (!path) return null;
    const { features } = readGzipJson(path) as { features: RawZone[] };
    for (const { id, properties, geometry } of features) {
      byFamily[family].set(id, {
        type: 'Feature',
        properties: {
          id,
          name: properties.name ?? id,
          effectiveDate: '2025-03-18T00:00:00+00:00',
          expirationDate: '2200-01-01T00:00:00+00:00',
          cwa: [properties.cwa ?? properties.wfo ?? ''],
          timeZone: [...(properties.tz ?? '')].map((letter) => TIME_ZONES[letter]).filter((name) => name !== undefined),
        },
        geometry,
      });
    }
  }
  const unknown = new Set<string>();
  return {
    byFamily,
    unknown,
    fetchZone: async (family, code) => {
      const feature = byFamily[family].get(code);
      if (!feature) unknown.add(`${family}/${code}`);
      return feature ? { kind: 'ok', feature } : { kind: 'missing' };
    },
  };
}

interface RawZone {
  id: string;
  properties: { name?: string; cwa?: string; wfo?: string; tz?: string };
  geometry: unknown;
}
