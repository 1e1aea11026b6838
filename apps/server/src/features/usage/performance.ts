import type { UsagePerformance } from '@nwms/contract';
import { averageMs, DAY_MS, daysOfWindow, HOUR_MS, roundTo, startOfDay, startOfHour, type UsageWindow } from '@nwms/domain';
import { askedOf, createRecorded, type DaysQuery, type FigureDeps, iso, periodMembers, rates, withoutRequests } from './answer.ts';
import { p } from './endpoints.ts';
import type { FigurePart, Tallies } from './figures.ts';
import { daysOf, hoursFrom, segmentsOf } from './segments.ts';
import { splitEndpoint } from './tally.ts';

const SLOWEST = 20;
const SLOWEST_MIN_REQUESTS = 5;
/** The timeline of up to so many days has hours. */
const HOURLY_UP_TO_DAYS = 7;
const LOW_SAMPLE = 100;

export async function performanceFigures(deps: FigureDeps, query: DaysQuery): Promise<UsagePerformance> {
  const asked = askedOf(deps, query);
  const { window, principal } = asked;
  const hourly = window.days <= HOURLY_UP_TO_DAYS;
  const [since, figures] = await Promise.all([
    deps.reads.since(),
    deps.figures({ name: 'performance', parts: [...partsOf(window), hoursOf(window, hourly)], principal }, asked.breathe),
  ]);
  const total = figures.one('total');
  const starts = startsOf(window, hourly);
  const ofRow = createRecorded(since, hourly ? HOUR_MS : DAY_MS);
  const hoursSeen = recordedHours(window, since);
  return {
    avg_response_time_ms: averageMs(total.ms, total.timed),
    p50_response_time_ms: p(total, 0.5),
    p95_response_time_ms: p(total, 0.95),
    p99_response_time_ms: p(total, 0.99),
    max_response_time_ms: total.timed === 0 ? null : roundTo(total.ms_max, 1),
    sample_count: total.timed,
    low_sample: total.timed < LOW_SAMPLE,
    slowest_endpoints: slowest(figures.of('endpoint')),
    hourly_performance: Array.from({ length: 24 }, (_, hour) => {
      const tally = figures.one('hour_of_day', String(hour));
      return {
        hour,
        avg_response_time_ms: averageMs(tally.ms, tally.timed),
        request_count: tally.requests > 0 || hoursSeen.has(hour) ? tally.requests : null,
      };
    }),
    timeline: starts.map((at) => {
      const tally = figures.one(hourly ? 'hour' : 'day', String(at));
      return {
        start: iso(at),
        avg_response_time_ms: averageMs(tally.ms, tally.timed),
        p95_response_time_ms: p(tally, 0.95),
        request_count: ofRow.count(at, tally.requests),
      };
    }),
    ...periodMembers(asked, [
      ...ofRow.missing('timeline', starts),
      ...(hoursSeen.size === 24 ? [] : [{ field: 'hourly_performance', reason: 'not_recorded' as const, have: hoursSeen.size, need: 24 }]),
      ...withoutRequests(total.timed, [
        'avg_response_time_ms',
        'p50_response_time_ms',
        'p95_response_time_ms',
        'p99_response_time_ms',
        'max_response_time_ms',
      ]),
    ]),
  };
}

const partsOf = (window: UsageWindow): FigurePart[] => [
  {
    kinds: ['all'],
    segments: daysOf(window),
    counts: ['requests', 'timed', 'ms', 'ms_max'],
    sketch: true,
    into: { total: () => '', day: (row) => String(startOfDay(row.start)) },
  },
  {
    kinds: ['endpoint'],
    segments: segmentsOf(window),
    counts: ['requests', 'timed', 'ms'],
    sketch: true,
    into: { endpoint: (row) => row.name },
  },
];

const hourOfDay = ({ start }: { start: number }) => String(new Date(start).getUTCHours());

/** Hours of day, and for a timeline of hours each by itself. */
function hoursOf({ from }: UsageWindow, hourly: boolean): FigurePart {
  const part = { kinds: ['all'], segments: hoursFrom(from), counts: ['requests', 'timed', 'ms'] } as const;
  return hourly
    ? { ...part, sketch: true, into: { hour_of_day: hourOfDay, hour: (row) => String(startOfHour(row.start)) }, plain: ['hour_of_day'] }
    : { ...part, by: 'hour_of_day', into: { hour_of_day: hourOfDay } };
}

/** Hours of day (UTC) of which some part of the window was recorded. */
function recordedHours({ from, to }: UsageWindow, since: number | null): Set<number> {
  const seen = new Set<number>();
  for (let at = startOfHour(Math.max(from, since ?? from)); at <= to && seen.size < 24; at += HOUR_MS) seen.add(new Date(at).getUTCHours());
  return seen;
}

function startsOf(window: UsageWindow, hourly: boolean): number[] {
  if (!hourly) return daysOfWindow(window);
  const count = Math.floor((window.to - window.from) / HOUR_MS) + 1;
  return Array.from({ length: count }, (_, n) => window.from + n * HOUR_MS);
}

function slowest(byEndpoint: Tallies): UsagePerformance['slowest_endpoints'] {
  const timed = [...byEndpoint].filter(([, tally]) => tally.timed > 0);
  const often = timed.filter(([, tally]) => tally.requests >= SLOWEST_MIN_REQUESTS);
  return (often.length > 0 ? often : timed)
    .sort(([a, x], [b, y]) => y.ms / y.timed - x.ms / x.timed || (a < b ? -1 : 1))
    .slice(0, SLOWEST)
    .map(([name, tally]) => ({
      ...splitEndpoint(name),
      avg_response_time_ms: rates(tally).avg_response_time_ms,
      p95_response_time_ms: p(tally, 0.95),
      request_count: tally.requests,
    }));
}
