/** Times the way NWS writes them. One instance keeps its formatters; it holds no other state. */
export interface LocalTime {
  /** ISO 8601 with the zone's own offset, whole seconds: 2025-12-15T13:53:00-08:00. */
  iso(at: number, timeZone: string): string;
  /** December 15 at 1:53PM PST */
  spoken(at: number, timeZone: string): string;
  /** 153 PM PST Monday */
  terse(at: number, timeZone: string): string;
}

// Abbreviations NWS uses where the runtime's locale data only knows an offset.
const ABBREVIATION_BY_OFFSET: Readonly<Record<string, string>> = { 'GMT+10': 'ChST', 'GMT-4': 'AST', 'GMT-11': 'SST' };
const HOUR_MS = 3_600_000;
/** Offsets change on the hour, so one look-up per zone and hour is enough; the table is emptied when it grows beyond this. */
const MAX_KEPT = 4096;

export function createLocalTime(): LocalTime {
  const formats = new Map<string, Intl.DateTimeFormat>();
  const kept = new Map<string, { offsetMinutes: number; abbreviation: string }>();
  const zoneAt = (at: number, timeZone: string): { offsetMinutes: number; abbreviation: string } => {
    const key = `${timeZone}|${Math.floor(at / HOUR_MS)}`;
    const known = kept.get(key);
    if (known) return known;
    if (kept.size > MAX_KEPT) kept.clear();
    const read = { offsetMinutes: offsetMinutes(formats, at, timeZone), abbreviation: abbreviation(formats, at, timeZone) };
    kept.set(key, read);
    return read;
  };
  const local = (at: number, timeZone: string): Date => new Date(at + zoneAt(at, timeZone).offsetMinutes * 60_000);
  return {
    iso: (at, timeZone) => isoWithOffset(at, timeZone === 'UTC' ? 0 : zoneAt(at, timeZone).offsetMinutes),
    spoken: (at, timeZone) => {
      const day = local(at, timeZone);
      const clock = `${day.getUTCHours() % 12 || 12}:${two(day.getUTCMinutes())}${day.getUTCHours() < 12 ? 'AM' : 'PM'}`;
      return `${MONTHS[day.getUTCMonth()] ?? ''} ${day.getUTCDate()} at ${clock} ${zoneAt(at, timeZone).abbreviation}`;
    },
    terse: (at, timeZone) => {
      const day = local(at, timeZone);
      const minutes = day.getUTCMinutes() === 0 ? '' : two(day.getUTCMinutes());
      const half = day.getUTCHours() < 12 ? 'AM' : 'PM';
      return `${day.getUTCHours() % 12 || 12}${minutes} ${half} ${zoneAt(at, timeZone).abbreviation} ${DAYS[day.getUTCDay()] ?? ''}`;
    },
  };
}

const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** Whole seconds, offset as +hh:mm; UTC is written +00:00 as upstream does. */
export function isoWithOffset(at: number, offset: number): string {
  const text = new Date(at + offset * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(offset);
  return `${text}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

/** VTEC time yymmddThhmmZ in UTC; null is the open form. A part of a minute counts as the next full one. */
export function vtecTime(at: number | null): string {
  if (at === null) return '000000T0000Z';
  const text = new Date(Math.ceil(at / 60_000) * 60_000).toISOString();
  return `${text.slice(2, 4)}${text.slice(5, 7)}${text.slice(8, 10)}T${text.slice(11, 13)}${text.slice(14, 16)}Z`;
}

/** Day and time of a WMO header, ddhhmm in UTC. */
export function wmoTime(at: number): string {
  const text = new Date(at).toISOString();
  return `${text.slice(8, 10)}${text.slice(11, 13)}${text.slice(14, 16)}`;
}

type Formats = Map<string, Intl.DateTimeFormat>;

function part(formats: Formats, at: number, timeZone: string, timeZoneName: 'longOffset' | 'short'): string {
  const key = `${timeZone}|${timeZoneName}`;
  const format = formats.get(key) ?? new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName });
  formats.set(key, format);
  return format.formatToParts(at).find((piece) => piece.type === 'timeZoneName')?.value ?? '';
}

function offsetMinutes(formats: Formats, at: number, timeZone: string): number {
  const match = /GMT([+-])(\d\d):(\d\d)/.exec(part(formats, at, timeZone, 'longOffset'));
  if (!match) return 0;
  return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

function abbreviation(formats: Formats, at: number, timeZone: string): string {
  const name = part(formats, at, timeZone, 'short');
  return ABBREVIATION_BY_OFFSET[name] ?? name;
}
