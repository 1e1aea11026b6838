/**
 * The calendar of the weather: how likely a family's turn is in a month and at an hour of the sun, against its yearly mean. Shapes after
 * what is known of each danger in the United States (tornadoes in spring, hurricanes until October, thunderstorms late in the day), not
 * after a record: relative weights, brought to a mean of 1.
 */
type Months = readonly [number, number, number, number, number, number, number, number, number, number, number, number];

const STORMS: Months = [0.3, 0.4, 1, 1.7, 2.3, 1.9, 1.4, 1.1, 0.7, 0.5, 0.4, 0.3];
const CLOUDBURSTS: Months = [0.3, 0.3, 0.5, 0.8, 1.3, 1.6, 2, 1.9, 1.3, 0.8, 0.5, 0.3];
const LONG_RAIN: Months = [0.9, 1, 1.3, 1.4, 1.3, 1, 0.8, 0.9, 1, 0.8, 0.8, 0.9];
const RIVERS: Months = [0.8, 1, 1.6, 2, 1.7, 1.2, 0.8, 0.6, 0.6, 0.6, 0.6, 0.7];
const SNOW: Months = [2.7, 2.4, 1.5, 0.6, 0.1, 0, 0, 0, 0.05, 0.4, 1.4, 2.5];
const HEAT: Months = [0, 0, 0.05, 0.2, 0.8, 2, 3, 2.6, 1.2, 0.2, 0, 0];
const GALES: Months = [1.5, 1.4, 1.3, 1.1, 0.7, 0.5, 0.4, 0.5, 0.8, 1.2, 1.4, 1.5];
const WIND: Months = [1.4, 1.4, 1.6, 1.5, 1, 0.6, 0.4, 0.4, 0.6, 1, 1.3, 1.4];
const FIRE: Months = [0.3, 0.5, 1, 1.3, 1.1, 1.2, 1.5, 1.6, 1.6, 1.1, 0.6, 0.3];

const MONTHS: Readonly<Record<string, Months>> = {
  storm: STORMS,
  sps: STORMS,
  spc: STORMS,
  ffw: CLOUDBURSTS,
  fay: CLOUDBURSTS,
  ffa: CLOUDBURSTS,
  faw: LONG_RAIN,
  faa: LONG_RAIN,
  flw: RIVERS,
  esf: RIVERS,
  ws: SNOW,
  ww: SNOW,
  bz: SNOW,
  le: [2.5, 2, 0.8, 0.2, 0, 0, 0, 0, 0, 0.6, 2.4, 3],
  cw: [3.2, 2.6, 0.8, 0.1, 0, 0, 0, 0, 0, 0.1, 0.8, 2.4],
  xh: HEAT,
  ht: HEAT,
  hw: WIND,
  wi: WIND,
  fz: [0.4, 0.8, 2, 2.4, 1, 0.05, 0, 0, 0.6, 2.2, 2, 0.6],
  fg: [1.5, 1.4, 1, 0.7, 0.6, 0.5, 0.5, 0.6, 0.9, 1.2, 1.4, 1.5],
  fw: FIRE,
  aqa: [1.2, 1, 0.5, 0.4, 0.7, 1.4, 2, 2, 1.2, 0.5, 0.5, 0.9],
  sc: GALES,
  gl: GALES,
  sr: GALES,
  cwf: GALES,
  su: GALES,
  isl: GALES,
  suw: GALES,
  maw: CLOUDBURSTS,
  rp: [0.2, 0.3, 0.6, 1, 1.4, 1.8, 1.9, 1.9, 1.6, 0.8, 0.4, 0.2],
  hu: [0, 0, 0, 0, 0.1, 0.8, 1.5, 3, 4, 2.2, 0.6, 0],
};

/** Hour of the sun at which a family is most likely, and how strongly. Its mean over a day is 1. */
const HOURS: Readonly<Record<string, readonly [peakHour: number, swing: number]>> = {
  storm: [17.5, 0.85],
  sps: [17, 0.8],
  spc: [15, 0.8],
  ffw: [19, 0.6],
  fay: [19, 0.6],
  maw: [16, 0.5],
  fg: [4, 0.8],
};

const HOUR_MS = 3_600_000;

/** Weight of a family at an instant over a longitude. */
export function seasonWeight(code: string, at: number, longitude: number): number {
  return monthWeight(code, at) * hourWeight(code, at, longitude);
}

/** No weight of the family is above this. */
export function heaviestSeason(code: string): number {
  const months = MONTHS[code];
  const month = months ? Math.max(...months) / mean(months) : 1;
  return month * (1 + (HOURS[code]?.[1] ?? 0));
}

/** Between the middles of two months the weight goes over from one to the other. */
function monthWeight(code: string, at: number): number {
  const months = MONTHS[code];
  if (!months) return 1;
  const date = new Date(at);
  const place = date.getUTCMonth() + (date.getUTCDate() - 1) / 31 + 11.5;
  const share = place % 1;
  const of = (month: number) => months[month % 12] ?? 0;
  return (of(Math.floor(place)) * (1 - share) + of(Math.floor(place) + 1) * share) / mean(months);
}

function hourWeight(code: string, at: number, longitude: number): number {
  const [peakHour, swing] = HOURS[code] ?? [0, 0];
  const hourOfSun = at / HOUR_MS + longitude / 15;
  return 1 + swing * Math.cos(((hourOfSun - peakHour) / 24) * 2 * Math.PI);
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
