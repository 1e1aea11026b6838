import type { AffectedZone, Bbox, GeometryQuality, GeometrySource, Instant, Position, Shape, ZoneType } from '@nwms/domain';

/**
 * Where an event is, told per standing message: `polygons` of the messages that have one, `zones` (and `same`) only of the
 * messages that have none: the polygon stands for its message's zones (trap 25).
 */
export interface ShapeInput {
  zones: readonly AffectedZone[];
  polygons: readonly Shape[];
  /** SAME codes of the messages without a polygon: counties drawn in place of zones that are not known (yet). */
  same?: readonly string[];
  /** Zones of the messages whose polygon is drawn: they say which clock its place keeps. */
  around?: readonly AffectedZone[];
  /** History uses the zone shapes valid then (trap 20). */
  at: Instant;
}

/** Shape of an event: issuer polygons, else its zones, else its counties (trap 18). */
export interface ResolvedShape {
  /** The coarsest kind used: counties before zones before polygon. */
  source: GeometrySource;
  /** exact = issuer polygons only; resolved = every zone known; partial = a zone is missing, or a county is drawn whole where SAME says part of it (trap 22); none. */
  quality: GeometryQuality;
  /** Codes without a known shape. */
  missing: string[];
  /** Display geometry already encoded as GeoJSON text (`null` text when none): zone shapes simplified to 0.005°, 5 decimals, split at ±180°. */
  json: string;
  shape: Shape | null;
  /** Pole of inaccessibility of the largest part: always inside. */
  labelPoint: Position | null;
  bbox: Bbox | null;
  areaKm2: number | null;
  /** IANA zones of the area, largest first. */
  timeZones: string[];
}

export interface ZoneInfo {
  code: string;
  type: ZoneType;
  name: string | null;
  /** Two letters, null for marine. */
  state: string | null;
  timeZones: string[];
  /** Four-letter offices. */
  offices: string[];
  effectiveFrom: Instant | null;
}

/** Face of the places slice. Everything here answers from memory, synchronously. */
export interface Places {
  resolve(input: ShapeInput): ResolvedShape;
  /** Unsimplified shape for `geometry=full`. */
  resolveFull(input: ShapeInput): Promise<Shape | null>;
  zoneInfo(code: string, type: ZoneType): ZoneInfo | null;
  /** Zones of every family that contain the point or lie within the tolerance. */
  zonesAt(lon: number, lat: number, toleranceKm: number): { code: string; type: ZoneType }[];
  /** inside = the place itself lies in a known land or marine zone (0.4 km tolerance); partial = only some of the circle does; outside = none of it. */
  coverage(lon: number, lat: number, radiusKm: number): 'inside' | 'outside' | 'partial';
  /** Asks for shapes that are missing; fetched in the background, once, and kept with their effective dates. */
  ensure(zones: readonly AffectedZone[]): void;
  /** Called after new shapes became available. */
  onLoaded(listener: (codes: readonly string[]) => void): () => void;
}

/** Named areas for the search of places; what is asked here may prepare shapes and is not asked on the way of alerts. */
export interface AreaBook {
  /** Grows whenever `named` may answer otherwise. */
  generation(): number;
  named(): { code: string; family: ZoneFamily; name: string; state: string | null }[];
  /** Where a county or zone lies; null when its shape is not known. */
  whereabouts(code: string, family: ZoneFamily): { labelPoint: Position; bbox: Bbox } | null;
  /** States as their counties make them. */
  stateBox(state: string): Bbox | null;
}

/** Zone URLs of upstream know three number spaces; `forecast` holds public, marine and offshore zones. */
export type ZoneFamily = 'forecast' | 'county' | 'fire';

/** Everything an answer needs about one version of a zone, made once when the zone is fetched; plain JSON. */
export interface PreparedZone {
  name: string | null;
  state: string | null;
  timeZones: string[];
  offices: string[];
  /** Polygons of the display copy (0.005 degree) as JSON text without the outer brackets: `[[[lon,lat],...]],[[...]]`; empty when the zone has no shape. */
  display: string;
  /** The same for the matching copy (0.001 degree), used for points. */
  match: string;
  /** Inside the largest part. */
  labelPoint: Position | null;
  /** Area of that part, to choose among zones. */
  largestPartKm2: number;
  bbox: Bbox | null;
  areaKm2: number;
}

/** One version of one zone as kept; key: code, family, effectiveFrom. */
export interface StoredZone {
  code: string;
  family: ZoneFamily;
  /** 0 when upstream gave no date. */
  effectiveFrom: Instant;
  effectiveTo: Instant | null;
  fetchedAt: Instant;
  props: PreparedZone;
  /** Repaired, unsimplified GeoJSON geometry text; `null` text when upstream has none. */
  geometry: string;
}

/** Names one version of one zone; `fetchedAt` tells its copies apart. */
export type ZoneKey = Pick<StoredZone, 'code' | 'family' | 'effectiveFrom' | 'fetchedAt'>;

/** Kept zones (features/places/store.ts). Saving an existing key replaces it; nothing is ever deleted: retired codes stay (trap 20). */
export interface ZoneStore {
  /** Newest version of every zone, without the heavy geometry, so that the start does not read hundreds of megabytes. */
  load(): Promise<Omit<StoredZone, 'geometry'>[]>;
  /** Names of the versions fetched after an instant, oldest fetch first. */
  fetchedSince(at: Instant): Promise<ZoneKey[]>;
  /** One version, light as those of `load`. */
  version(key: ZoneKey): Promise<Omit<StoredZone, 'geometry'> | null>;
  save(zone: StoredZone): Promise<void>;
  /** All versions, oldest first. */
  history(code: string, family: ZoneFamily): Promise<StoredZone[]>;
}

/** One zone asked of upstream. `feature` is the GeoJSON feature as parsed, not yet trusted. */
export type ZoneAnswer =
  | { kind: 'ok'; feature: unknown }
  | { kind: 'missing' }
  | { kind: 'failed'; reason: string; retryAfterSeconds: number | null };

/** GET {upstream}/zones/{family}/{code}; never throws. */
export type FetchZone = (family: ZoneFamily, code: string) => Promise<ZoneAnswer>;
