import { fipsOfCountyUgc, fipsOfSame, type ZoneType } from '@nwms/domain';
import type { FilterSubject } from '../board/row.ts';

/** Known zones at a place, asked which of them an alert names. */
export interface ZoneSet {
  /** Codes an alert may use for these zones, SAME spellings of counties included. */
  codes: readonly string[];
  /** First still affected zone of the alert that is in the set. */
  zoneOf(subject: FilterSubject): { kind: 'zone' | 'county'; reason: string } | null;
}

const NO_ZONES: ZoneSet = { codes: [], zoneOf: () => null };

export function createZoneSet(zones: readonly { code: string; type: ZoneType }[]): ZoneSet {
  if (zones.length === 0) return NO_ZONES;
  const types = new Map<string, Set<ZoneType>>();
  const counties = new Set<string>();
  for (const { code, type } of zones) {
    const known = types.get(code);
    if (known) known.add(type);
    else types.set(code, new Set([type]));
    const fips = fipsOfCountyUgc(code);
    if (fips !== null) counties.add(fips);
  }
  // One county has ten SAME spellings: whole, and nine parts (trap 22).
  const spellings = [...counties].flatMap((fips) => Array.from({ length: 10 }, (_, part) => `SAME${part}${fips}`));
  return {
    codes: [...types.keys(), ...spellings],
    zoneOf({ alert }) {
      for (const zone of alert.zones) {
        if (zone.ugc.startsWith('SAME')) {
          if (counties.has(fipsOfSame(zone.ugc.slice(4)) ?? '')) return { kind: 'county', reason: `county ${zone.ugc}` };
          continue;
        }
        const here = types.get(zone.ugc);
        // Fire zones reuse the numbers of public zones: the type decides (trap 21).
        if (!here || (zone.type !== 'unknown' && !here.has(zone.type)) || !alert.ugc.includes(zone.ugc)) continue;
        const kind = zone.type === 'county' ? 'county' : 'zone';
        return { kind, reason: `${kind} ${zone.ugc}` };
      }
      return null;
    },
  };
}
