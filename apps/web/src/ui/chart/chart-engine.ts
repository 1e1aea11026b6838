/**
 * The only module that loads the drawing library; loaded on demand, once, where a chart is. Parts it does not have (tooltips, legends,
 * titles, a toolbox) are ours: the library's write markup into the page, which its policy forbids (Trusted Types).
 */
import { BarChart, HeatmapChart, LineChart, PieChart } from 'echarts/charts';
import { CalendarComponent, GridComponent, VisualMapContinuousComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { CanvasRenderer } from 'echarts/renderers';
import { optionOf, type Room } from './chart-option.ts';
import type { ChartSpec } from './chart-spec.ts';
import type { Look } from './look.ts';
import { type Point, type Scale, stopAt, pointOf } from './pick-stop.ts';

export interface Drawing {
  /** Draws this, moving from what was there. */
  draw(spec: ChartSpec, look: Look): void;
  resize(): void;
  /** Stop of the description under a point of the host; null beside the data. */
  stopAt(point: Point): number | null;
  /** Where a stop is, for what floats beside it; null while nothing is drawn. */
  pointOf(stop: number): Point | null;
  highlight(stop: number | null): void;
  /** The drawing at twice its size, for files. */
  picture(background: string): HTMLCanvasElement;
  dispose(): void;
}

/** Draws into this element, which belongs to the drawing until it is disposed of. */
export function createDrawing(host: HTMLElement): Drawing {
  use([BarChart, HeatmapChart, LineChart, PieChart, CalendarComponent, GridComponent, VisualMapContinuousComponent, CanvasRenderer]);
  onlyEmpties(host);
  const chart = init(host);
  let shown: ChartSpec | null = null;
  let look: Look | null = null;
  let lit: number | null = null;
  const room = (): Room => ({ width: chart.getWidth(), height: chart.getHeight() });
  const draw = () => {
    if (!shown || !look) return;
    // Another kind starts from nothing; the same kind keeps its shapes, so that refreshed data does not flicker.
    chart.setOption(optionOf(shown, look, room()), { notMerge: false, replaceMerge: ['series', 'xAxis', 'yAxis'] });
  };
  const scale: Scale = {
    toData: (point) => numbers(chart.convertFromPixel(finderOf(shown), [point.x, point.y])),
    toPoint: (place) => {
      const at = numbers(chart.convertToPixel(finderOf(shown), [...place]));
      return at === null ? null : { x: at[0], y: at[1] };
    },
    room,
  };
  const indexOf = (stop: number): number => (shown ? dataIndexOf(shown, stop) : stop);
  return {
    draw(spec, nextLook) {
      if (shown && shown.kind !== spec.kind) chart.clear();
      shown = spec;
      look = nextLook;
      draw();
    },
    resize() {
      chart.resize();
      // Rings and weeks are laid out by the room.
      draw();
    },
    stopAt: (point) => (shown ? stopAt(shown, point, scale) : null),
    pointOf: (stop) => (shown ? pointOf(shown, stop, scale) : null),
    highlight(stop) {
      if (lit !== null) chart.dispatchAction({ type: 'downplay', dataIndex: indexOf(lit) });
      if (stop !== null) chart.dispatchAction({ type: 'highlight', dataIndex: indexOf(stop) });
      lit = stop;
    },
    picture: (background) => chart.renderToCanvas({ pixelRatio: 2, backgroundColor: background }),
    dispose: () => chart.dispose(),
  };
}

/** The library empties its host by writing '' as markup, which the page's policy refuses to every text: here it only empties. */
function onlyEmpties(host: HTMLElement): void {
  Object.defineProperty(host, 'innerHTML', {
    configurable: true,
    set() {
      host.replaceChildren();
    },
  });
}

const finderOf = (spec: ChartSpec | null) => (spec?.kind === 'calendar' ? { calendarIndex: 0 } : { xAxisIndex: 0, yAxisIndex: 0 });

/** Calendars answer with an instant alone. */
function numbers(given: unknown): [number, number] | null {
  if (typeof given === 'number') return Number.isFinite(given) ? [given, 0] : null;
  if (!Array.isArray(given)) return null;
  const [a, b] = given as unknown[];
  return typeof a === 'number' && typeof b === 'number' && Number.isFinite(a) && Number.isFinite(b) ? [a, b] : null;
}

/** Blank cells and days are not drawn and have no number in the library. */
function dataIndexOf(spec: ChartSpec, stop: number): number {
  const values =
    spec.kind === 'heatmap' ? spec.data.cells.flat() : spec.kind === 'calendar' ? spec.data.days.map(({ value }) => value) : null;
  return values === null ? stop : values.slice(0, stop).filter((value) => value !== null).length;
}
