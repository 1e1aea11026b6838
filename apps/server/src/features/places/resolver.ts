import timeZoneOf from '@photostructure/tz-lookup';
import type { GeometryQuality, GeometrySource, Position, Ring, Shape } from '@nwms/domain';
import { pointInShape, polygonsOf } from '@nwms/domain';
import { compareText } from '@nwms/domain/alert/in-force';
import { createBoundedCache } from '../../platform/bounded-cache.ts';
import { turnedRings } from './polygons-text.ts';
import { type AreaPart, createPolygonParts, joinParts, type PolygonPart } from './area-parts.ts';
import { type ChosenZones, chooseZones } from './choose-parts.ts';
import type { ResolvedShape, ShapeInput, ZoneStore } from './types.ts';
import { familyOf, ugcOf, type ZoneBook, type ZoneVersion } from './zone-book.ts';

/** Text of areas kept: 64 MB holds some thousand national events. */
const CACHE_CHARACTERS = 64 * 1024 * 1024;

export interface Resolver {
  resolve(input: ShapeInput): ResolvedShape;
  resolveFull(input: ShapeInput): Promise<Shape | null>;
}

/**
 * Areas of events. Equal areas get the identical answer object, so that callers may keep what they derive from it. The answer depends on the
 * question and the versions of its own zones alone, never on what else was loaded or in which order: every process gives the same text.
 */
export function createResolver(deps: { book: ZoneBook; store: Pick<ZoneStore, 'history'> }): Resolver {
  const cache = createBoundedCache<ResolvedShape>(CACHE_CHARACTERS);
  const polygonPart = createPolygonParts();
  return {
    resolve(input) {
      const polygons = input.polygons.map(polygonPart);
      const chosen = chooseZones(deps.book, input);
      const around = versionsAround(deps.book, input);
      const key = [
        polygons.map((part) => part.number).sort(),
        [...chosen.zones, ...chosen.counties].map((zone) => zone.number).sort((a, b) => a - b),
        [...new Set(chosen.missing)].sort(),
        chosen.hasPartialCounty,
        around.map((zone) => zone.number).sort((a, b) => a - b),
      ].join('|');
      const known = cache.get(key);
      if (known) return known;
      const resolved = resolvedShape(polygons, chosen, around);
      cache.put(key, resolved, resolved.json.length + 500);
      return resolved;
    },
    async resolveFull(input) {
      const chosen = chooseZones(deps.book, input);
      const versions = [...chosen.zones, ...chosen.counties].sort(byName);
      const zones = await Promise.all(versions.map((version) => fullPolygons(deps.store, version)));
      const polygons = [...input.polygons.flatMap(polygonsOf).map(turnedRings), ...zones.flat()];
      const only = polygons[0];
      if (!only) return null;
      return polygons.length === 1 ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: polygons };
    },
  };
}

function resolvedShape(polygons: readonly PolygonPart[], chosen: ChosenZones, around: readonly ZoneVersion[]): ResolvedShape {
  const drawn = [...polygons]
    .sort((a, b) => compareText(a.text, b.text))
    .map((part) => ({ ...part, timeZones: timeZonesOf(part.labelPoint, around) }));
  const zones = [...chosen.zones, ...chosen.counties].sort(byName);
  const area = joinParts([...drawn, ...zones.map(partOfZone)]);
  return {
    source: sourceOf(polygons, chosen),
    quality: qualityOf(area.shape, chosen),
    missing: [...new Set(chosen.missing)].sort(),
    ...area,
  };
}

/** The same in every process; numbers of versions are not. */
function byName(a: ZoneVersion, b: ZoneVersion): number {
  return compareText(a.code, b.code) || compareText(a.family, b.family) || a.effectiveFrom - b.effectiveFrom;
}

function partOfZone({ props, polygons }: ZoneVersion): AreaPart {
  return {
    text: props.display,
    polygons,
    // Embedded counties of states with several clocks know none.
    timeZones: props.timeZones.length > 0 ? props.timeZones : timeZonesOf(props.labelPoint, []),
    labelPoint: props.labelPoint,
    largestPartKm2: props.largestPartKm2,
    bbox: props.bbox,
    areaKm2: props.areaKm2,
  };
}

/** Zones whose clock a polygon of the question may keep, those that know one. */
function versionsAround(book: ZoneBook, { around = [], at }: ShapeInput): ZoneVersion[] {
  const found = new Set<ZoneVersion>();
  for (const zone of around) {
    const ugc = ugcOf(zone);
    const version = ugc === null ? null : book.find(ugc, familyOf(ugc, zone.type), at);
    if (version && version.props.timeZones.length > 0) found.add(version);
  }
  return [...found].sort(byName);
}

/** Of the zone the point lies in; the map of time zones is coarse at borders, zones are not. */
function timeZonesOf(point: Position | null, around: readonly ZoneVersion[]): readonly string[] {
  if (!point) return [];
  const zone = around.find((version) => pointInShape(point[0], point[1], version.matchShape()));
  return zone ? zone.props.timeZones : [timeZoneOf(point[1], point[0])];
}

/** The coarsest kind used. */
function sourceOf(polygons: readonly PolygonPart[], chosen: ChosenZones): GeometrySource {
  if (chosen.counties.length > 0) return 'counties';
  if (chosen.zones.length > 0) return 'zones';
  return polygons.length > 0 ? 'polygon' : 'none';
}

function qualityOf(shape: Shape | null, chosen: ChosenZones): GeometryQuality {
  if (!shape) return 'none';
  if (chosen.missing.length > 0 || chosen.hasPartialCounty) return 'partial';
  return chosen.zones.length + chosen.counties.length > 0 ? 'resolved' : 'exact';
}

/** Unsimplified, from the store; atlas counties from memory. Rejects when the store cannot be read: a coarse shape must not pass for a full one. */
async function fullPolygons(store: Pick<ZoneStore, 'history'>, version: ZoneVersion): Promise<Ring[][]> {
  if (version.isEmbedded) return version.fullPolygons();
  const kept = (await store.history(version.code, version.family)).find((each) => each.effectiveFrom === version.effectiveFrom);
  const shape = kept ? (JSON.parse(kept.geometry) as Shape | null) : null;
  return shape ? polygonsOf(shape) : version.polygons();
}
