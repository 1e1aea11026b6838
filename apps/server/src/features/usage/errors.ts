import type { UsageErrors } from '@nwms/contract';
import { averageMs, DAY_MS, dateOf, dayRowOf, daysOfWindow, percentOf } from '@nwms/domain';
import { askedOf, byCount, createRecorded, type DaysQuery, type FigureDeps, periodMembers, tallyBy, withoutRequests } from './answer.ts';
import { daysOf, segmentsOf } from './store-read.ts';
import { splitEndpoint, Tally } from './tally.ts';

const ENDPOINTS = 50;

export async function errorFigures(deps: FigureDeps, query: DaysQuery): Promise<UsageErrors> {
  const asked = askedOf(deps, query);
  const { window, principal } = asked;
  const [since, rows] = await Promise.all([
    deps.reads.since(),
    deps.reads.rollups({
      parts: [
        { kinds: ['all'], segments: daysOf(window) },
        { kinds: ['endpoint', 'status', 'error'], segments: segmentsOf(window) },
      ],
      principal,
      columns: ['requests', 'errors', 'server_errors', 'error_timed', 'error_ms'],
    }),
  ]);
  const days = daysOfWindow(window);
  const ofDay = createRecorded(since, DAY_MS);
  const of = (kind: string) => tallyBy(asked, rows, (row) => (row.kind === kind ? row.name : null));
  const byDay = await tallyBy(asked, rows, (row) => (row.kind === 'all' ? String(dayRowOf(window, row.start)) : null));
  const total = (await of('all')).get('') ?? new Tally();
  const counted = (tallies: ReadonlyMap<string, Tally>) =>
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
      const tally = byDay.get(String(at)) ?? new Tally();
      return {
        date: dateOf(at),
        error_count: ofDay.count(at, tally.errors),
        error_rate_percent: percentOf(tally.errors, tally.requests),
        total_requests: ofDay.count(at, tally.requests),
        server_error_count: ofDay.count(at, tally.server_errors),
      };
    }),
    error_by_status: counted(await of('status'))
      .filter(({ name }) => Number(name) >= 400)
      .map(({ name, count }) => ({ status_code: Number(name), count })),
    error_by_code: counted(await of('error')).map(({ name, count }) => ({ error: name, count })),
    error_by_endpoint: [...(await of('endpoint'))]
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
