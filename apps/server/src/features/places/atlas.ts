import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Bbox, stateOfSame } from '@nwms/domain';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { prepareZone, runAtOnce } from './prepare-zone.ts';
import { repairShape } from './repair-shape.ts';
import type { StoredZone } from './types.ts';

/** Counties that come with the program (npm us-atlas: US Census shapes, Connecticut's older counties, territories): no network needed. */
export interface Atlas {
  /** UGC of every county known, e.g. IAC153. */
  codes(): string[];
  /** Names of every county, without preparing them. */
  names(): Map<string, string>;
  /** Prepared at first use and kept. */
  county(code: string): StoredZone | null;
  /** Planar boxes of every county's parts, without preparing the counties. */
  boxes(): Map<string, Bbox[]>;
}

type Counties = Topology<{ counties: GeometryCollection<{ name: string }> }>;
type County = GeometryCollection<{ name: string }>['geometries'][number];

export function createAtlas(): Atlas {
  let source: { topology: Counties; byCode: Map<string, County> } | null = null;
  const prepared = new Map<string, StoredZone>();
  const loaded = () => (source ??= readCounties());
  return {
    codes: () => [...loaded().byCode.keys()],
    names: () => new Map([...loaded().byCode].map(([code, county]) => [code, nameOf(county) ?? code])),
    county(code) {
      const known = prepared.get(code);
      if (known) return known;
      const { topology, byCode } = loaded();
      const found = byCode.get(code);
      if (!found) return null;
      const item = feature(topology, found);
      const zone = countyZone(code, nameOf(found) ?? code, 'geometry' in item ? item.geometry : null);
      prepared.set(code, zone);
      return zone;
    },
    boxes() {
      const { topology, byCode } = loaded();
      const arcBoxes = boxesOfArcs(topology);
      return new Map([...byCode].map(([code, county]) => [code, partBoxesOf(county, arcBoxes)]));
    },
  };
}

function readCounties(): { topology: Counties; byCode: Map<string, County> } {
  const path = createRequire(import.meta.url).resolve('us-atlas/counties-10m.json');
  const topology = JSON.parse(readFileSync(path, 'utf8')) as Counties;
  const byCode = new Map<string, County>();
  for (const county of topology.objects.counties.geometries) {
    const fips = String(county.id ?? '');
    const state = stateOfSame(`0${fips}`);
    if (state) byCode.set(`${state}C${fips.slice(2)}`, county);
  }
  return { topology, byCode };
}

/** TopoJSON arcs are quantized steps; a box per arc is enough to bound every county. */
function boxesOfArcs(topology: Counties): Bbox[] {
  const { scale, translate } = topology.transform ?? { scale: [1, 1], translate: [0, 0] };
  return topology.arcs.map((arc) => {
    let x = 0;
    let y = 0;
    const box: Bbox = [Infinity, Infinity, -Infinity, -Infinity];
    for (const step of arc) {
      x += step[0] ?? 0;
      y += step[1] ?? 0;
      widen(box, [x, y, x, y]);
    }
    return [
      box[0] * scale[0] + translate[0],
      box[1] * scale[1] + translate[1],
      box[2] * scale[0] + translate[0],
      box[3] * scale[1] + translate[1],
    ];
  });
}

function partBoxesOf(county: County, arcBoxes: readonly Bbox[]): Bbox[] {
  const parts = county.type === 'Polygon' ? [county.arcs] : county.type === 'MultiPolygon' ? county.arcs : [];
  return parts.map((rings) => {
    const box: Bbox = [Infinity, Infinity, -Infinity, -Infinity];
    // A negative index is an arc walked backwards: ~index.
    for (const arc of rings[0] ?? []) widen(box, arcBoxes[arc < 0 ? ~arc : arc] ?? box);
    return box;
  });
}

function widen(box: Bbox, other: Readonly<Bbox>): void {
  box[0] = Math.min(box[0], other[0]);
  box[1] = Math.min(box[1], other[1]);
  box[2] = Math.max(box[2], other[2]);
  box[3] = Math.max(box[3], other[3]);
}

function countyZone(code: string, name: string, geometry: unknown): StoredZone {
  const shape = repairShape(geometry);
  const state = code.slice(0, 2);
  const timeZone = TIME_ZONE_BY_STATE[state];
  return {
    code,
    family: 'county',
    effectiveFrom: 0,
    effectiveTo: null,
    fetchedAt: 0,
    props: runAtOnce(prepareZone(shape, { name, state, timeZones: timeZone ? [timeZone] : [], offices: [] })),
    geometry: JSON.stringify(shape),
  };
}

const EASTERN = 'America/New_York';
const CENTRAL = 'America/Chicago';
const MOUNTAIN = 'America/Denver';
const PACIFIC = 'America/Los_Angeles';

/** States that keep one time everywhere (49 CFR 71); for the others the atlas does not say which county keeps which. */
const TIME_ZONE_BY_STATE: Readonly<Record<string, string>> = {
  ...Object.fromEntries('CT DC DE GA MA MD ME NC NH NJ NY OH PA RI SC VA VT WV'.split(' ').map((state) => [state, EASTERN])),
  ...Object.fromEntries('AL AR IA IL LA MN MO MS OK WI'.split(' ').map((state) => [state, CENTRAL])),
  ...Object.fromEntries('CO MT NM UT WY'.split(' ').map((state) => [state, MOUNTAIN])),
  ...Object.fromEntries('CA WA'.split(' ').map((state) => [state, PACIFIC])),
  HI: 'Pacific/Honolulu',
  PR: 'America/Puerto_Rico',
  VI: 'America/St_Thomas',
  GU: 'Pacific/Guam',
  MP: 'Pacific/Saipan',
  AS: 'Pacific/Pago_Pago',
};

function nameOf(county: County): string | null {
  const { name } = (county.properties ?? {}) as { name?: unknown };
  return typeof name === 'string' ? name : null;
}
