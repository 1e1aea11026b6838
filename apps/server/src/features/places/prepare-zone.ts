import { type Instant, isMarineUgc, type Shape, stateOfUgc } from '@nwms/domain';
import { areaKm2Of, measureShape } from './measure-shape.ts';
import { textOfPolygons } from './polygons-text.ts';
import { repairShape } from './repair-shape.ts';
import { simplifyShape } from './simplify-shape.ts';
import type { PreparedZone, StoredZone, ZoneFamily } from './types.ts';

/** Display shapes are good to half a kilometre: what a map of a state can show (documented in the API). */
export const DISPLAY_TOLERANCE_DEGREES = 0.005;
/** Matching shapes stay well below the 0.4 km tolerance of place questions (trap 26). */
export const MATCH_TOLERANCE_DEGREES = 0.001;

type Facts = Pick<PreparedZone, 'name' | 'state' | 'timeZones' | 'offices'>;

/** Work in steps of some ten milliseconds for the largest zones (100,000 positions), so that others may run in between (P7). */
export type Steps<T> = Generator<undefined, T>;

export function runAtOnce<T>(steps: Steps<T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

export async function runInTurns<T>(steps: Steps<T>): Promise<T> {
  let step = steps.next();
  while (!step.done) {
    await new Promise((done) => setImmediate(done));
    step = steps.next();
  }
  return step.value;
}

export function* prepareZone(shape: Shape | null, facts: Facts): Steps<PreparedZone> {
  const display = shape ? simplifyShape(shape, DISPLAY_TOLERANCE_DEGREES) : [];
  yield;
  const match = shape ? textOfPolygons(simplifyShape(shape, MATCH_TOLERANCE_DEGREES)) : '';
  yield;
  const measure = measureShape(display.length > 0 ? { type: 'MultiPolygon', coordinates: display } : null);
  yield;
  return {
    ...facts,
    display: textOfPolygons(display),
    match,
    labelPoint: measure.labelPoint,
    largestPartKm2: measure.largestPartKm2,
    bbox: measure.bbox,
    areaKm2: areaKm2Of(shape),
  };
}

/** Dates from here on mean "no end": upstream writes the year 2200. */
const NO_END = Date.UTC(2100, 0, 1);

/** A zone feature of upstream, nothing in it trusted; null when it is not about this zone. */
export function* readZoneFeature(
  feature: unknown,
  asked: { code: string; family: ZoneFamily; fetchedAt: Instant },
  isTimeZone: (name: string) => boolean,
): Steps<StoredZone | null> {
  const { code, family, fetchedAt } = asked;
  if (typeof feature !== 'object' || feature === null) return null;
  const { properties, geometry } = feature as { properties?: unknown; geometry?: unknown };
  if (typeof properties !== 'object' || properties === null) return null;
  const facts = properties as Record<string, unknown>;
  if (facts['id'] !== code) return null;
  const shape = repairShape(geometry);
  yield;
  const effectiveTo = readDate(facts['expirationDate']);
  return {
    code,
    family,
    effectiveFrom: readDate(facts['effectiveDate']) ?? 0,
    effectiveTo: effectiveTo !== null && effectiveTo < NO_END ? effectiveTo : null,
    fetchedAt,
    props: yield* prepareZone(shape, {
      name: readText(facts['name']),
      state: isMarineUgc(code) ? null : stateOfUgc(code),
      timeZones: readTexts(facts['timeZone']).filter(isTimeZone),
      offices: readTexts(facts['cwa']).map(officeOf),
    }),
    geometry: JSON.stringify(shape),
  };
}

function readDate(value: unknown): number | null {
  if (typeof value !== 'string') return null;
  const instant = Date.parse(value);
  return Number.isFinite(instant) ? instant : null;
}

function readText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, 200) : null;
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string').map((each) => each.slice(0, 60)) : [];
}

/** Asks the runtime once per name: a formatter costs a fifth of a millisecond. */
export function createTimeZoneCheck(): (name: string) => boolean {
  const known = new Map<string, boolean>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    const answer = canFormat(name);
    known.set(name, answer);
    return answer;
  };
}

function canFormat(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** ICAO identifiers outside the contiguous states, where the letter is not K (NWS office list). */
const OFFICES_ABROAD: Readonly<Record<string, string>> = {
  AFC: 'PAFC',
  AFG: 'PAFG',
  AJK: 'PAJK',
  GUM: 'PGUM',
  HFO: 'PHFO',
  PPG: 'NSTU',
  SJU: 'TJSJ',
  JSJ: 'TJSJ',
};

function officeOf(cwa: string): string {
  if (cwa.length === 4) return cwa;
  return OFFICES_ABROAD[cwa] ?? `K${cwa}`;
}
