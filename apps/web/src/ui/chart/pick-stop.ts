import type { ChartSpec } from './chart-spec.ts';
import { RING } from './field-options.ts';

/** CSS pixels from the upper left corner of the drawing. */
export interface Point {
  x: number;
  y: number;
}

/** What the drawing knows of its axes. */
export interface Scale {
  /** Numbers of both axes under a point; null outside of the axes. Of a calendar: the instant of the day first. */
  toData(point: Point): [number, number] | null;
  toPoint(place: readonly [number | string, number | string]): Point | null;
  room(): { width: number; height: number };
}

/** Which stop is under a point: over the whole height of a row of labels, not only on its line. */
export function stopAt(spec: ChartSpec, point: Point, scale: Scale): number | null {
  if (spec.kind === 'doughnut') return partAt(spec.data.series[0]?.values ?? [], point, scale.room());
  const place = scale.toData(point);
  if (place === null) return null;
  if (spec.kind === 'heatmap') {
    const { x, y } = spec.data;
    const column = inside(place[0], x.length);
    const row = inside(place[1], y.length);
    return column === null || row === null ? null : row * x.length + column;
  }
  if (spec.kind === 'calendar') {
    const date = localDate(place[0]);
    const at = spec.data.days.findIndex((day) => day.date === date);
    return at < 0 ? null : at;
  }
  const lying = spec.kind === 'bar' && spec.lying === true;
  return inside(place[lying ? 1 : 0], spec.data.labels.length);
}

/** Middle of what is drawn for a stop. */
export function pointOf(spec: ChartSpec, stop: number, scale: Scale): Point | null {
  if (spec.kind === 'doughnut') return partPoint(spec.data.series[0]?.values ?? [], stop, scale.room());
  if (spec.kind === 'heatmap') {
    const { x } = spec.data;
    return scale.toPoint([stop % x.length, Math.floor(stop / x.length)]);
  }
  if (spec.kind === 'calendar') {
    const day = spec.data.days[stop];
    return day ? scale.toPoint([day.date, 0]) : null;
  }
  const value = spec.data.series[0]?.values[stop] ?? 0;
  return spec.kind === 'bar' && spec.lying ? scale.toPoint([value, stop]) : scale.toPoint([stop, value]);
}

const inside = (at: number, length: number): number | null => {
  const whole = Math.round(at);
  return whole >= 0 && whole < length ? whole : null;
};

/** The library reads days in the browser's zone, and answers in it. */
function localDate(atMs: number): string {
  const at = new Date(atMs);
  const two = (n: number) => String(n).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Turns (0 to 1, clockwise from the top) at which each part begins and ends. */
function turnsOf(values: readonly (number | null)[]): { from: number; to: number }[] {
  const whole = values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  let at = 0;
  return values.map((value) => {
    const from = at;
    at += whole === 0 ? 0 : (value ?? 0) / whole;
    return { from, to: at };
  });
}

function partAt(values: readonly (number | null)[], { x, y }: Point, { width, height }: { width: number; height: number }): number | null {
  const half = Math.min(width, height) / 2;
  const across = x - width / 2;
  const down = y - height / 2;
  const away = Math.hypot(across, down) / half;
  if (away < RING.inner || away > RING.outer) return null;
  const turn = (Math.atan2(across, -down) / (2 * Math.PI) + 1) % 1;
  const at = turnsOf(values).findIndex(({ from, to }) => turn >= from && turn < to);
  return at < 0 ? null : at;
}

function partPoint(values: readonly (number | null)[], stop: number, { width, height }: { width: number; height: number }): Point | null {
  const part = turnsOf(values)[stop];
  if (!part) return null;
  const angle = Math.PI * (part.from + part.to);
  const away = (Math.min(width, height) / 2) * ((RING.inner + RING.outer) / 2);
  return { x: width / 2 + Math.sin(angle) * away, y: height / 2 - Math.cos(angle) * away };
}
