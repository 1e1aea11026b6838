import {
  type Bbox,
  bboxContainsBbox,
  bboxTouchesShape,
  boxesAround,
  createTouchTest,
  bboxOf,
  distanceKm,
  isWithinKm,
  parseBbox,
  parsePolygon,
  planarBoxes,
  type PreparedShape,
  prepareShape,
  type Relation,
  type Shape,
  shapeOfBbox,
  shapeRelation,
  type TouchTest,
} from '@nwms/domain';
import type { Places } from '../../places/types.ts';
import type { FilterSubject } from '../board/row.ts';
import { fieldFault, geoFault } from './fault.ts';
import { createZoneSet, type ZoneSet } from './zone-set.ts';

/** A place this close to a shape counts as inside it: coast and border points otherwise fall between (trap 26). */
export const TOLERANCE_KM = 0.4;
export const DEFAULT_RADIUS_KM = 25;

export type MatchKind = 'polygon' | 'zone' | 'county' | 'distance';
export interface AreaMatch {
  kind: MatchKind;
  reason: string;
  /** Places only: 0 inside. */
  distanceKm: number;
  /** Areas only. */
  relation: Relation | null;
}

export interface AreaTest {
  /** `match(subject) !== null`, without finding out how. */
  touches(subject: FilterSubject): boolean;
  match(subject: FilterSubject): AreaMatch | null;
  boxes: readonly Bbox[];
  /** The area is these boxes, and not only within them. */
  isBoxes: boolean;
  /** Codes of known zones the place lies in: an alert for one of them matches whatever its shape. */
  zoneCodes: readonly string[];
  /** The asked area for bbox and polygon, prepared when first asked for. */
  shape(): PreparedShape | null;
}

interface AreaFilter {
  bbox?: string | undefined;
  polygon?: string | undefined;
  lat?: number | undefined;
  lon?: number | undefined;
  radius_km?: number | undefined;
}

/** At most one of bbox, polygon, and lat with lon may be given. */
export function compileArea(filter: AreaFilter, places: Places): AreaTest | null {
  const { lat, lon, radius_km: radiusKm } = filter;
  const asked = [
    filter.bbox !== undefined && 'bbox',
    filter.polygon !== undefined && 'polygon',
    (lat ?? lon) !== undefined && 'lat',
  ].filter(Boolean);
  if (asked.length > 1)
    throw fieldFault(String(asked[1]), 'conflict', `Give one of bbox, polygon, or lat with lon; not ${asked.join(' and ')}.`);
  if (filter.bbox !== undefined) {
    const box = parseBbox(filter.bbox);
    if (!box.ok) throw geoFault('bbox', box.fault);
    return areaTest({ shape: () => shapeOfBbox(box.value), boxes: planarBoxes(box.value), box: box.value }, places);
  }
  if (filter.polygon !== undefined) {
    const polygon = parsePolygon(filter.polygon);
    if (!polygon.ok) throw geoFault('polygon', polygon.fault);
    return shapeTest(polygon.value, places);
  }
  if (lat === undefined && lon === undefined) {
    if (radiusKm !== undefined) throw fieldFault('radius_km', 'conflict', 'radius_km needs lat and lon.');
    return null;
  }
  if (lat === undefined || lon === undefined) {
    const missing = lat === undefined ? 'lat' : 'lon';
    throw fieldFault(missing, 'required', `${missing} is missing: a place needs both lat and lon.`);
  }
  return placeTest({ lat, lon, radiusKm: radiusKm ?? DEFAULT_RADIUS_KM }, places);
}

export interface PlaceInput {
  lat: number;
  lon: number;
  radiusKm: number;
}

/** First that holds: inside the issuer's polygon, in a zone or county of the alert, shape within the radius. */
export function placeTest({ lat, lon, radiusKm }: PlaceInput, places: Places): AreaTest {
  const here = createZoneSet(places.zonesAt(lon, lat, TOLERANCE_KM));
  const reachKm = Math.max(radiusKm, TOLERANCE_KM);
  return {
    shape: () => null,
    boxes: boxesAround(lon, lat, reachKm),
    isBoxes: false,
    zoneCodes: here.codes,
    touches(subject) {
      const isIssuerPolygon = subject.alert.geometry_source === 'polygon';
      if (!isIssuerPolygon && here.zoneOf(subject)) return true;
      const shape = subject.shape();
      return shape !== null && isWithinKm(lon, lat, shape, isIssuerPolygon ? reachKm : radiusKm);
    },
    match(subject) {
      const shape = subject.shape();
      const away = shape ? distanceKm(lon, lat, shape, reachKm) : Infinity;
      const isIssuerPolygon = subject.alert.geometry_source === 'polygon';
      if (isIssuerPolygon && away <= TOLERANCE_KM)
        return { kind: 'polygon', reason: 'inside polygon', distanceKm: round(away), relation: null };
      const zone = isIssuerPolygon ? null : here.zoneOf(subject);
      // In the zone is in the alert: what its simplified outline measures does not matter then.
      if (zone) return { ...zone, distanceKm: 0, relation: null };
      if (away > radiusKm) return null;
      return { kind: 'distance', reason: `within ${away.toFixed(1)} km`, distanceKm: round(away), relation: null };
    },
  };
}

const round = (km: number): number => Math.round(km * 1000) / 1000;

/** Alerts that touch the shape. */
export function shapeTest(shape: Shape, places: Places): AreaTest {
  const ready = prepareShape(shape);
  return areaTest({ shape: () => shape, boxes: planarBoxes(ready.bbox), ready }, places);
}

interface AskedArea {
  shape: () => Shape;
  boxes: readonly Bbox[];
  ready?: PreparedShape;
  /** Set when the area is this box. */
  box?: Bbox;
}

/** Alerts that touch the area; unresolved ones by the zones the area is known to lie in. */
function areaTest({ shape, boxes, ready, box }: AskedArea, places: Places): AreaTest {
  let made = ready;
  const area = () => (made ??= prepareShape(shape()));
  let touchesArea: TouchTest | undefined;
  // Asked only for alerts without a whole shape: looking zones up costs more than the rest of the question.
  let here: ZoneSet | undefined;
  const zoneOf = (subject: FilterSubject) => {
    if (subject.alert.geometry_missing.length === 0) return null;
    here ??= zonesUnder(area().shape, places);
    return here.zoneOf(subject);
  };
  return {
    shape: area,
    boxes,
    isBoxes: box !== undefined,
    zoneCodes: [],
    touches(subject) {
      const own = subject.shape();
      if (own && (box ? bboxTouchesShape(box, own) : (touchesArea ??= createTouchTest(area()))(own))) return true;
      return zoneOf(subject) !== null;
    },
    match(subject) {
      const own = subject.shape();
      const relation = own && (box && liesIn(box, own.bbox) ? 'within' : shapeRelation(area(), own));
      const source = subject.alert.geometry_source;
      if (relation) {
        const reason = source === 'polygon' ? 'polygon touches the area' : 'zones touch the area';
        return { kind: source === 'polygon' ? 'polygon' : source === 'counties' ? 'county' : 'zone', reason, distanceKm: 0, relation };
      }
      const zone = zoneOf(subject);
      return zone && { ...zone, distanceKm: 0, relation: 'intersects' };
    },
  };
}

/** Inside a box and smaller than it: that is `within` without looking at a single edge. */
function liesIn(box: Bbox, own: Bbox): boolean {
  return bboxContainsBbox(box, own) && own.some((edge, side) => edge !== box[side]);
}

/** Zones under the corners and the middle of the area: enough to catch alerts whose shapes are still on their way. */
function zonesUnder(area: Shape, places: Places): ZoneSet {
  const rings = area.type === 'Polygon' ? area.coordinates : area.coordinates.flat();
  const corners = rings.flat();
  const step = Math.max(1, Math.ceil(corners.length / 16));
  const [west, south, east, north] = bboxOf(area);
  const middle = (west + (west > east ? east + 360 : east)) / 2;
  const samples = [
    ...corners.filter((_, index) => index % step === 0),
    [middle > 180 ? middle - 360 : middle, (south + north) / 2] as const,
  ];
  return createZoneSet(samples.flatMap(([lon, lat]) => places.zonesAt(lon, lat, 0)));
}
