import type { AffectedZone } from './message.ts';
import type { ZoneType } from './vocabulary.ts';

/** State FIPS code to postal letters, with the territories NWS serves (FIPS 5-2). */
const STATE_BY_FIPS = new Map(
  (
    '01AL 02AK 04AZ 05AR 06CA 08CO 09CT 10DE 11DC 12FL 13GA 15HI 16ID 17IL 18IN 19IA 20KS 21KY 22LA 23ME 24MD 25MA 26MI 27MN 28MS ' +
    '29MO 30MT 31NE 32NV 33NH 34NJ 35NM 36NY 37NC 38ND 39OH 40OK 41OR 42PA 44RI 45SC 46SD 47TN 48TX 49UT 50VT 51VA 53WA 54WV 55WI ' +
    '56WY 60AS 64FM 66GU 68MH 69MP 70PW 72PR 74UM 78VI'
  )
    .split(' ')
    .map((row) => [row.slice(0, 2), row.slice(2)] as const),
);
const FIPS_BY_STATE = new Map([...STATE_BY_FIPS].map(([fips, state]) => [state, fips] as const));

/** Two letters that open a marine UGC: Atlantic, Gulf, lakes, St. Lawrence, and the Pacific basins (trap 23). */
export const MARINE_PREFIXES: ReadonlySet<string> = new Set('AM AN GM LC LE LH LM LO LS PH PK PM PS PZ SL'.split(' '));

/** Every two letters that may open a UGC. */
export const UGC_PREFIXES: ReadonlySet<string> = new Set([...FIPS_BY_STATE.keys(), ...MARINE_PREFIXES]);

const UGC = /^[A-Z]{2}[CZ]\d{3}$/;

/** Form only: unknown codes of the right form are kept, since zones change several times a year (trap 20). */
export function isUgc(text: string): boolean {
  return UGC.test(text);
}

export function isMarineUgc(code: string): boolean {
  return MARINE_PREFIXES.has(code.slice(0, 2)) && code[2] === 'Z';
}

/** `IAC153` gives `IA`, `SAME019153` gives `IA`; marine or unknown codes give null. */
export function stateOfUgc(code: string): string | null {
  if (code.startsWith('SAME')) return stateOfSame(code.slice(4));
  const prefix = code.slice(0, 2);
  return isUgc(code) && FIPS_BY_STATE.has(prefix) ? prefix : null;
}

/** State of a six-digit SAME code; marine SAME codes (57 and above, except the territories) give null. */
export function stateOfSame(same: string): string | null {
  return STATE_BY_FIPS.get(same.slice(1, 3)) ?? null;
}

const SAME = /^\d{6}$/;

export function isSame(text: string): boolean {
  return SAME.test(text);
}

/** First digit 1 to 9 = part of a county (trap 22). */
export function isPartialSame(same: string): boolean {
  return same[0] !== '0';
}

/** The five-digit county FIPS inside a SAME code, or null for marine codes. `000` = the whole state. */
export function fipsOfSame(same: string): string | null {
  return isSame(same) && stateOfSame(same) !== null ? same.slice(1) : null;
}

/** `IAC153` gives `19153`; other codes give null. */
export function fipsOfCountyUgc(code: string): string | null {
  if (!isUgc(code) || code[2] !== 'C') return null;
  const state = FIPS_BY_STATE.get(code.slice(0, 2));
  return state === undefined ? null : state + code.slice(3);
}

const TYPE_BY_SEGMENT: Record<string, ZoneType | undefined> = {
  county: 'county',
  fire: 'fire',
  forecast: 'public',
  public: 'public',
  land: 'public',
  marine: 'marine',
  coastal: 'marine',
  offshore: 'offshore',
};

/**
 * Type of a zone. The URL decides (`.../zones/fire/ORZ608`), because fire zones reuse the letter Z with other numbers (trap 21).
 * Marine zones come as `/zones/forecast/`, so a marine prefix overrides that one. Without a URL: C is a county, a marine prefix is
 * marine, and a bare Z is `unknown`.
 */
export function zoneTypeOf(url: string | null, code: string): ZoneType {
  const segments = url === null ? [] : url.split('/');
  const named = segments.length > 1 ? TYPE_BY_SEGMENT[segments[segments.length - 2] ?? ''] : undefined;
  if (named === 'public' && isMarineUgc(code)) return 'marine';
  if (named !== undefined) return named;
  if (isMarineUgc(code)) return 'marine';
  return code[2] === 'C' || code.startsWith('SAME') ? 'county' : 'unknown';
}

/** Two-letter states of the zones, sorted, marine left out. */
export function statesOf(zones: readonly Pick<AffectedZone, 'code'>[]): string[] {
  const states = new Set<string>();
  for (const zone of zones) {
    const state = stateOfUgc(zone.code);
    if (state !== null) states.add(state);
  }
  return [...states].sort();
}
