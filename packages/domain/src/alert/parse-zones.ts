import type { AffectedZone } from './message.ts';
import { asRecord, asTexts, member } from './read-json.ts';
import { fipsOfCountyUgc, fipsOfSame, isPartialSame, isSame, isUgc, zoneTypeOf } from './ugc.ts';

/** A statewide message names some hundred zones; 2,000 is more than any product. */
const MAX_ZONES = 2000;

/** Area codes of a feature: UGC, else the codes of `affectedZones`, else SAME. */
export function parseZones(properties: Record<string, unknown>): { zones: AffectedZone[]; same: string[] } {
  const geocode = asRecord(member(properties, 'geocode'));
  const urls = asTexts(member(properties, 'affectedZones'), MAX_ZONES, 300);
  const urlByCode = new Map(urls.map((url) => [url.slice(url.lastIndexOf('/') + 1).toUpperCase(), url] as const));
  const same = [...new Set(asTexts(member(geocode, 'SAME'), MAX_ZONES, 6).filter(isSame))];
  const ugc = asTexts(member(geocode, 'UGC'), MAX_ZONES, 6).map((code) => code.toUpperCase());
  const codes = [...new Set([...ugc, ...urlByCode.keys()])].filter(isUgc);
  if (codes.length === 0) {
    return { zones: same.map((code) => ({ code: `SAME${code}`, type: 'county', partial: isPartialSame(code) })), same };
  }
  const partialFips = new Set(same.filter(isPartialSame).map((code) => fipsOfSame(code)));
  const zones = codes.map((code): AffectedZone => {
    const fips = fipsOfCountyUgc(code);
    return { code, type: zoneTypeOf(urlByCode.get(code) ?? null, code), partial: fips !== null && partialFips.has(fips) };
  });
  return { zones, same };
}
