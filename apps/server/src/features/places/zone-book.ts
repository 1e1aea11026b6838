import {
  type AffectedZone,
  type Bbox,
  fipsOfSame,
  planarBoxes,
  polygonsOf,
  type Shape,
  type Instant,
  type PreparedShape,
  prepareShape,
  type Ring,
  stateOfSame,
  type ZoneType,
} from '@nwms/domain';
import type { Atlas } from './atlas.ts';
import { polygonsOfText } from './polygons-text.ts';
import type { StoredZone, ZoneFamily } from './types.ts';

type Kept = Omit<StoredZone, 'geometry'>;

/** One version of a zone in memory; shapes are read from their text at first use. */
export interface ZoneVersion extends Readonly<Omit<Kept, 'fetchedAt'>> {
  /** When upstream last said so. */
  fetchedAt: Instant;
  /** Unique in this process: same number, same shape. */
  readonly number: number;
  /** From the atlas, not from upstream. */
  readonly isEmbedded: boolean;
  /** Display polygons. */
  polygons(): Ring[][];
  matchShape(): PreparedShape;
  /** Unsimplified polygons, when they are in memory (atlas counties), else the display copy. */
  fullPolygons(): Ring[][];
}

/** Every zone known, with its versions by effective date (trap 20). */
export interface ZoneBook {
  add(zone: Kept): ZoneVersion;
  /** The version valid at the instant, else the oldest known; counties fall back to the atlas; null when nothing with a shape is known. */
  find(code: string, family: ZoneFamily, at: Instant): ZoneVersion | null;
  /** Counties of a state as valid at the instant. */
  countiesOfState(state: string, at: Instant): ZoneVersion[];
  /** Newest version as fetched, also one without a shape; never the atlas. */
  newest(code: string, family: ZoneFamily): ZoneVersion | null;
  /** Newest versions of all zones with a shape, atlas counties included; boxes are planar, versions made when asked for. */
  places(): { boxes: Bbox[]; version: () => ZoneVersion | null }[];
  /** Name and state of every county and forecast zone with a shape, without preparing any; fire zones repeat the names of others. */
  named(): { code: string; family: ZoneFamily; name: string; state: string | null }[];
  /** Prepares one more county of the atlas; false when all are done. */
  warmUp(): boolean;
  /** Grows with every addition. */
  generation(): number;
}

export function createZoneBook(atlas: Atlas): ZoneBook {
  const versions = new Map<string, ZoneVersion[]>();
  const embedded = new Map<string, ZoneVersion | null>();
  let count = 0;
  let additions = 0;
  let cold: string[] | null = null;
  const embeddedCounty = (code: string): ZoneVersion | null => {
    let version = embedded.get(code);
    if (version === undefined) {
      const zone = atlas.county(code);
      version = zone && versionOf(zone, (count += 1), zone.geometry);
      embedded.set(code, version);
    }
    return version;
  };
  const book: ZoneBook = {
    add(zone) {
      additions += 1;
      const key = keyOf(zone.code, zone.family);
      const version = versionOf(zone, (count += 1), null);
      const others = (versions.get(key) ?? []).filter((other) => other.effectiveFrom !== zone.effectiveFrom);
      versions.set(
        key,
        [...others, version].sort((a, b) => a.effectiveFrom - b.effectiveFrom),
      );
      return version;
    },
    find(code, family, at) {
      const found = pick(versions.get(keyOf(code, family)), at);
      return found ?? (family === 'county' ? embeddedCounty(code) : null);
    },
    countiesOfState(state, at) {
      const fetched = [...versions.keys()].filter((key) => key.startsWith(`county/${state}C`)).map((key) => key.slice('county/'.length));
      const codes = new Set([...fetched, ...atlas.codes().filter((code) => code.startsWith(`${state}C`))]);
      return [...codes].map((code) => book.find(code, 'county', at)).filter((version) => version !== null);
    },
    newest: (code, family) => versions.get(keyOf(code, family))?.at(-1) ?? null,
    places() {
      const newest = [...versions.values()].map((list) => pick(list, Infinity)).filter((version) => version !== null);
      const known = new Set(newest.filter((version) => version.family === 'county').map((version) => version.code));
      return [
        ...newest.map((version) => ({ boxes: version.props.bbox ? planarBoxes(version.props.bbox) : [], version: () => version })),
        ...[...atlas.boxes()].filter(([code]) => !known.has(code)).map(([code, boxes]) => ({ boxes, version: () => embeddedCounty(code) })),
      ];
    },
    named() {
      const newest = [...versions.values()].map((list) => pick(list, Infinity)).filter((version) => version !== null);
      const fetched = newest.filter((version) => version.family !== 'fire');
      const known = new Set(fetched.filter((version) => version.family === 'county').map((version) => version.code));
      return [
        ...fetched.map(({ code, family, props }) => ({ code, family, name: props.name ?? code, state: props.state })),
        ...[...atlas.names()]
          .filter(([code]) => !known.has(code))
          .map(([code, name]) => ({ code, family: 'county' as const, name, state: code.slice(0, 2) })),
      ];
    },
    warmUp() {
      cold ??= atlas.codes();
      const code = cold.pop();
      if (code !== undefined) embeddedCounty(code);
      return cold.length > 0;
    },
    generation: () => additions,
  };
  return book;
}

/** Newest version that has a shape and was valid then, else the oldest with a shape. */
function pick(list: readonly ZoneVersion[] | undefined, at: Instant): ZoneVersion | null {
  if (!list) return null;
  let oldest: ZoneVersion | null = null;
  for (let index = list.length - 1; index >= 0; index -= 1) {
    const version = list[index];
    if (!version || version.props.display === '') continue;
    if (version.effectiveFrom <= at) return version;
    oldest = version;
  }
  return oldest;
}

const keyOf = (code: string, family: ZoneFamily): string => `${family}/${code}`;

/** `geometry`: the unsimplified text of atlas counties; that of fetched zones stays in the store. */
function versionOf(zone: Kept, number: number, geometry: string | null): ZoneVersion {
  const { code, family, effectiveFrom, effectiveTo, fetchedAt, props } = zone;
  let polygons: Ring[][] | null = null;
  let match: PreparedShape | null = null;
  return {
    code,
    family,
    effectiveFrom,
    effectiveTo,
    fetchedAt,
    props,
    number,
    isEmbedded: geometry !== null,
    fullPolygons() {
      const shape = geometry === null ? null : (JSON.parse(geometry) as Shape | null);
      return shape ? polygonsOf(shape) : (polygons ??= polygonsOfText(props.display));
    },
    polygons: () => (polygons ??= polygonsOfText(props.display)),
    matchShape: () => (match ??= prepareShape({ type: 'MultiPolygon', coordinates: polygonsOfText(props.match) })),
  };
}

/** Number space of a zone (trap 21). */
export function familyOf(code: string, type: ZoneType): ZoneFamily {
  if (type === 'fire' || type === 'county') return type;
  return type === 'unknown' && (code[2] === 'C' || code.startsWith('SAME')) ? 'county' : 'forecast';
}

/** `SAME019153` is the county IAC153 (the first digit only says part of it, trap 22); other codes stay. Marine SAME codes give null. */
export function ugcOf(zone: Pick<AffectedZone, 'code'>): string | null {
  if (!zone.code.startsWith('SAME')) return zone.code;
  return countyUgcOfSame(zone.code.slice(4));
}

export function countyUgcOfSame(same: string): string | null {
  const fips = fipsOfSame(same);
  const state = stateOfSame(same);
  return fips && state ? `${state}C${fips.slice(2)}` : null;
}
