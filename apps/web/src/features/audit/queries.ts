import type { audit, AuditEntry } from '@nwms/contract';
import { infiniteQueryOptions } from '@tanstack/react-query';
import type { Api } from '../../api/call.ts';
import { line } from '../../api/line.ts';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';
import { type AuditSearch, auditQuery } from './audit-search.ts';

const list = line<typeof audit.listAudit>('GET', '/auth/admin/audit');

/** Entries of one page on the screen, and of one call of an export. */
const PAGE = 50;
const EXPORT_PAGE = 200;
/** Rows a spreadsheet still opens without trouble; the export says so when there are more. */
export const EXPORT_MAX = 50_000;

/** The log, newest first, page after page. */
export const auditOf = (services: Services, search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit', search],
    queryFn: ({ pageParam, signal }) =>
      services.api.call(list, { query: { ...auditQuery(search), limit: PAGE, ...(pageParam ? { cursor: pageParam } : {}) }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
    ...byPolicy('admin', services),
  });

/** Everything that matches, up to `EXPORT_MAX`; `complete` false when there is more. */
export async function exportAudit(
  api: Api,
  search: AuditSearch,
  options: { onProgress: (rows: number) => void; signal: AbortSignal },
): Promise<{ entries: AuditEntry[]; complete: boolean }> {
  const entries: AuditEntry[] = [];
  let cursor: string | null = null;
  do {
    const query = { ...auditQuery(search), limit: EXPORT_PAGE, ...(cursor === null ? {} : { cursor }) };
    const page: { entries: AuditEntry[]; next_cursor: string | null } = await api.call(list, { query, signal: options.signal });
    entries.push(...page.entries);
    cursor = page.next_cursor;
    options.onProgress(entries.length);
  } while (cursor !== null && entries.length < EXPORT_MAX);
  return { entries, complete: cursor === null };
}
