import type { UsageOverview } from '@nwms/contract';
import {
  averageMs,
  DAY_MS,
  dateOf,
  dayRowOf,
  daysOfWindow,
  growthPercent,
  HOUR_MS,
  percentOf,
  previousWindow,
  startOfDay,
  startOfHour,
  usageWindow,
  type UsageWindow,
} from '@nwms/domain';
import {
  type Asked,
  askedOf,
  byCount,
  byPrincipal,
  createRecorded,
  type DaysQuery,
  estimatesOf,
  type FigureDeps,
  iso,
  periodMembers,
  rates,
  uniqueCount,
  withoutRequests,
} from './answer.ts';
import type { FigurePart } from './figures.ts';
import { daysOf, hoursFrom, keyPeriod, pastSegments, segmentsOf } from './segments.ts';
import { elementOf, splitEndpoint, Tally } from './tally.ts';

const TOP = 10;

export async function overview(deps: FigureDeps, query: DaysQuery): Promise<UsageOverview> {
  const asked = askedOf(deps, query);
  const { window, principal } = asked;
  const day = usageWindow(1, window.to);
  const [since, figures, previous] = await Promise.all([
    deps.reads.since(),
    deps.figures({ name: 'overview', parts: partsOf(window, day), principal, period: keyPeriod(window) }, asked.breathe),
    previousFigures(deps, asked),
  ]);
  const total = figures.one('total');
  const days = daysOfWindow(window);
  const hourStarts = Array.from({ length: 24 }, (_, n) => day.from + n * HOUR_MS);
  const [ofDay, ofHour] = [createRecorded(since, DAY_MS), createRecorded(since, HOUR_MS)];
  return {
    total_requests: total.requests,
    unique_ips: uniqueCount(total),
    ...rates(total),
    top_endpoints: [...figures.of('endpoint')]
      .sort(
        byCount(
          ([, { requests }]) => requests,
          ([name]) => name,
        ),
      )
      .slice(0, TOP)
      .map(([name, { requests }]) => ({ ...splitEndpoint(name), requests, percent: percentOf(requests, total.requests) ?? 0 })),
    daily_trends: days.map((at) => {
      const tally = figures.one('day', String(at));
      const { avg_response_time_ms, error_rate_percent } = rates(tally);
      return {
        date: dateOf(at),
        requests: ofDay.count(at, tally.requests),
        by_principal: ofDay.count(at, tally.requests) !== null ? byPrincipal(figures.of('day_principal'), `${at} `) : null,
        avg_response_time_ms,
        error_rate_percent,
        unique_ips: ofDay.count(at, uniqueCount(tally)),
      };
    }),
    hourly_trends: hourStarts.map((at) => {
      const tally = figures.one('hour', String(at));
      return { hour: iso(at), requests: ofHour.count(at, tally.requests), avg_response_time_ms: averageMs(tally.ms, tally.timed) };
    }),
    by_principal: byPrincipal(figures.of('principal')),
    previous,
    growth_percent: previous === null ? null : growthPercent(total.requests, previous.total_requests),
    estimates: estimatesOf({ unique_ips: total.addresses }),
    ...periodMembers(asked, [
      ...ofDay.missing('daily_trends', days),
      ...ofHour.missing('hourly_trends', hourStarts),
      ...withoutRequests(total.requests, ['error_rate_percent', 'server_error_rate_percent']),
      ...withoutRequests(total.timed, ['avg_response_time_ms']),
      ...(previous === null
        ? ['previous', 'growth_percent'].map((field) => ({ field, reason: 'short_history' as const, have: null, need: 2 * window.days }))
        : withoutRequests(previous.total_requests, ['growth_percent', 'previous.error_rate_percent'])),
      ...(previous?.avg_response_time_ms === null ? withoutRequests(0, ['previous.avg_response_time_ms']) : []),
    ]),
  };
}

const partsOf = (window: UsageWindow, day: UsageWindow): FigurePart[] => [
  {
    kinds: ['all'],
    segments: daysOf(window),
    counts: ['requests', 'errors', 'server_errors', 'timed', 'ms'],
    uniques: true,
    into: {
      total: () => '',
      principal: (row) => row.principal,
      day: (row) => String(dayRowOf(window, row.start)),
      day_principal: (row) => `${dayRowOf(window, row.start)} ${row.principal}`,
    },
    plain: ['principal', 'day_principal'],
  },
  { kinds: ['endpoint'], segments: segmentsOf(window), counts: ['requests'], into: { endpoint: (row) => row.name } },
  {
    kinds: ['all'],
    // From a midnight on: the question, and what is kept of it, stays the same all day.
    segments: hoursFrom(startOfDay(day.from)),
    counts: ['requests', 'timed', 'ms'],
    by: 'hour',
    into: { hour: (row) => String(startOfHour(row.start)) },
  },
];

/** Null when recording began after the window did: less would read as growth. */
async function previousFigures({ reads }: FigureDeps, asked: Asked): Promise<UsageOverview['previous']> {
  const window: UsageWindow = previousWindow(asked.window);
  const since = await reads.since();
  if (since === null || since > window.from) return null;
  const period = keyPeriod(window);
  const { principal } = asked;
  const [rows, fragment] = await Promise.all([
    reads.rollups({
      parts: [{ kinds: ['all'], segments: pastSegments(window), uniques: true }],
      principal,
      columns: ['requests', 'errors', 'timed', 'ms'],
      period,
    }),
    // The hour it is cut in, request by request: hours and days are not cut.
    reads.fragment(startOfHour(window.to), window.to, principal, period),
  ]);
  const total = new Tally();
  for (const row of rows) {
    total.mergeRead(row);
    await asked.breathe();
  }
  for (const { address, requests, errors, timed, ms } of fragment) {
    total.mergeCounts({ requests: Number(requests), errors: Number(errors), timed: Number(timed), ms: Number(ms) });
    total.addresses?.add(elementOf(address));
  }
  const { avg_response_time_ms, error_rate_percent } = rates(total);
  return { total_requests: total.requests, unique_ips: uniqueCount(total), avg_response_time_ms, error_rate_percent };
}
