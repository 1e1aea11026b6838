import type { RawFeature } from '../feature.ts';
import { isoWithOffset, vtecTime, wmoTime } from '../local-time.ts';

const ISO = /(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(\.\d+)?(Z|[+-]\d\d:?\d\d)/g;
const VTEC_TIME = /(\d\d)(\d\d)(\d\d)T(\d\d)(\d\d)Z/g;
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** Properties that hold one time each. */
const TIMES = ['sent', 'effective', 'onset', 'expires', 'ends', 'replacedAt'] as const;

/**
 * The feature with every time moved by `deltaMs` (whole minutes, so that VTEC, which knows no seconds, keeps agreeing with `ends`):
 * times, references, parameters (eventEndingTime, expiredReferences, eventMotionDescription, VTEC, WMO header) and the dates of the
 * headline. Offsets stay as written. Free text is left alone.
 */
export function shiftFeature(feature: RawFeature, deltaMs: number): RawFeature {
  if (deltaMs === 0) return feature;
  const { properties } = feature;
  const moved: Record<string, unknown> = {};
  for (const name of TIMES) {
    const value = (properties as unknown as Record<string, unknown>)[name];
    if (typeof value === 'string') moved[name] = shiftIso(value, deltaMs);
  }
  if (Array.isArray(properties.references))
    moved['references'] = properties.references.map((item) => ({ ...item, sent: item.sent && shiftIso(item.sent, deltaMs) }));
  if (properties.parameters) {
    const sent = Date.parse(properties.sent);
    moved['parameters'] = Object.fromEntries(
      Object.entries(properties.parameters).map(([name, values]) => [
        name,
        values.map((value) => shiftParameter(name, value, sent, deltaMs)),
      ]),
    );
  }
  if (properties.headline) moved['headline'] = shiftHeadline(properties.headline, properties.sent, deltaMs);
  return { ...feature, properties: { ...properties, ...moved } };
}

function shiftParameter(name: string, value: string, sent: number, deltaMs: number): string {
  if (name === 'VTEC') return value.replace(VTEC_TIME, (text, ...parts: string[]) => shiftVtec(text, parts, deltaMs));
  if (name === 'WMOidentifier')
    return value.replace(/\b(\d\d)(\d\d)(\d\d)$/, (text, ...parts: string[]) => shiftWmo(text, parts, sent, deltaMs));
  return shiftIso(value, deltaMs);
}

/** Every ISO time inside a text; the offset is kept, -00:00 of storm motions too. */
export function shiftIso(text: string, deltaMs: number): string {
  return text.replace(ISO, (whole, minutes: string, seconds: string | undefined, fraction: string | undefined, zone: string) => {
    const at = Date.parse(`${minutes}${seconds ?? ':00'}${fraction ?? ''}${zone === '-00:00' ? 'Z' : zone}`);
    if (Number.isNaN(at)) return whole;
    const offset = zone === 'Z' ? 0 : (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)));
    return `${isoWithOffset(at + deltaMs, offset).slice(0, seconds ? 19 : 16)}${fraction ?? ''}${zone}`;
  });
}

function shiftVtec(text: string, [year, month, day, hour, minute]: string[], deltaMs: number): string {
  if (text.startsWith('000000')) return text;
  return vtecTime(Date.UTC(2000 + Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) + deltaMs);
}

/** A WMO header only has day and time; the month is the one that brings it nearest to `sent`. */
function shiftWmo(text: string, [day, hour, minute]: string[], sent: number, deltaMs: number): string {
  const near = new Date(sent);
  const candidates = [-1, 0, 1].map((step) =>
    Date.UTC(near.getUTCFullYear(), near.getUTCMonth() + step, Number(day), Number(hour), Number(minute)),
  );
  const at = candidates.reduce((best, candidate) => (Math.abs(candidate - sent) < Math.abs(best - sent) ? candidate : best));
  return Number.isNaN(at) ? text : wmoTime(at + deltaMs);
}

/** "December 15 at 1:53PM PST": the date and time are local, the abbreviation stays (as the offset does). */
function shiftHeadline(headline: string, sent: string, deltaMs: number): string {
  const year = Number(sent.slice(0, 4));
  return headline.replace(
    /\b([A-Z][a-z]+) (\d{1,2}) at (\d{1,2}):(\d\d)([AP]M)/g,
    (text, month: string, day: string, hour: string, minute: string, half: string) => {
      const index = MONTHS.indexOf(month);
      if (index < 0) return text;
      const local = new Date(Date.UTC(year, index, Number(day), (Number(hour) % 12) + (half === 'PM' ? 12 : 0), Number(minute)) + deltaMs);
      const clock = `${local.getUTCHours() % 12 || 12}:${String(local.getUTCMinutes()).padStart(2, '0')}${local.getUTCHours() < 12 ? 'AM' : 'PM'}`;
      return `${MONTHS[local.getUTCMonth()] ?? month} ${local.getUTCDate()} at ${clock}`;
    },
  );
}
