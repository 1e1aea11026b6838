import { Readable } from 'node:stream';
import { usage, usagePeople, type UsageEndpoint, type UsageRequest, type UsageUser } from '@nwms/contract';
import { actorOf, originOf } from '../../platform/http/caller.ts';
import type { Raw, Serve } from '../../platform/http/serve.ts';
import type { AuditWriter } from '../audit/index.ts';
import { listHeaders } from './answer.ts';
import { businessFigures } from './business.ts';
import { csvLines, csvOf } from './csv.ts';
import { endpoints } from './endpoints.ts';
import { errorFigures } from './errors.ts';
import { geographic, userAgents } from './geographic.ts';
import { type InsightDeps, insights } from './insights.ts';
import type { Locator } from './locate.ts';
import { overview } from './overview.ts';
import { performanceFigures } from './performance.ts';
import { realtime, type RealtimeDeps } from './realtime.ts';
import { allRequests, listRequests } from './requests.ts';
import type { RequestReads } from './store-requests.ts';
import type { CounterName } from './types.ts';
import { type PeopleDeps, usersDetailed, usersOverview } from './users.ts';

export interface UsageRouteDeps extends PeopleDeps, InsightDeps, RealtimeDeps {
  locator: Locator;
  counted: ReadonlySet<CounterName>;
  requests: RequestReads;
  audit: AuditWriter;
}

const PRIVATE = { 'Cache-Control': 'private, no-store' };

/** Usage analytics: for administrators who are signed in. */
export function registerUsageRoutes(serve: Serve, deps: UsageRouteDeps): void {
  serve(usage.usageOverview, ({ query }) => overview(deps, query));
  serve(usage.usageEndpoints, async ({ query, reply }) => {
    const { rows, total, asked } = await endpoints(deps, query);
    reply.headers(listHeaders(asked, total));
    return query.format === 'csv' ? csv(ENDPOINT_COLUMNS, rows, listHeaders(asked, total), 'endpoints') : rows;
  });
  serve(usage.usagePerformance, ({ query }) => performanceFigures(deps, query));
  serve(usage.usageErrors, ({ query }) => errorFigures(deps, query));
  serve(usage.usageBusinessMetrics, ({ query }) => businessFigures(deps, query));
  serve(usage.usageGeographic, ({ query }) => geographic(deps, query));
  serve(usage.usageUserAgents, ({ query }) => userAgents(deps, query));
  serve(usage.usageRequests, async ({ query, principal, request }) => {
    const { cursor: _cursor, ...filter } = query;
    await deps.audit.record({
      actor: actorOf(principal),
      action: 'usage.read',
      target: { type: 'requests', id: null, label: JSON.stringify(filter) },
      ...originOf(request, principal),
    });
    // A file that nobody cut to a size is whole.
    if (query.format === 'csv' && query.limit === undefined && query.cursor === undefined)
      return csvStream(REQUEST_COLUMNS, await allRequests(deps.requests, query), 'requests');
    const page = await listRequests(deps.requests, query);
    if (query.format !== 'csv') return page;
    const next: Record<string, string> = page.next_cursor === null ? {} : { Link: `<${nextUrl(query, page.next_cursor)}>; rel="next"` };
    return csv(REQUEST_COLUMNS, page.requests, next, 'requests');
  });
  serve(usagePeople.usageRealtime, ({ query }) => realtime(deps, query));
  serve(usagePeople.usageUsersOverview, ({ query }) => usersOverview(deps, query));
  serve(usagePeople.usageUsersDetailed, async ({ query, reply }) => {
    const { rows, total, asked } = await usersDetailed(deps, query);
    reply.headers(listHeaders(asked, total));
    return query.format === 'csv' ? csv(USER_COLUMNS, rows, listHeaders(asked, total), 'users') : rows;
  });
  serve(usagePeople.usageInsights, ({ query }) => insights(deps, query));
}

const columnsOf = <T>(schema: { properties: Record<string, unknown> }) => Object.keys(schema.properties) as (keyof T & string)[];
const ENDPOINT_COLUMNS = columnsOf<UsageEndpoint>(usage.UsageEndpoint);
const USER_COLUMNS = columnsOf<UsageUser>(usagePeople.UsageUser);
const REQUEST_COLUMNS = columnsOf<UsageRequest>(usage.UsageRequest);

const fileHeaders = (name: string): Record<string, string> => ({
  ...PRIVATE,
  'Content-Type': 'text/csv; charset=utf-8',
  'Content-Disposition': `attachment; filename="usage-${name}.csv"`,
});

function csv(columns: readonly string[], rows: readonly object[], headers: Record<string, string>, name: string): Raw {
  return { kind: 'raw', headers: { ...headers, ...fileHeaders(name) }, body: csvOf(columns, rows) };
}

function csvStream(columns: readonly string[], pages: AsyncGenerator<readonly object[]>, name: string): Raw {
  async function* pieces() {
    yield csvOf(columns, []);
    for await (const rows of pages) yield csvLines(columns, rows);
  }
  return { kind: 'raw', headers: fileHeaders(name), body: Readable.from(pieces(), { objectMode: false }) };
}

function nextUrl(query: Readonly<Record<string, unknown>>, cursor: string): string {
  const given = Object.entries({ ...query, cursor }).filter(([, value]) => value !== undefined);
  return `/api/v1/analytics/requests?${new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]))}`;
}
