import type { UsageEndpoint } from '@nwms/contract';
import { percentOf, roundTo } from '@nwms/domain';
import { type Asked, askedOf, type DaysQuery, type FigureDeps, iso, rates, uniqueCount } from './answer.ts';
import { keyPeriod, segmentsOf } from './segments.ts';
import { splitEndpoint, type Tally } from './tally.ts';

export interface EndpointsQuery extends DaysQuery {
  limit?: number;
  order_by?: string;
}

const DEFAULT_LIMIT = 20;
const DEFAULT_ORDER = '-total_requests';
const COUNTED = ['requests', 'errors', 'server_errors', 'timed', 'ms', 'bytes', 'gets', 'not_modified', 'last_at'] as const;
export const p = (tally: Tally, q: number): number | null => {
  const value = tally.sketch?.quantile(q) ?? null;
  return value === null ? null : roundTo(value, 1);
};

/** Figures by route and method; `total`: rows there are. */
export async function endpoints(deps: FigureDeps, query: EndpointsQuery): Promise<{ rows: UsageEndpoint[]; total: number; asked: Asked }> {
  const asked = askedOf(deps, query);
  const figures = await deps.figures(
    {
      name: 'endpoints',
      parts: [
        {
          kinds: ['endpoint'],
          segments: segmentsOf(asked.window),
          counts: COUNTED,
          sketch: true,
          uniques: true,
          into: { endpoint: (row) => row.name },
        },
      ],
      principal: asked.principal,
      period: keyPeriod(asked.window),
    },
    asked.breathe,
  );
  const rows = [...figures.of('endpoint')].map(([name, tally]): UsageEndpoint => ({
    ...splitEndpoint(name),
    total_requests: tally.requests,
    p95_response_time_ms: p(tally, 0.95),
    ...rates(tally),
    unique_ips: uniqueCount(tally),
    bytes: tally.bytes,
    cache_hit_percent: percentOf(tally.not_modified, tally.gets),
    last_seen: tally.last_at === 0 ? null : iso(tally.last_at),
  }));
  rows.sort(ordered(query.order_by ?? DEFAULT_ORDER));
  return { rows: rows.slice(0, query.limit ?? DEFAULT_LIMIT), total: rows.length, asked };
}

/** By one member, `-` before it: largest first. What is not known comes last either way. */
function ordered(order: string): (a: UsageEndpoint, b: UsageEndpoint) => number {
  const descending = order.startsWith('-');
  const member = order.replace('-', '') as keyof UsageEndpoint;
  const nameOf = (row: UsageEndpoint) => `${row.endpoint} ${row.method}`;
  return (a, b) => {
    const [x, y] = [a[member], b[member]];
    if (x !== y && (x === null || y === null)) return x === null ? 1 : -1;
    const compared = x === y || x === null || y === null ? 0 : x < y ? -1 : 1;
    return (descending ? -compared : compared) || (nameOf(a) < nameOf(b) ? -1 : 1);
  };
}
