import type { ChartOption, Room } from './chart-option.ts';
import { type DaysData, extentOf, type GridData, type RowsData, toneAt } from './chart-spec.ts';
import { figureText } from './chart-words.ts';
import type { Look } from './look.ts';

/** Share of the half side that the ring reaches from and to; pick-stop.ts finds parts by the same numbers. */
export const RING = { inner: 0.62, outer: 0.96 } as const;

/** A ring of the first series, its total in the middle. Names and shares stand beside it, as text. */
export function doughnutOption({ labels, series: [whole], tones }: RowsData, look: Look, room: Room): ChartOption {
  const values = whole?.values ?? [];
  const total = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const half = Math.min(room.width, room.height) / 2;
  const ring = { type: 'pie' as const, radius: [half * RING.inner, half * RING.outer], center: ['50%', '50%'], label: { show: false } };
  const middle = {
    show: true,
    position: 'center' as const,
    formatter: () => figureText(total, whole ?? {}),
    color: look.text,
    fontSize: 20,
    fontWeight: 700,
  };
  if (total === 0) {
    // Measured, and nothing: an empty ring says so.
    return { series: [{ ...ring, silent: true, label: middle, data: [{ value: 1, itemStyle: { color: look.line } }] }] };
  }
  return {
    series: [
      {
        ...ring,
        startAngle: 90,
        clockwise: true,
        emphasis: { scale: false, itemStyle: { opacity: 0.85 } },
        itemStyle: { borderColor: look.surface, borderWidth: 2 },
        data: labels.map((name, at) => ({
          name,
          value: values[at] ?? 0,
          label: at === 0 ? middle : { show: false },
          itemStyle: { color: look.tones[tones?.[at] ?? toneAt(at)] },
        })),
      },
    ],
  };
}

const ramp = (high: number, look: Look) => ({
  type: 'continuous' as const,
  show: false,
  min: 0,
  max: Math.max(1e-9, high),
  inRange: { color: [...look.ramp] },
});

const cellStyle = (look: Look) => ({ borderColor: look.surface, borderWidth: 1.5, borderRadius: 2 });

/** Rows from top to bottom. What is not known stays blank. */
export function heatmapOption({ x, y, cells }: GridData, look: Look): ChartOption {
  const axis = (labels: readonly string[]) => ({
    type: 'category' as const,
    data: labels.map((_, at) => String(at)),
    axisTick: { show: false },
    axisLine: { show: false },
    splitLine: { show: false },
    axisLabel: { color: look.muted, hideOverlap: true, formatter: (at: string) => labels[Number(at)] ?? '' },
  });
  return {
    grid: { left: 4, right: 4, top: 4, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' },
    xAxis: axis(x),
    yAxis: { ...axis(y), inverse: true },
    visualMap: ramp(extentOf(cells.flat()).high, look),
    series: [
      {
        type: 'heatmap',
        data: cells.flatMap((row, at) => row.flatMap((value, over) => (value === null ? [] : [[over, at, value]]))),
        itemStyle: cellStyle(look),
        emphasis: { itemStyle: { borderColor: look.text, borderWidth: 1.5 } },
        animation: false,
      },
    ],
  };
}

/** Weeks from left to right, Monday on top. */
export function calendarOption({ days }: DaysData, look: Look, room: Room): ChartOption {
  const from = days[0]?.date ?? '';
  const to = days.at(-1)?.date ?? '';
  return {
    calendar: {
      left: 34,
      right: 6,
      top: 22,
      bottom: 4,
      range: [from, to],
      cellSize: ['auto', Math.floor((room.height - 26) / 7)],
      orient: 'horizontal',
      dayLabel: { firstDay: 1, color: look.muted, nameMap: ['Su', 'Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa'] },
      monthLabel: { color: look.muted, nameMap: 'en', position: 'start' },
      yearLabel: { show: false },
      itemStyle: { color: 'transparent', borderColor: look.line, borderWidth: 0.5 },
      splitLine: { show: false },
    },
    visualMap: ramp(extentOf(days.map(({ value }) => value)).high, look),
    series: [
      {
        type: 'heatmap',
        coordinateSystem: 'calendar',
        data: days.flatMap(({ date, value }) => (value === null ? [] : [[date, value]])),
        itemStyle: cellStyle(look),
        emphasis: { itemStyle: { borderColor: look.text, borderWidth: 1.5 } },
        animation: false,
      },
    ],
  };
}
