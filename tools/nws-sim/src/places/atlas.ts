import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Bbox, Polygon, Position, Shape } from '@nwms/domain/geo/shape';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

import { bboxOf, contains, distanceKm, polygonsOf, roughCenter } from './geometry.ts';
import { listMarineZones, type MarineZone } from './marine.ts';
import { listOffices, type Office, regionOf } from './offices.ts';
import { STATE_BY_FIPS } from './states.ts';

export interface County {
  /** Five digits, e.g. 19153. */
  fips: string;
  name: string;
  state: string;
  shape: Shape;
  center: Position;
  office: Office;
}

/** Where the simulated weather happens. Immutable once loaded; share one between feeds, loading takes some tens of milliseconds. */
export interface Atlas {
  offices: Office[];
  counties: County[];
  countiesOf(office: Office): County[];
  marineOf(office: Office): MarineZone[];
  byFips(fips: string): County | undefined;
  marineZone(id: string): MarineZone | undefined;
  marineZones: MarineZone[];
  countyAt(position: Position): County | undefined;
}

/** Where the nearest office is not the right one: the Keys are in Monroe County, whose largest part is on the mainland. */
const OFFICE_BY_FIPS: Readonly<Record<string, string>> = { '12087': 'KEY' };

interface CountyProperties {
  name: string;
}

/** Counties come from the npm package us-atlas (US Census shapes); each belongs to the nearest office of its region. */
export function loadAtlas(): Atlas {
  const path = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Topology<{ counties: GeometryCollection<CountyProperties> }>;
  const offices = listOffices();
  const counties = feature(topology, topology.objects.counties)
    .features.flatMap((item): County[] => {
      const fips = String(item.id ?? '');
      const state = STATE_BY_FIPS[fips.slice(0, 2)];
      const shape = item.geometry as unknown as Shape | null;
      if (!state || !shape || (shape.type !== 'Polygon' && shape.type !== 'MultiPolygon')) return [];
      const center = roughCenter(shape);
      const office = offices.find((candidate) => candidate.id === OFFICE_BY_FIPS[fips]) ?? nearestOffice(offices, state, center);
      return [{ fips, state, name: item.properties.name, shape, center, office }];
    })
    .sort((a, b) => (a.fips < b.fips ? -1 : 1));
  const marineZones = listMarineZones(offices);
  const byFips = new Map(counties.map((county) => [county.fips, county]));
  const byOffice = Map.groupBy(counties, (county) => county.office.id);
  const marineByOffice = Map.groupBy(marineZones, (zone) => zone.office.id);
  const marineById = new Map(marineZones.map((zone) => [zone.id, zone]));
  return {
    offices,
    counties,
    marineZones,
    countiesOf: (office) => byOffice.get(office.id) ?? [],
    marineOf: (office) => marineByOffice.get(office.id) ?? [],
    byFips: (fips) => byFips.get(fips),
    marineZone: (id) => marineById.get(id),
    countyAt: countyIndex(counties),
  };
}

function nearestOffice(offices: Office[], state: string, center: Position): Office {
  const region = regionOf(state);
  let best: Office | null = null;
  let bestKm = Infinity;
  for (const office of offices) {
    if (office.region !== region) continue;
    const km = distanceKm(office.position, center);
    if (best !== null && km >= bestKm) continue;
    best = office;
    bestKm = km;
  }
  if (!best) throw new Error(`no office for ${state}`);
  return best;
}

interface Piece {
  county: County;
  polygon: Polygon;
  box: Bbox;
}

/** Look-up over a grid of one degree: every cell lists the county polygons whose boxes touch it. */
function countyIndex(counties: County[]): Atlas['countyAt'] {
  let cells: Map<string, Piece[]> | null = null;
  return (position) => {
    // Made at the first question: a start needs none.
    cells ??= piecesByCell(counties);
    const [x, y] = position;
    for (const { county, polygon, box } of cells.get(`${Math.floor(x)},${Math.floor(y)}`) ?? []) {
      if (x >= box[0] && x <= box[2] && y >= box[1] && y <= box[3] && contains(polygon, position)) return county;
    }
    return undefined;
  };
}

function piecesByCell(counties: County[]): Map<string, Piece[]> {
  const cells = new Map<string, Piece[]>();
  for (const county of counties) {
    for (const coordinates of polygonsOf(county.shape)) {
      const piece: Piece = { county, polygon: { type: 'Polygon', coordinates }, box: bboxOf(coordinates) };
      for (const key of cellsOf(piece.box)) {
        const pieces = cells.get(key);
        if (pieces) pieces.push(piece);
        else cells.set(key, [piece]);
      }
    }
  }
  return cells;
}

function cellsOf([west, south, east, north]: Bbox): string[] {
  const keys: string[] = [];
  for (let x = Math.floor(west); x <= Math.floor(east); x += 1) {
    for (let y = Math.floor(south); y <= Math.floor(north); y += 1) keys.push(`${x},${y}`);
  }
  return keys;
}
