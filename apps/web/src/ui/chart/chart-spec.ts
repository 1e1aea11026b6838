/**
 * What a chart is given: data and a kind. Everything a chart shows (drawing, words, table, files) is made from this one description.
 * A value of null is not known: a gap in the line, a blank cell, a dash in the table; never 0.
 */
export const CHART_KINDS = ['line', 'bar', 'doughnut', 'dual-axis', 'heatmap', 'calendar'] as const;
export type ChartKind = (typeof CHART_KINDS)[number];

/** Colours by name; tokens.css has them for each theme (`--series-1`, `--fill-extreme` ...). */
export const TONES = [
  'series-1',
  'series-2',
  'series-3',
  'series-4',
  'series-5',
  'series-6',
  'fill-extreme',
  'fill-severe',
  'fill-moderate',
  'fill-minor',
  'fill-unknown',
  'ok',
  'warn',
  'bad',
  'bar',
] as const;
export type Tone = (typeof TONES)[number];
export const toneAt = (index: number): Tone => TONES[index % 6] ?? 'series-1';

export type Value = number | null;

/** How a number is written. `unit` stands behind it: "ms", "%". */
export interface Figure {
  unit?: string;
  /** Decimals at most; 0 unless given. */
  digits?: number;
}

export interface Series extends Figure {
  name: string;
  values: readonly Value[];
  tone?: Tone;
  /** Where each value probably lies; drawn as a band around a line, written beside the value. */
  ranges?: readonly ({ low: number; high: number } | null)[];
  /** Not measured but expected. */
  dashed?: boolean;
}

/** Values per label: hours, days, endpoints, countries. */
export interface RowsData {
  /** What the labels are: "Day", "Endpoint". */
  heading: string;
  labels: readonly string[];
  /** Shorter words for the axis, same order. */
  ticks?: readonly string[];
  series: readonly Series[];
  /** What a gap means, where that is known: "not recorded". Stands in the legend of a drawing that has one. */
  gap?: string;
  /** Colours of the labels instead of the series: parts of a doughnut, bars with a meaning. */
  tones?: readonly Tone[];
}

/** A value for every pair of two labels. `cells[y][x]`. */
export interface GridData extends Figure {
  xHeading: string;
  yHeading: string;
  x: readonly string[];
  y: readonly string[];
  /** What a cell counts: "Events begun". */
  valueName: string;
  cells: readonly (readonly Value[])[];
}

/** A value per day. */
export interface DaysData extends Figure {
  valueName: string;
  /** Ascending days without holes, YYYY-MM-DD. */
  days: readonly { date: string; value: Value }[];
}

export type ChartSpec =
  | { kind: 'line'; data: RowsData }
  /** `lying`: bars to the right, for labels that are words. */
  | { kind: 'bar'; data: RowsData; lying?: boolean; stacked?: boolean }
  /** Parts of a whole: the first series. */
  | { kind: 'doughnut'; data: RowsData }
  /** The first series as bars on the left axis, the others as lines on the right one. */
  | { kind: 'dual-axis'; data: RowsData }
  | { kind: 'heatmap'; data: GridData }
  | { kind: 'calendar'; data: DaysData };

export const isChartKind = (kind: string): kind is ChartKind => (CHART_KINDS as readonly string[]).includes(kind);

/** Every value of a chart, in the order of its description. */
export function valuesOf(spec: ChartSpec): Value[] {
  if (spec.kind === 'heatmap') return spec.data.cells.flat();
  if (spec.kind === 'calendar') return spec.data.days.map(({ value }) => value);
  return spec.data.series.flatMap(({ values }) => values);
}

/** Nothing is known: no rows, or nothing but gaps. Zeros are known. */
export const isEmpty = (spec: ChartSpec): boolean => valuesOf(spec).every((value) => value === null);

/** Smallest and largest known value; of nothing 0 and 0. */
export function extentOf(values: readonly Value[]): { low: number; high: number } {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? { low: 0, high: 0 } : { low: Math.min(...known), high: Math.max(...known) };
}
