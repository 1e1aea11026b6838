import type { Ring } from '@nwms/domain';

/**
 * Parts of a shape are kept as JSON text without the outer brackets (`[[[x,y],...]],[[...]]`), so that the shape of an event is a
 * joining of ready pieces.
 */
export function textOfPolygons(polygons: readonly Ring[][]): string {
  return polygons.map((rings) => JSON.stringify(rings)).join(',');
}

/** Outer rings counter-clockwise, holes clockwise (RFC 7946 section 3.1.6): upstream's polygons come either way. Positions stay as they are. */
export function turnedRings(rings: Ring[]): Ring[] {
  return rings.map((ring, index) => (doubledArea(ring) < 0 === index > 0 ? ring : ring.toReversed()));
}

/** Planar; its sign says which way the ring turns. */
function doubledArea(ring: Ring): number {
  let sum = 0;
  let [beforeX, beforeY] = ring.at(-1) ?? [0, 0];
  for (const [x, y] of ring) {
    sum += beforeX * y - x * beforeY;
    [beforeX, beforeY] = [x, y];
  }
  return sum;
}

export function polygonsOfText(text: string): Ring[][] {
  return JSON.parse(`[${text}]`) as Ring[][];
}

/** GeoJSON geometry text of all pieces together; `null` text for none. */
export function geometryText(pieces: readonly string[]): string {
  const text = pieces.filter((piece) => piece !== '').join(',');
  if (text === '') return 'null';
  return text.includes(']]],[[[') ? `{"type":"MultiPolygon","coordinates":[${text}]}` : `{"type":"Polygon","coordinates":${text}}`;
}
