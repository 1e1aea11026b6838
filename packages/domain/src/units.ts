/**
 * Units of measurement as people read them. Inside everything is metric (degrees Celsius, km/h, hPa, mm, km); only here, at the very
 * end, a value becomes text in the reader's system. A missing value is `N/A`, never zero.
 */
export const UNIT_SYSTEMS = ['metric', 'imperial'] as const;
export type UnitSystem = (typeof UNIT_SYSTEMS)[number];

/** UNIT-01: anything but the two words is metric. */
export const readUnitSystem = (given: unknown): UnitSystem => (given === 'imperial' ? 'imperial' : 'metric');

/** Exact by definition: the international mile. */
const KM_PER_MILE = 1.609344;
const INCH_PER_MM = 0.0393701;
const INHG_PER_HPA = 0.02953;
const HPA_PER_INHG = 33.8639;
const KMH_PER_MS = 3.6;
const MPH_PER_MS = 2.237;

export const fahrenheitOf = (celsius: number): number => (celsius * 9) / 5 + 32;
export const celsiusOf = (fahrenheit: number): number => ((fahrenheit - 32) * 5) / 9;
/** kilometres per hour are divided by the length of a mile; 2.237 belongs to metres per second alone. */
export const mphOfKmh = (kmh: number): number => kmh / KM_PER_MILE;
export const kmhOfMph = (mph: number): number => mph * KM_PER_MILE;
export const mphOfMs = (ms: number): number => ms * MPH_PER_MS;
export const kmhOfMs = (ms: number): number => ms * KMH_PER_MS;
export const inhgOfHpa = (hpa: number): number => hpa * INHG_PER_HPA;
export const hpaOfInhg = (inhg: number): number => inhg * HPA_PER_INHG;
export const inchesOfMm = (mm: number): number => mm * INCH_PER_MM;
export const milesOfKm = (km: number): number => km / KM_PER_MILE;

export const NOT_AVAILABLE = 'N/A';

/** What there is of a value: anything but a finite number is missing. */
export type Measured = number | null | undefined;

interface Scale {
  unit: string;
  decimals: number;
  of: (value: number) => number;
  /** Between number and unit: none for degrees. */
  gap: string;
}

const same = (value: number): number => value;
const SCALES = {
  temperature: {
    metric: { unit: '°C', decimals: 0, of: same, gap: '' },
    imperial: { unit: '°F', decimals: 0, of: fahrenheitOf, gap: '' },
  },
  wind: {
    metric: { unit: 'km/h', decimals: 0, of: same, gap: ' ' },
    imperial: { unit: 'mph', decimals: 0, of: mphOfKmh, gap: ' ' },
  },
  pressure: {
    metric: { unit: 'hPa', decimals: 0, of: same, gap: ' ' },
    imperial: { unit: 'inHg', decimals: 2, of: inhgOfHpa, gap: ' ' },
  },
  precipitation: {
    metric: { unit: 'mm', decimals: 1, of: same, gap: ' ' },
    imperial: { unit: 'in', decimals: 1, of: inchesOfMm, gap: ' ' },
  },
  visibility: {
    metric: { unit: 'km', decimals: 1, of: same, gap: ' ' },
    imperial: { unit: 'mi', decimals: 1, of: milesOfKm, gap: ' ' },
  },
} as const satisfies Record<string, Record<UnitSystem, Scale>>;

/** What can be measured, each from its metric value: Celsius, km/h, hPa, mm, km. */
export type Quantity = keyof typeof SCALES;

/** Its unit in this system: "km/h". */
export const unitOf = (quantity: Quantity, system: UnitSystem): string => SCALES[quantity][system].unit;

/** The number alone, rounded as people read it: "72". */
export function numberIn(quantity: Quantity, value: Measured, system: UnitSystem): string {
  if (typeof value !== 'number' || !Number.isFinite(value)) return NOT_AVAILABLE;
  const scale: Scale = SCALES[quantity][system];
  const factor = 10 ** scale.decimals;
  // Rounded as a number first, halves away from zero, so that -0.4 reads "0" and not "-0".
  const converted = scale.of(value);
  const rounded = (Math.sign(converted) * Math.round(Math.abs(converted) * factor)) / factor;
  return (rounded === 0 ? 0 : rounded).toFixed(scale.decimals);
}

/** Number and unit: "72°F", "12 km/h"; `N/A` without a value. */
export function measureIn(quantity: Quantity, value: Measured, system: UnitSystem): string {
  const number = numberIn(quantity, value, system);
  if (number === NOT_AVAILABLE) return number;
  const { unit, gap }: Scale = SCALES[quantity][system];
  return `${number}${gap}${unit}`;
}
