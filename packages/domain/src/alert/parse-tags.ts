import { parseTimestamp } from '../time/timestamp.ts';
import type { ImpactTags } from './message.ts';

/** First text of a CAP parameter, null when absent. */
export type Parameter = (name: string) => string | null;

const KMH_PER_MPH = 1.609344;
const KMH_PER_KNOT = 1.852;
/** 25.4 mm: in tenths, so that inches with two decimals round exactly. */
const TENTHS_OF_MM_PER_INCH = 254;

/** Impact-based-warning tags (trap 29), words lower-cased with underscores, metric units. */
export function parseTags(event: string, parameter: Parameter): ImpactTags {
  const tornadoDamageThreat = word(parameter('tornadoDamageThreat'));
  const flashFloodDamageThreat = word(parameter('flashFloodDamageThreat'));
  return {
    emergency: emergencyOf(event, parameter('NWSheadline'), tornadoDamageThreat, flashFloodDamageThreat),
    tornadoDetection: word(parameter('tornadoDetection')),
    tornadoDamageThreat,
    thunderstormDamageThreat: word(parameter('thunderstormDamageThreat')),
    flashFloodDetection: word(parameter('flashFloodDetection')),
    flashFloodDamageThreat,
    snowSquallDetection: word(parameter('snowSquallDetection')),
    snowSquallImpact: word(parameter('snowSquallImpact')),
    waterspoutDetection: word(parameter('waterspoutDetection')),
    windThreat: word(parameter('windThreat')),
    maxWindGustKmh: windKmh(parameter('maxWindGust')),
    hailThreat: word(parameter('hailThreat')),
    maxHailSizeMm: hailMm(parameter('maxHailSize')),
    motion: parseMotion(parameter('eventMotionDescription')),
  };
}

function word(text: string | null): string | null {
  return text === null ? null : text.slice(0, 40).toLowerCase().split(/\s+/).join('_');
}

/** CATASTROPHIC is the tag of an emergency; the office's own headline says it too, sometimes before the tag is raised. */
function emergencyOf(event: string, headline: string | null, tornado: string | null, flood: string | null): ImpactTags['emergency'] {
  const name = event.toLowerCase();
  const upper = headline?.toUpperCase() ?? '';
  if (tornado === 'catastrophic') return 'tornado';
  if (flood === 'catastrophic') return 'flash_flood';
  if (name === 'tornado warning' && upper.includes('TORNADO EMERGENCY')) return 'tornado';
  return name === 'flash flood warning' && upper.includes('FLASH FLOOD EMERGENCY') ? 'flash_flood' : null;
}

/** First decimal number in the text, e.g. 1.25 of "Up to 1.25", .75 of "<.75". */
function firstNumber(text: string | null): number | null {
  const match = text === null ? null : /\d{0,4}\.?\d{1,4}/.exec(text.slice(0, 60));
  const value = match ? Number(match[0]) : Number.NaN;
  return Number.isFinite(value) && value > 0 ? value : null;
}

/** "60 MPH" in km/h; knots where said so (marine); NWS writes mph when there is no unit. Whole km/h. */
export function windKmh(text: string | null): number | null {
  const speed = firstNumber(text);
  if (speed === null || text === null) return null;
  const unit = text.toUpperCase();
  if (unit.includes('KM')) return Math.round(speed);
  return Math.round(speed * (unit.includes('KT') || unit.includes('KNOT') ? KMH_PER_KNOT : KMH_PER_MPH));
}

/** Inches to millimetres, one decimal. */
export function hailMm(text: string | null): number | null {
  const inches = firstNumber(text);
  return inches === null ? null : Math.round(inches * TENTHS_OF_MM_PER_INCH) / 10;
}

/**
 * `2024-05-21T19:30:00-00:00...storm...240DEG...35KT...41.1,-93.5 41.0,-93.4`. The direction is where the storm comes FROM; travel is
 * the opposite. Any unreadable part drops the whole vector.
 */
export function parseMotion(text: string | null): ImpactTags['motion'] {
  if (text === null || text.length > 4000) return null;
  const [time = '', , direction = '', speed = '', places = ''] = text.split('...');
  const at = parseTimestamp(time.trim());
  const degrees = /^(\d{1,3})\s?DEG$/i.exec(direction.trim());
  const knots = /^(\d{1,3})\s?KTS?$/i.exec(speed.trim());
  if (!at || !degrees || !knots || Number(degrees[1]) > 360) return null;
  const points: [number, number][] = [];
  for (const pair of places.trim().split(/\s+/)) {
    const [lat = Number.NaN, lon = Number.NaN] = pair.split(',').map(Number);
    if (!(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 360)) return null;
    points.push([lon, lat]);
  }
  return {
    at: at.at,
    towardDegrees: (Number(degrees[1]) + 180) % 360,
    speedKmh: Math.round(Number(knots[1]) * KMH_PER_KNOT),
    points,
  };
}
