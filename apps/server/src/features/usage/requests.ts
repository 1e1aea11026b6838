import type { QueryOf, usage, UsageRequest, UsageRequests } from '@nwms/contract';
import { roundTo } from '@nwms/domain';
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

function filterOf({
  from,
  to,
  min_ms,
  visitor,
  country,
  method,
  ...rest
}: Omit<RequestsQuery, 'cursor' | 'limit' | 'format'>): RequestFilter {
  const equal = { ...rest, method: method?.toUpperCase(), country: country?.toUpperCase() };
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
