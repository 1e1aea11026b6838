import { type AffectedZone, type Instant, pointInShape } from '@nwms/domain';
import type { ShapeInput } from './types.ts';
import { countyUgcOfSame, familyOf, ugcOf, type ZoneBook, type ZoneVersion } from './zone-book.ts';

/** The zone versions that make an area, and what could not be found. */
export interface ChosenZones {
  zones: ZoneVersion[];
  counties: ZoneVersion[];
  /** Codes as the message wrote them. */
  missing: string[];
  /** A county is drawn whole although SAME says part of it (trap 22). */
  hasPartialCounty: boolean;
}

/**
 * Zones of a message are one way or the other: zones of the forecast, fire and marine books, or counties. Several messages of an
 * event may differ, so both kinds are taken. Where a zone is unknown, the message's SAME counties stand in, as far as no known zone
 * lies there already: an area too large and flagged is better than none (trap 18).
 */
export function chooseZones(book: ZoneBook, input: ShapeInput): ChosenZones {
  const chosen: ChosenZones = { zones: [], counties: [], missing: [], hasPartialCounty: false };
  const taken = new Set<number>();
  for (const zone of input.zones) {
    const versions = versionsOf(book, zone, input.at);
    if (versions.length === 0) chosen.missing.push(zone.code);
    for (const version of versions) {
      if (version.family === 'county' && zone.partial) chosen.hasPartialCounty = true;
      if (taken.has(version.number)) continue;
      taken.add(version.number);
      (version.family === 'county' ? chosen.counties : chosen.zones).push(version);
    }
  }
  if (chosen.missing.length > 0) for (const version of standIns(book, input, chosen)) chosen.counties.push(version);
  return chosen;
}

function versionsOf(book: ZoneBook, zone: AffectedZone, at: Instant): ZoneVersion[] {
  const ugc = ugcOf(zone);
  if (ugc === null) return [];
  // County number 000 means the whole state (NWS SAME and UGC tables).
  if (ugc.endsWith('C000')) return book.countiesOfState(ugc.slice(0, 2), at);
  const version = book.find(ugc, familyOf(ugc, zone.type), at);
  return version ? [version] : [];
}

function standIns(book: ZoneBook, input: ShapeInput, chosen: ChosenZones): ZoneVersion[] {
  const taken = new Set(chosen.counties.map((county) => county.number));
  const found: ZoneVersion[] = [];
  for (const same of new Set(input.same ?? [])) {
    const code = countyUgcOfSame(same);
    const county = code === null || code.endsWith('C000') ? null : book.find(code, 'county', input.at);
    if (!county || taken.has(county.number) || isCovered(county, chosen.zones)) continue;
    taken.add(county.number);
    found.push(county);
  }
  return found;
}

function isCovered(county: ZoneVersion, zones: readonly ZoneVersion[]): boolean {
  const point = county.props.labelPoint;
  if (!point) return true;
  return zones.some((zone) => pointInShape(point[0], point[1], zone.matchShape()));
}
