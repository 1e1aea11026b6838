import { type ChartSpec, extentOf, type Figure, type RowsData, type Series, type Tone, toneAt, type Value } from './chart-spec.ts';

/** What stands for a value that is not known. */
export const UNKNOWN = '—';

/** "1,204 ms", "4.5%"; a dash for what is not known. */
export function figureText(value: Value, { unit, digits = 0 }: Figure): string {
  if (value === null) return UNKNOWN;
  const number = value.toLocaleString('en-US', { maximumFractionDigits: digits });
  if (unit === undefined) return number;
  return unit === '%' ? `${number}%` : `${number} ${unit}`;
}

/** Short numbers for an axis: "12K". */
export const axisText = (value: number, { unit }: Figure = {}): string => {
  const number = value.toLocaleString('en-US', { notation: 'compact', maximumFractionDigits: Math.abs(value) < 10 ? 2 : 1 });
  return unit === '%' ? `${number}%` : number;
};

/** What the pointer or the arrow keys rest on: a label with its values, a part, a cell, a day. */
export interface Stop {
  title: string;
  lines: { name: string; text: string; tone: Tone }[];
}

/** All stops in order. Those of a heatmap run along its rows. */
export function stopsOf(spec: ChartSpec): Stop[] {
  if (spec.kind === 'heatmap') {
    const { x, y, cells, valueName } = spec.data;
    return y.flatMap((row, at) =>
      x.map((column, over) => ({
        title: `${row}, ${column}`,
        lines: [{ name: valueName, text: figureText(cells[at]?.[over] ?? null, spec.data), tone: 'series-1' as const }],
      })),
    );
  }
  if (spec.kind === 'calendar') {
    return spec.data.days.map(({ date, value }) => ({
      title: dayText(date),
      lines: [{ name: spec.data.valueName, text: figureText(value, spec.data), tone: 'series-1' }],
    }));
  }
  const { labels, series, tones } = spec.data;
  if (spec.kind === 'doughnut') {
    const [whole] = series;
    const values = whole?.values ?? [];
    return labels.map((title, at) => ({
      title,
      lines: [
        {
          name: whole?.name ?? '',
          text: shareText(values[at] ?? null, values, whole ?? {}),
          tone: tones?.[at] ?? toneAt(at),
        },
      ],
    }));
  }
  return labels.map((title, at) => ({
    title,
    lines: series.map((each, index) => ({
      name: each.name,
      text: withRange(each.values[at] ?? null, each.ranges?.[at] ?? null, each),
      tone: tones?.[at] ?? each.tone ?? toneAt(index),
    })),
  }));
}

/** "120 (35.2%)": a part and its share. Without a whole there is no share. */
export function shareText(value: Value, all: readonly Value[], figure: Figure): string {
  const whole = all.reduce<number>((sum, each) => sum + (each ?? 0), 0);
  const text = figureText(value, figure);
  return value === null || whole === 0 ? text : `${text} (${figureText((100 * value) / whole, { unit: '%', digits: 1 })})`;
}

const withRange = (value: Value, range: { low: number; high: number } | null, figure: Figure): string =>
  range === null
    ? figureText(value, figure)
    : `${figureText(value, figure)} (${figureText(range.low, figure)} to ${figureText(range.high, figure)})`;

/** "Mon, Dec 15, 2025": a day of the calendar, whatever the zone of the reader. */
export function dayText(date: string): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(at)) return date;
  return new Intl.DateTimeFormat('en-US', { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric', timeZone: 'UTC' }).format(
    at,
  );
}

/** One or two sentences for who cannot see the drawing: what it shows, from where to where, its highest and lowest. */
export function summaryOf(title: string, spec: ChartSpec): string {
  const words = { line: 'Line chart', bar: 'Bar chart', doughnut: 'Doughnut chart', 'dual-axis': 'Chart with two axes' };
  if (spec.kind === 'heatmap') {
    const { x, y, cells, valueName, xHeading, yHeading } = spec.data;
    const best = topCell(cells);
    const where = best ? ` Highest: ${figureText(best.value, spec.data)}, ${y[best.row] ?? ''}, ${x[best.column] ?? ''}.` : '';
    return `${title}. Heatmap of ${valueName.toLowerCase()} by ${yHeading.toLowerCase()} (${y.length}) and ${xHeading.toLowerCase()} (${x.length}).${where}`;
  }
  if (spec.kind === 'calendar') {
    const { days, valueName } = spec.data;
    const known = days.filter(({ value }) => value !== null);
    const top = known.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0))[0];
    const span = days.length === 0 ? '' : `, ${days[0]?.date ?? ''} to ${days.at(-1)?.date ?? ''}`;
    const where = top ? ` Highest: ${figureText(top.value, spec.data)} on ${dayText(top.date)}.` : '';
    return `${title}. Calendar of ${valueName.toLowerCase()}${span}; ${known.length} of ${days.length} days known.${where}`;
  }
  const { labels, series } = spec.data;
  const span =
    labels.length === 0 || spec.kind === 'doughnut' || (spec.kind === 'bar' && spec.lying)
      ? `${labels.length} ${spec.data.heading.toLowerCase()} rows`
      : `${labels[0] ?? ''} to ${labels.at(-1) ?? ''}`;
  return `${title}. ${words[spec.kind]}, ${span}. ${series.map((each) => seriesSentence(each, labels, spec.data.gap)).join(' ')}`.trim();
}

function seriesSentence(figure: Series, labels: readonly string[], gap = 'not known'): string {
  const { name, values } = figure;
  const { low, high } = extentOf(values);
  const known = values.filter((value) => value !== null).length;
  if (known === 0) return `${name}: ${gap}.`;
  const at = (value: number) => labels[values.indexOf(value)] ?? '';
  const gaps = values.length - known;
  const missing = gaps === 0 ? '' : `, ${gaps} ${gap}`;
  if (low === high) return `${name}: ${figureText(low, figure)} throughout${missing}.`;
  return `${name}: lowest ${figureText(low, figure)} (${at(low)}), highest ${figureText(high, figure)} (${at(high)})${missing}.`;
}

function topCell(cells: readonly (readonly Value[])[]): { row: number; column: number; value: number } | null {
  let best: { row: number; column: number; value: number } | null = null;
  for (const [row, line] of cells.entries())
    for (const [column, value] of line.entries())
      if (value !== null && (best === null || value > best.value)) best = { row, column, value };
  return best;
}

export interface ChartTable {
  head: string[];
  rows: { label: string; values: Value[] }[];
  /** How the numbers of each column are written. */
  figures: Figure[];
}

const rangeColumns = ({ series }: RowsData) => series.flatMap((each) => (each.ranges ? [each] : []));

/** The same data as rows: the table twin, and what the CSV holds. */
export function tableOf(spec: ChartSpec): ChartTable {
  if (spec.kind === 'heatmap') {
    const { x, y, yHeading, cells } = spec.data;
    return {
      head: [yHeading, ...x],
      rows: y.map((label, at) => ({ label, values: x.map((_, over) => cells[at]?.[over] ?? null) })),
      figures: x.map(() => spec.data),
    };
  }
  if (spec.kind === 'calendar') {
    const { days, valueName } = spec.data;
    return { head: ['Day', valueName], rows: days.map(({ date, value }) => ({ label: date, values: [value] })), figures: [spec.data] };
  }
  const { heading, labels, series } = spec.data;
  const ranged = rangeColumns(spec.data);
  const named = (each: { name: string } & Figure) => (each.unit === undefined ? each.name : `${each.name} (${each.unit})`);
  return {
    head: [heading, ...series.map(named), ...ranged.flatMap(({ name }) => [`${name}, low`, `${name}, high`])],
    rows: labels.map((label, at) => ({
      label,
      values: [
        ...series.map(({ values }) => values[at] ?? null),
        ...ranged.flatMap(({ ranges }) => [ranges?.[at]?.low ?? null, ranges?.[at]?.high ?? null]),
      ],
    })),
    figures: [...series, ...ranged.flatMap((each) => [each, each])].map(({ digits }) => (digits === undefined ? {} : { digits })),
  };
}
