import type { BarSeriesOption, HeatmapSeriesOption, LineSeriesOption, PieSeriesOption } from 'echarts/charts';
import type { CalendarComponentOption, GridComponentOption, VisualMapComponentOption } from 'echarts/components';
import type { ComposeOption } from 'echarts/core';
import type { ChartSpec } from './chart-spec.ts';
import { calendarOption, doughnutOption, heatmapOption } from './field-options.ts';
import type { Look } from './look.ts';
import { rowsOption } from './rows-options.ts';

export type ChartOption = ComposeOption<
  | BarSeriesOption
  | HeatmapSeriesOption
  | LineSeriesOption
  | PieSeriesOption
  | CalendarComponentOption
  | GridComponentOption
  | VisualMapComponentOption
>;

/** Room for the drawing, in CSS pixels. */
export interface Room {
  width: number;
  height: number;
}

/** What the drawing library is told. Pure: the same description in the same look gives the same drawing. */
export function optionOf(spec: ChartSpec, look: Look, room: Room): ChartOption {
  return {
    animation: look.moves,
    animationDuration: 200,
    animationDurationUpdate: 200,
    // Told by our own words instead, which tests can read.
    aria: { enabled: false },
    textStyle: { fontFamily: look.font, fontSize: 12, color: look.muted },
    ...withIds(kindOption(spec, look, room)),
  };
}

/** Parts that keep their id from one drawing to the next move to their new values; others would be drawn from nothing again. */
function withIds({ series, xAxis, yAxis, ...rest }: ChartOption): ChartOption {
  const named = <T extends object>(parts: T | T[] | undefined, name: string) =>
    [parts ?? []].flat().map((part, at) => ({ ...(part as T), id: `${name}${at}` }));
  const axes = xAxis === undefined ? {} : { xAxis: named(xAxis, 'x'), yAxis: named(yAxis, 'y') };
  return { ...rest, ...axes, series: named(series, 's') } as ChartOption;
}

function kindOption(spec: ChartSpec, look: Look, room: Room): ChartOption {
  switch (spec.kind) {
    case 'doughnut':
      return doughnutOption(spec.data, look, room);
    case 'heatmap':
      return heatmapOption(spec.data, look);
    case 'calendar':
      return calendarOption(spec.data, look, room);
    default:
      return rowsOption(spec, look);
  }
}
