import type { Position, Ring, Shape } from '@nwms/domain/geo/shape';

import type { Office } from './offices.ts';

/** A made-up sea or lake zone: a box off the coast, numbered the way the real ones are. */
export interface MarineZone {
  /** UGC, e.g. GMZ330. */
  id: string;
  name: string;
  /** Six digits: 0, the two of the water body, the three of the zone. */
  same: string;
  kind: 'coastal' | 'offshore';
  office: Office;
  shape: Shape;
  center: Position;
}

/** First digits of SAME codes of the waters (NWS Directive 10-1712). */
export const SAME_BY_WATERS: Readonly<Record<string, string>> = {
  PZ: '57',
  PK: '58',
  PH: '59',
  PS: '61',
  PM: '65',
  AN: '73',
  AM: '75',
  GM: '77',
  LS: '91',
  LM: '92',
  LH: '93',
  LC: '94',
  LE: '96',
  LO: '97',
  SL: '98',
};

// office | waters and first number | start lon,lat | step along the coast | step out to sea | boxes along
const STRIPS = `
BRO|GM130|-97.1,25.9|0,0.5|0.5,0|2
CRP|GM230|-97.1,27.0|0.25,0.4|0.35,-0.35|3
HGX|GM330|-95.6,28.6|0.5,0.25|0.2,-0.5|3
LCH|GM430|-93.8,29.6|0.6,-0.05|0,-0.5|3
LIX|GM530|-91.0,28.9|0.6,0|0,-0.5|3
MOB|GM630|-88.4,30.1|0.6,0.05|0,-0.5|3
TAE|GM730|-86.2,30.2|0.6,-0.15|-0.1,-0.5|3
TBW|GM830|-82.9,28.6|0,-0.6|-0.6,0|4
KEY|GM030|-82.2,24.4|0.6,0.05|0.05,-0.4|3
MFL|AM630|-80.0,25.3|0,0.5|0.5,0|3
MLB|AM550|-80.3,27.2|-0.1,0.5|0.5,0.1|3
JAX|AM450|-81.2,29.8|-0.05,0.5|0.5,0|3
CHS|AM350|-80.8,31.6|0.5,0.3|0.3,-0.45|3
ILM|AM250|-78.9,33.6|0.5,0.15|0.2,-0.5|3
MHX|AM150|-76.9,34.5|0.5,0.2|0.25,-0.5|3
AKQ|AN650|-75.6,36.3|0,0.5|0.6,0|3
LWX|AN530|-76.3,38.2|0,0.3|0.12,0|3
PHI|AN430|-74.8,38.6|0.15,0.5|0.6,-0.1|3
OKX|AN350|-73.6,40.4|0.6,0.15|0.1,-0.5|3
BOX|AN250|-70.7,41.0|0.1,0.5|0.6,0|3
GYX|AN150|-70.4,43.1|0.5,0.3|0.3,-0.5|3
CAR|AN050|-68.2,44.0|0.5,0.2|0.2,-0.5|2
BUF|LO030|-78.8,43.4|0.5,0|0,0.2|3
CLE|LE140|-82.9,41.6|0.5,0.08|0,0.25|4
DTX|LH440|-82.5,43.2|0,0.4|0.2,0|2
APX|LH340|-83.1,44.7|-0.1,0.4|0.4,0|2
GRR|LM840|-86.4,42.0|0,0.5|-0.35,0|4
LOT|LM740|-87.4,41.8|-0.05,0.3|0.25,0|2
MKX|LM640|-87.8,42.6|0,0.4|0.35,0|3
GRB|LM540|-87.4,44.2|0.1,0.4|0.35,-0.1|3
MQT|LS240|-88.9,47.3|0.6,-0.1|0.1,0.3|4
DLH|LS140|-91.8,46.9|0.5,0.25|0.12,-0.2|3
SEW|PZ130|-124.9,47.0|0,0.5|-0.6,0|3
PQR|PZ250|-124.2,44.2|0,0.6|-0.6,0|3
MFR|PZ350|-124.6,42.2|0,0.5|-0.6,0|3
EKA|PZ450|-124.4,39.8|0,0.6|-0.6,0|3
MTR|PZ530|-123.2,37.9|0.35,-0.5|-0.5,-0.35|4
LOX|PZ640|-121.3,35.2|0.4,-0.4|-0.5,-0.4|4
SGX|PZ750|-117.5,32.6|-0.15,0.4|-0.6,-0.1|2
HFO|PH110|-160.3,20.5|0.8,-0.1|-0.1,-0.8|5
AJK|PK640|-135.9,56.0|-0.6,0.8|-1,-0.3|3
AJK|PK010|-135.4,58.3|0.1,0.3|0.15,0.05|3
AFC|PK750|-168.5,52.6|-2.4,-0.15|0.1,-1.2|8
AFC|PK710|-152.8,57.2|0.8,0.5|0.7,-0.6|4
AFG|PK800|-165.5,64.0|-0.8,0.6|-1,0|3
GUM|PM150|144.6,13.2|0.2,0.5|0.6,-0.1|3
JSJ|AM710|-67.2,18.6|0.6,0.02|0,0.4|3
PPG|PS150|-170.9,-14.4|0.5,0.05|0.05,-0.4|2`;

/** Two rows of boxes per strip: near the coast (numbers from the strip's first) and further out (20 higher). */
export function listMarineZones(offices: Office[]): MarineZone[] {
  const byId = new Map(offices.map((office) => [office.id, office]));
  return STRIPS.trim()
    .split('\n')
    .flatMap((line) => {
      const [officeId = '', first = '', start = '', along = '', out = '', count = ''] = line.split('|');
      const office = byId.get(officeId);
      if (!office) throw new Error(`marine strip names an unknown office ${officeId}`);
      return stripZones(office, first, pair(start), pair(along), pair(out), Number(count));
    });
}

function pair(text: string): Position {
  const [a = '0', b = '0'] = text.split(',');
  return [Number(a), Number(b)];
}

function stripZones(office: Office, first: string, start: Position, along: Position, out: Position, count: number): MarineZone[] {
  const waters = first.slice(0, 2);
  const zones: MarineZone[] = [];
  for (const row of [0, 1]) {
    for (let index = 0; index < count; index += 1) {
      const corner: Position = [start[0] + along[0] * index + out[0] * row, start[1] + along[1] * index + out[1] * row];
      const ring: Ring = [
        corner,
        [corner[0] + along[0], corner[1] + along[1]],
        [corner[0] + along[0] + out[0], corner[1] + along[1] + out[1]],
        [corner[0] + out[0], corner[1] + out[1]],
        corner,
      ];
      const number = String(Number(first.slice(2)) + index + row * 20).padStart(3, '0');
      zones.push({
        id: `${waters}Z${number}`,
        name: `Simulated ${row === 0 ? 'coastal' : 'outer'} waters ${number} off ${office.name}`,
        same: `0${SAME_BY_WATERS[waters] ?? '00'}${number}`,
        kind: row === 0 ? 'coastal' : 'offshore',
        office,
        shape: splitAtAntimeridian(ring),
        center: [wrapped(corner[0] + (along[0] + out[0]) / 2), corner[1] + (along[1] + out[1]) / 2],
      });
    }
  }
  return zones;
}

function wrapped(lon: number): number {
  return ((((lon + 180) % 360) + 360) % 360) - 180;
}

/** RFC 7946 3.1.9: a shape across 180 degrees is two polygons. Boxes here are convex, so clipping each side is exact. */
function splitAtAntimeridian(ring: Ring): Shape {
  const tidy = (part: Ring): Ring => part.map(([x, y]) => [Math.round(x * 1e4) / 1e4, Math.round(y * 1e4) / 1e4]);
  const west = Math.min(...ring.map(([x]) => x));
  const east = Math.max(...ring.map(([x]) => x));
  if (west >= -180) return { type: 'Polygon', coordinates: [tidy(ring)] };
  if (east <= -180) return { type: 'Polygon', coordinates: [tidy(ring.map(([x, y]) => [x + 360, y]))] };
  const right = clipped(ring, (x) => x >= -180);
  const left = clipped(ring, (x) => x <= -180).map(([x, y]): Position => [x + 360, y]);
  return { type: 'MultiPolygon', coordinates: [[tidy(right)], [tidy(left)]] };
}

function clipped(ring: Ring, keeps: (x: number) => boolean): Ring {
  const kept: Ring = [];
  for (const [index, point] of ring.slice(0, -1).entries()) {
    const next = ring[index + 1] ?? point;
    if (keeps(point[0])) kept.push(point);
    if (keeps(point[0]) !== keeps(next[0])) kept.push([-180, point[1] + ((-180 - point[0]) / (next[0] - point[0])) * (next[1] - point[1])]);
  }
  const [first] = kept;
  return first ? [...kept, first] : kept;
}
