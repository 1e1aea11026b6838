import type { Bbox, Position, Ring, Shape } from '@nwms/domain';
import { mergeBboxes, polygonsOf } from '@nwms/domain';
import type { ShapeMeasure } from './measure-shape.ts';
import { measureShape } from './measure-shape.ts';
import { geometryText, textOfPolygons, turnedRings } from './polygons-text.ts';

/** One ready piece of an event's area: an issuer polygon or a version of a zone. */
export interface AreaPart extends ShapeMeasure {
  /** JSON text of its polygons without the outer brackets. */
  text: string;
  polygons(): Ring[][];
  timeZones: readonly string[];
}

/** An issuer polygon. Its clock depends on the zones around it and is told when it is joined. */
export type PolygonPart = Omit<AreaPart, 'timeZones'> & { number: number };

/** Issuer polygons are drawn as they came, turned the way GeoJSON wants them; measured once per object. */
export function createPolygonParts(): (shape: Shape) => PolygonPart {
  const known = new WeakMap<Shape, PolygonPart>();
  let count = 0;
  return (shape) => {
    let part = known.get(shape);
    if (!part) {
      part = {
        ...measureShape(shape),
        text: textOfPolygons(polygonsOf(shape).map(turnedRings)),
        polygons: () => polygonsOf(shape),
        number: (count += 1),
      };
      known.set(shape, part);
    }
    return part;
  };
}

/** All parts as one area. */
export interface Area {
  json: string;
  shape: Shape | null;
  labelPoint: Position | null;
  bbox: Bbox | null;
  areaKm2: number | null;
  timeZones: string[];
}

export function joinParts(parts: readonly AreaPart[]): Area {
  const drawn = parts.filter((part) => part.text !== '');
  const polygons = drawn.flatMap((part) => part.polygons());
  const only = polygons[0];
  if (!only) return { json: 'null', shape: null, labelPoint: null, bbox: null, areaKm2: null, timeZones: [] };
  let labelled = drawn[0];
  let areaKm2 = 0;
  const byTimeZone = new Map<string, number>();
  for (const part of drawn) {
    areaKm2 += part.areaKm2;
    if (!labelled || part.largestPartKm2 > labelled.largestPartKm2) labelled = part;
    // The first zone upstream names is the main one: it gets most of the part when there are several.
    part.timeZones.forEach((name, index) => byTimeZone.set(name, (byTimeZone.get(name) ?? 0) + part.areaKm2 / 2 ** index));
  }
  return {
    json: geometryText(drawn.map((part) => part.text)),
    shape: polygons.length === 1 ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: polygons },
    labelPoint: labelled?.labelPoint ?? null,
    bbox: mergeBboxes(drawn.map((part) => part.bbox).filter((box) => box !== null)),
    areaKm2: Math.round(areaKm2 * 10) / 10,
    timeZones: [...byTimeZone].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([name]) => name),
  };
}
