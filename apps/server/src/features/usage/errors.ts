import type { UsageErrors } from '@nwms/contract';
import { averageMs, DAY_MS, dateOf, dayRowOf, daysOfWindow, percentOf } from '@nwms/domain';
import { askedOf, byCount, createRecorded, type DaysQuery, type FigureDeps, periodMembers, withoutRequests } from './answer.ts';
import { namesByKind, type Tallies } from './figures.ts';
import { daysOf, segmentsOf } from './segments.ts';
import { splitEndpoint } from './tally.ts';

const ENDPOINTS = 50;

export async function errorFigures(deps: FigureDeps, query: DaysQuery): Promise<UsageErrors> {
  const asked = askedOf(deps, query);
  const { window, principal } = asked;
  const [since, figures] = await Promise.all([
    deps.reads.since(),
    deps.figures(
      {
        name: 'errors',
        parts: [
          {
            kinds: ['all'],
            segments: daysOf(window),
            counts: ['requests', 'errors', 'server_errors'],
            by: 'day',
            into: { total: () => '', day: (row) => String(dayRowOf(window, row.start)) },
          },
          {
            kinds: ['endpoint', 'status', 'error'],
            segments: segmentsOf(window),
            counts: ['requests', 'errors', 'error_timed', 'error_ms'],
            into: namesByKind(['endpoint', 'status', 'error']),
          },
        ],
        principal,
      },
      asked.breathe,
    ),
  ]);
  const days = daysOfWindow(window);
  const ofDay = createRecorded(since, DAY_MS);
  const total = figures.one('total');
  const counted = (tallies: Tallies) =>
    [...tallies]
      .map(([name, { requests }]) => ({ name, count: requests }))
      .sort(
        byCount(
          ({ count }) => count,
          ({ name }) => name,
        ),
      );
  const rate = percentOf(total.errors, total.requests);
  return {
    total_errors: total.errors,
    error_rate: rate,
    error_rate_percent: rate,
    error_trends: days.map((at) => {
      const tally = figures.one('day', String(at));
      return {
        date: dateOf(at),
        error_count: ofDay.count(at, tally.errors),
        error_rate_percent: percentOf(tally.errors, tally.requests),
        total_requests: ofDay.count(at, tally.requests),
        server_error_count: ofDay.count(at, tally.server_errors),
      };
    }),
    error_by_status: counted(figures.of('status'))
      .filter(({ name }) => Number(name) >= 400)
      .map(({ name, count }) => ({ status_code: Number(name), count })),
    error_by_code: counted(figures.of('error')).map(({ name, count }) => ({ error: name, count })),
    error_by_endpoint: [...figures.of('endpoint')]
      .filter(([, tally]) => tally.errors > 0)
      .sort(
        byCount(
          ([, tally]) => tally.errors,
          ([name]) => name,
        ),
      )
      .slice(0, ENDPOINTS)
      .map(([name, tally]) => ({
        ...splitEndpoint(name),
        error_count: tally.errors,
        error_rate_percent: percentOf(tally.errors, tally.requests),
        avg_response_time_ms: averageMs(tally.error_ms, tally.error_timed),
      })),
    ...periodMembers(asked, [
      ...ofDay.missing('error_trends', days),
      ...withoutRequests(total.requests, ['error_rate', 'error_rate_percent']),
    ]),
  };
}
