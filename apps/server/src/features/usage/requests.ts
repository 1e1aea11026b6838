import type { QueryOf, usage, UsageRequest, UsageRequests } from '@nwms/contract';
import { roundTo } from '@nwms/domain';
import { fieldFault } from '../../platform/http/field-fault.ts';
import { parseInstant } from '../../platform/http/instant.ts';
import { decodeKeyset, encodeKeyset } from '../../platform/http/keyset-cursor.ts';
import { iso } from './answer.ts';
import type { RequestFilter, RequestReads, StoredRequest } from './store-requests.ts';

export type RequestsQuery = QueryOf<typeof usage.usageRequests>;

const DEFAULT_LIMIT = 100;

/** Single requests, newest first. @throws AppError request.invalid, query.cursor_invalid, query.cursor_mismatch */
export async function listRequests(reads: RequestReads, query: RequestsQuery): Promise<UsageRequests> {
  const { cursor, limit = DEFAULT_LIMIT, format: _format, ...question } = query;
  const position = cursor === undefined ? null : decodeKeyset(cursor, question);
  const rows = await reads.list(filterOf(question), position, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { requests: page.map(present), next_cursor: rows.length > limit && last ? encodeKeyset(last, question) : null };
}

/** Rows of a file at most: what a browser takes and a spreadsheet opens. */
export const MAX_FILE_ROWS = 100_000;
const FILE_PAGE_ROWS = 2_000;

/**
 * All requests that match, newest first, in pieces: nothing is cut off. @throws AppError query.window_too_large: more than a file may hold.
 * A database that goes away midway rejects the next piece; a file cannot say it otherwise than by breaking off.
 */
export async function allRequests(
  reads: RequestReads,
  query: RequestsQuery,
  maxRows = MAX_FILE_ROWS,
): Promise<AsyncGenerator<UsageRequest[]>> {
  const { cursor: _cursor, limit: _limit, format: _format, ...question } = query;
  const filter = filterOf(question);
  if ((await reads.countUpTo(filter, maxRows)) > maxRows) {
    const most = maxRows.toLocaleString('en-US');
    throw fieldFault(
      'from',
      'range',
      `More than ${most} requests match; a file holds at most that many. Narrow from and to, filter, or page with limit and cursor.`,
      'query.window_too_large',
    );
  }
  return pages(reads, filter);
}

async function* pages(reads: RequestReads, filter: RequestFilter): AsyncGenerator<UsageRequest[]> {
  let position: { at: number; id: string } | null = null;
  for (;;) {
    const rows: StoredRequest[] = await reads.list(filter, position, FILE_PAGE_ROWS);
    if (rows.length > 0) yield rows.map(present);
    const last = rows.at(-1);
    if (!last || rows.length < FILE_PAGE_ROWS) return;
    position = { at: Number(last.at), id: last.id };
  }
}

function filterOf({
  from,
  to,
  min_ms,
  visitor,
  country,
  method,
  principal,
  ...rest
}: Omit<RequestsQuery, 'cursor' | 'limit' | 'format'>): RequestFilter {
  const equal = {
    ...rest,
    principal: principal === 'all' ? undefined : principal,
    method: method?.toUpperCase(),
    country: country?.toUpperCase(),
  };
  const given = Object.entries(equal).filter(([, value]) => value !== undefined);
  return {
    ...(from === undefined ? {} : { from: parseInstant('from', from) }),
    ...(to === undefined ? {} : { to: parseInstant('to', to) }),
    ...(min_ms === undefined ? {} : { minMs: min_ms }),
    ...(visitor === undefined ? {} : { visitor: plain(visitor) }),
    equal: Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'string' ? plain(value) : value])),
  };
}

/** No stored text has a NUL, and PostgreSQL refuses the question. */
const plain = (text: string) => text.toWellFormed().replaceAll('\u0000', '\uFFFD');

function present(row: StoredRequest): UsageRequest {
  return {
    at: iso(Number(row.at)),
    endpoint: row.endpoint,
    method: row.method,
    status: row.status,
    error: row.error,
    duration_ms: row.ms === null ? null : roundTo(row.ms, 3),
    bytes: Number(row.bytes),
    principal: row.principal,
    key_id: row.key_id,
    user_id: row.user_id,
    visitor: row.visitor,
    country_code: row.country,
    region: row.region,
    city: row.city,
    browser: row.browser,
    os: row.os,
    device_type: row.device,
    agent: row.agent,
    cache: row.cache,
    alerts_served: row.alerts,
    geographic: row.geographic === 1,
    time_filtered: row.time_filtered === 1,
    cost: row.cost,
    request_id: row.request_id,
  };
}
