import { DAY_MS, type DailySeries, startOfDay, startOfHour, usageWindow, type UsageWindow } from '@nwms/domain';
import { type FigurePart, namesByKind, type Tallies } from './figures.ts';
import { daysOf, hoursFrom, segmentsOf } from './segments.ts';
import { Tally } from './tally.ts';

/** Complete days that growth and forecast are made of. */
const FORECAST_DAYS = 56;

/** What insights ask of the record. */
export function insightParts(window: UsageWindow): FigurePart[] {
  const from = startOfDay(window.to) - FORECAST_DAYS * DAY_MS;
  return [
    {
      kinds: ['all', 'endpoint', 'device'],
      segments: segmentsOf(window),
      counts: ['requests', 'errors', 'timed', 'ms', 'gets', 'not_modified'],
      principals: true,
      into: {
        ...namesByKind(['all', 'endpoint', 'device']),
        endpoint_key: (row) => (row.kind === 'endpoint' && row.principal === 'key' ? row.name : null),
      },
    },
    {
      kinds: ['all'],
      segments: hoursFrom(window.from),
      counts: ['requests'],
      by: 'hour',
      into: { hour: (row) => String(startOfHour(row.start)) },
    },
    {
      kinds: ['all'],
      // From a midnight on: the question, and what is kept of it, stays the same all day.
      segments: hoursFrom(startOfDay(usageWindow(1, window.to).from)),
      counts: ['requests', 'server_errors', 'timed'],
      sketch: true,
      ofAll: true,
      into: { last_hour: (row) => String(startOfHour(row.start)) },
    },
    {
      kinds: ['all'],
      segments: daysOf({ from, to: window.to, days: FORECAST_DAYS + 1, unit: 'day' }),
      counts: ['requests'],
      by: 'day',
      into: { day: (row) => String(startOfDay(row.start)) },
    },
  ];
}

/** The last 24 hours together. */
export function lastDay({ to }: UsageWindow, byHour: Tallies): Tally {
  const total = new Tally();
  for (const [start, tally] of byHour) if (Number(start) >= usageWindow(1, to).from) total.mergeTally(tally, false);
  return total;
}

/** Complete UTC days since recording began, 56 at most; days without a request are days with none. */
export function completeDays(today: number, since: number | null, byDay: Tallies): DailySeries {
  const begin = since === null ? today : Math.ceil(since / DAY_MS) * DAY_MS;
  const first = Math.max(begin, today - FORECAST_DAYS * DAY_MS);
  const length = Math.max(0, (today - first) / DAY_MS);
  return {
    counts: Array.from({ length }, (_, n) => byDay.get(String(first + n * DAY_MS))?.requests ?? 0),
    firstWeekday: new Date(first).getUTCDay(),
  };
}
