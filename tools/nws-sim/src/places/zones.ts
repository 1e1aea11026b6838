import type { Feed, PlaceZones, RawZone } from '../feature.ts';
import { fireNumber } from '../storms/areas.ts';
import type { Atlas, County } from './atlas.ts';
import type { MarineZone } from './marine.ts';
import type { Office } from './offices.ts';

/** Zone families as the last part but one of zone addresses. `public` and `forecast` share their land zones. */
export const ZONE_TYPES = ['forecast', 'public', 'county', 'fire', 'coastal', 'offshore'] as const;

/**
 * Zones of the simulator's own simplification: every county is also one public zone (same number) and one fire zone (number plus
 * one), with the county's shape; marine zones are boxes off the coast and answer under forecast, coastal or offshore.
 */
export function atlasZones(atlas: Atlas): Pick<Feed, 'zone' | 'zones' | 'zonesAt'> {
  const countyByUgc = new Map<string, County>();
  for (const county of atlas.counties) {
    const number = county.fips.slice(2);
    countyByUgc.set(`county/${county.state}C${number}`, county);
    countyByUgc.set(`public/${county.state}Z${number}`, county);
    countyByUgc.set(`fire/${county.state}Z${fireNumber(county)}`, county);
  }
  const zone = (type: string, id: string): RawZone | undefined => {
    const county = countyByUgc.get(`${type === 'forecast' ? 'public' : type}/${id}`);
    if (county) return landZone(county, type === 'forecast' ? 'public' : type, id);
    const marine = atlas.marineZone(id);
    return marine && (type === 'forecast' || type === marine.kind) ? seaZone(marine, type) : undefined;
  };
  return {
    zone,
    zones: (type) => {
      const family = type === 'forecast' ? 'public' : type;
      const land = [...countyByUgc]
        .filter(([key]) => key.startsWith(`${family}/`))
        .map(([key, county]) => landZone(county, family, key.slice(family.length + 1)));
      const sea = atlas.marineZones.filter((marine) => type === 'forecast' || type === marine.kind).map((marine) => seaZone(marine, type));
      return [...land, ...sea];
    },
    zonesAt: (position) => {
      const county = atlas.countyAt(position);
      return county && placeOf(county);
    },
  };
}

function placeOf(county: County): PlaceZones {
  const { office, state, name, center } = county;
  const number = county.fips.slice(2);
  return {
    county: `${state}C${number}`,
    forecast: `${state}Z${number}`,
    fire: `${state}Z${fireNumber(county)}`,
    name,
    state,
    office: { id: office.id, icao: office.icao, name: office.name, timeZone: office.timeZone },
    center,
  };
}

function landZone(county: County, type: string, id: string): RawZone {
  return rawZone(type, id, type === 'public' ? 'forecast' : type, county.name, county.state, county.office, county.shape);
}

function seaZone(marine: MarineZone, type: string): RawZone {
  return rawZone(marine.kind, marine.id, type === 'forecast' ? 'forecast' : marine.kind, marine.name, null, marine.office, marine.shape);
}

/** Zones of the simulator are valid from its own made-up date on. */
const VALID_FROM = '2025-03-18T00:00:00+00:00';

function rawZone(
  type: string,
  id: string,
  folder: string,
  name: string,
  state: string | null,
  office: Office,
  geometry: RawZone['geometry'],
): RawZone {
  const url = `https://api.weather.gov/zones/${folder}/${id}`;
  return {
    id: url,
    type: 'Feature',
    geometry,
    properties: {
      '@id': url,
      '@type': 'wx:Zone',
      id,
      type,
      name,
      effectiveDate: VALID_FROM,
      expirationDate: '2200-01-01T00:00:00+00:00',
      state,
      cwa: [office.id],
      forecastOffices: [`https://api.weather.gov/offices/${office.id}`],
      gridIdentifier: office.id,
      awipsLocationIdentifier: office.id,
      timeZone: [office.timeZone],
      observationStations: [],
      radarStation: null,
    },
  };
}
