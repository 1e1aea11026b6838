/** Labels of instants in a zone. Formatters are costly to make and are kept for the life of the object. */
export interface TimeLabels {
  /** "Mon 12:48 EST"; with month and day ("Dec 24 12:48 EST") when more than six days from `nowMs`. */
  moment(atMs: number, zone: string | undefined, nowMs: number): string;
  /** "14:05:12 UTC" */
  utcClock(atMs: number): string;
  /** "Mon, Dec 15, 2025, 13:48:00 EST": the whole of it, for titles. */
  full(atMs: number, zone: string): string;
  viewerZone: string;
}

/** Abbreviations in American use that `Intl` gives as an offset. */
const ABBREVIATIONS: Record<string, string> = {
  'Pacific/Guam': 'ChST',
  'Pacific/Saipan': 'ChST',
  'Pacific/Pago_Pago': 'SST',
};

const SIX_DAYS_MS = 6 * 86_400_000;

const STYLES = {
  near: { weekday: 'short', hour: '2-digit', minute: '2-digit' },
  far: { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' },
  full: {
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
  name: { timeZoneName: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** `viewerZone` is asked when it is first needed: to know it costs a slow device a tenth of a second. */
export function createTimeLabels(viewerZone: () => string): TimeLabels {
  let zoneHere: string | null = null;
  const made = new Map<string, Intl.DateTimeFormat>();
  const format = (style: keyof typeof STYLES, zone: string): Intl.DateTimeFormat => {
    const key = `${style} ${zone}`;
    const known = made.get(key);
    if (known) return known;
    const options = { ...STYLES[style], hourCycle: 'h23' } as const;
    let fresh: Intl.DateTimeFormat;
    try {
      fresh = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone });
    } catch {
      // A zone this browser does not know: UTC, and the abbreviation says so.
      fresh = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' });
    }
    made.set(key, fresh);
    return fresh;
  };
  const part = (formatter: Intl.DateTimeFormat, atMs: number, type: Intl.DateTimeFormatPartTypes): string =>
    formatter.formatToParts(atMs).find((piece) => piece.type === type)?.value ?? '';
  const abbreviation = (atMs: number, zone: string): string => ABBREVIATIONS[zone] ?? part(format('name', zone), atMs, 'timeZoneName');

  return {
    get viewerZone() {
      zoneHere ??= viewerZone();
      return zoneHere;
    },
    moment(atMs, zone = 'UTC', nowMs) {
      const near = Math.abs(atMs - nowMs) < SIX_DAYS_MS;
      const formatter = format(near ? 'near' : 'far', zone);
      const day = near ? part(formatter, atMs, 'weekday') : `${part(formatter, atMs, 'month')} ${part(formatter, atMs, 'day')}`;
      return `${day} ${part(formatter, atMs, 'hour')}:${part(formatter, atMs, 'minute')} ${abbreviation(atMs, zone)}`;
    },
    utcClock: (atMs) => `${new Date(atMs).toISOString().slice(11, 19)} UTC`,
    full: (atMs, zone) => format('full', zone).format(atMs),
  };
}

const UNITS: readonly [number, string][] = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
];

/** "9 s", "4 min", "15 h", "2 d": one unit, rounded down; under a second "0 s". */
export function durationLabel(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [size, name] = UNITS.find(([size]) => whole >= size) ?? [1, 's'];
  return `${Math.floor(whole / size)} ${name}`;
}
