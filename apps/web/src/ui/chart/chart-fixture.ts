import type { ChartSpec, RowsData } from './chart-spec.ts';
import { TONES, type Tone } from './chart-spec.ts';
import type { Look } from './look.ts';

/** A look whose colours are the names of their tokens. */
export const LOOK: Look = {
  tones: Object.fromEntries(TONES.map((tone) => [tone, tone])) as Record<Tone, string>,
  ramp: ['r1', 'r2', 'r3', 'r4', 'r5'],
  text: 'text',
  muted: 'muted',
  line: 'line',
  surface: 'surface',
  font: 'Font',
  moves: true,
};
export const ROOM = { width: 600, height: 260 };

export const ROWS: RowsData = {
  heading: 'Day',
  labels: ['Dec 14', 'Dec 15', 'Dec 16'],
  series: [
    { name: 'Requests', values: [10, null, 30] },
    { name: 'Average', values: [120.25, 90, null], unit: 'ms', digits: 1 },
  ],
};
export const GRID: Extract<ChartSpec, { kind: 'heatmap' }> = {
  kind: 'heatmap',
  data: {
    xHeading: 'Hour',
    yHeading: 'Weekday',
    x: ['00', '12'],
    y: ['Monday', 'Tuesday'],
    valueName: 'Events begun',
    cells: [
      [0, 4],
      [null, 7],
    ],
  },
};
export const DAYS: Extract<ChartSpec, { kind: 'calendar' }> = {
  kind: 'calendar',
  data: {
    valueName: 'Events begun',
    days: [
      { date: '2025-12-14', value: 3 },
      { date: '2025-12-15', value: null },
      { date: '2025-12-16', value: 9 },
    ],
  },
};
