import type { BarSeriesOption, LineSeriesOption } from 'echarts/charts';
import type { ChartOption } from './chart-option.ts';
import { type ChartSpec, type RowsData, type Series, toneAt, type Value } from './chart-spec.ts';
import { axisText } from './chart-words.ts';
import type { Look } from './look.ts';

type RowsSpec = Extract<ChartSpec, { kind: 'line' | 'bar' | 'dual-axis' }>;

/** Room around the plot; the labels of the axes stand inside of it. */
const GRID = { left: 4, right: 10, top: 12, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' } as const;
/** Pixels of a label of a lying bar before it is cut. */
const LABEL_WIDTH = 150;

/** Lines, bars and both over one row of labels. */
export function rowsOption(spec: RowsSpec, look: Look): ChartOption {
  const { data, kind } = spec;
  const lying = kind === 'bar' && spec.lying === true;
  const category = categoryAxis(data, look, lying, kind !== 'line');
  const scales = kind === 'dual-axis' ? [data.series[0], data.series[1]] : [data.series[0]];
  const values = scales.map((series, at) => valueAxis(series, look, at, lying));
  return {
    grid: { ...GRID },
    xAxis: lying ? values : category,
    yAxis: lying ? category : values,
    series: data.series.flatMap((series, at): (LineSeriesOption | BarSeriesOption)[] => {
      if (kind === 'line') return lineOf(series, at, look, data.series.length === 1);
      if (kind === 'bar' || at === 0) return [barOf(data, series, at, look, { lying, stacked: kind === 'bar' && spec.stacked === true })];
      return lineOf(series, at, look, false, 1);
    }),
  };
}

const categoryAxis = ({ labels, ticks }: RowsData, look: Look, lying: boolean, gaps: boolean) => ({
  type: 'category' as const,
  // Equal labels are different rows: the axis counts, the words come from the formatter.
  data: labels.map((_, at) => String(at)),
  inverse: lying,
  boundaryGap: gaps,
  axisTick: { show: false },
  axisLine: { show: !lying, lineStyle: { color: look.line } },
  axisLabel: {
    color: look.muted,
    hideOverlap: true,
    formatter: (at: string) => (ticks ?? labels)[Number(at)] ?? '',
    ...(lying ? { interval: 0, width: LABEL_WIDTH, overflow: 'truncate' as const } : {}),
  },
});

const valueAxis = (series: Series | undefined, look: Look, at: number, lying: boolean) => ({
  type: 'value' as const,
  splitNumber: lying ? 3 : 4,
  min: (extent: { min: number }) => Math.min(0, extent.min),
  // Counts have no halves between them.
  ...(series?.digits === undefined && series?.unit === undefined ? { minInterval: 1 } : {}),
  axisLabel: { color: look.muted, hideOverlap: true, formatter: (value: number) => axisText(value, unitOf(series)) },
  axisLine: { show: false },
  axisTick: { show: false },
  // One set of lines: those of the first axis.
  splitLine: { show: at === 0, lineStyle: { color: look.line } },
});

const unitOf = (series: Series | undefined) => (series?.unit === undefined ? {} : { unit: series.unit });

/** Values that stand alone between gaps would draw nothing. */
const hasLoner = (values: readonly Value[]): boolean =>
  values.some((value, at) => value !== null && (values[at - 1] ?? null) === null && (values[at + 1] ?? null) === null);

function lineOf(series: Series, at: number, look: Look, alone: boolean, yAxisIndex = 0): LineSeriesOption[] {
  const color = look.tones[series.tone ?? toneAt(at)];
  const line: LineSeriesOption = {
    type: 'line',
    name: series.name,
    data: [...series.values],
    yAxisIndex,
    color,
    symbol: 'circle',
    symbolSize: 6,
    showSymbol: hasLoner(series.values),
    showAllSymbol: true,
    connectNulls: false,
    lineStyle: { width: 2, color, type: series.dashed ? 'dashed' : 'solid' },
    emphasis: { disabled: false, scale: 1.6, lineStyle: { width: 2 } },
    z: 3,
    ...(alone && !series.ranges ? { areaStyle: { color, opacity: 0.08 } } : {}),
  };
  return series.ranges ? [...bandOf(series, color, yAxisIndex), line] : [line];
}

/** A band from low to high: an invisible line with a stacked area upon it. */
function bandOf({ name, ranges = [] }: Series, color: string, yAxisIndex: number): LineSeriesOption[] {
  const base = { type: 'line', yAxisIndex, stack: `${name} range`, symbol: 'none', lineStyle: { opacity: 0 }, silent: true } as const;
  return [
    { ...base, name: `${name} low`, data: ranges.map((range) => range?.low ?? null) },
    {
      ...base,
      name: `${name} range`,
      data: ranges.map((range) => (range === null ? null : range.high - range.low)),
      areaStyle: { color, opacity: 0.15 },
    },
  ];
}

function barOf(data: RowsData, series: Series, at: number, look: Look, how: { lying: boolean; stacked: boolean }): BarSeriesOption {
  const color = look.tones[series.tone ?? toneAt(at)];
  const round = how.stacked ? 0 : 3;
  return {
    type: 'bar',
    name: series.name,
    color,
    data: series.values.map((value, row) => {
      const tone = data.tones?.[row];
      return tone === undefined ? value : { value, itemStyle: { color: look.tones[tone] } };
    }),
    barMaxWidth: how.lying ? 16 : 28,
    barCategoryGap: '30%',
    itemStyle: { borderRadius: how.lying ? [0, round, round, 0] : [round, round, 0, 0] },
    ...(how.stacked ? { stack: 'all' } : {}),
  };
}
