import type { UsageRequest } from '@nwms/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/page.tsx';
import { CsvButton } from './csv-button.tsx';
import { Milliseconds } from './endpoint-table.tsx';
import { PanelBody } from './panel-body.tsx';
import { type RequestsAsked, requestsOf } from './queries.ts';
import { requestsAt } from './requests-link.ts';
import { DEFAULT_DAYS, type Principal, type RequestFilter, type UsageSearch } from './usage-search.ts';
import { endpointWords } from './usage-words.ts';

const columnsOf = (search: UsageSearch): Column<UsageRequest>[] => [
  {
    id: 'at',
    header: 'Finished (UTC)',
    cell: ({ at }) => (
      <time dateTime={at} className="tnum">
        <span className="whitespace-nowrap">{at.slice(0, 10)}</span> {at.slice(11, 19)}
      </time>
    ),
  },
  {
    id: 'endpoint',
    header: 'Request',
    cell: ({ method, endpoint }) => (
      <>
        <span className="text-[13px] text-muted">{method}</span> <span className="break-all">{endpointWords(endpoint)}</span>
      </>
    ),
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, error }) => (
      <>
        <span className={status >= 400 ? 'font-semibold text-bad' : ''}>{status}</span>
        {error === null ? null : <span className="block text-[13px] text-muted">{error}</span>}
      </>
    ),
  },
  { id: 'ms', header: 'Time', numeric: true, cell: (row) => <Milliseconds value={row.duration_ms} /> },
  { id: 'who', header: 'Caller', wideOnly: true, cell: (row) => <Caller row={row} search={search} /> },
  {
    id: 'from',
    header: 'From',
    wideOnly: true,
    cell: (row) => [row.city, row.country_code === 'ZZ' ? 'Unknown' : row.country_code].filter(Boolean).join(', '),
  },
  {
    id: 'agent',
    header: 'Agent',
    wideOnly: true,
    cell: (row) => row.agent ?? ([row.browser, row.os].filter(Boolean).join(', ') || row.device_type),
  },
  { id: 'id', header: 'Request id', wideOnly: true, cell: (row) => <code className="text-xs break-all select-all">{row.request_id}</code> },
];

/** Who asked; a key leads to its requests. */
function Caller({ row: { principal, key_id: key, user_id: user, visitor }, search }: { row: UsageRequest; search: UsageSearch }) {
  if (principal === 'session') return `account ${user ?? 'not known'}`;
  if (principal !== 'key') return visitor;
  if (key === null) return 'key not known';
  return (
    <Link {...requestsAt({ key_id: key }, search)} className="break-all hover:text-accent hover:underline">
      key {key}
    </Link>
  );
}

const CALLERS: Record<Principal, string> = { anonymous: 'without a key', key: 'by API keys', session: 'by signed-in people' };

/** What is asked, in words: "GET /alerts, status 404, by API keys". */
export function filterWords(
  { endpoint, method, status, error, country, visitor, key_id: key, minute }: RequestFilter,
  of?: Principal,
): string {
  const route = endpoint === undefined ? (method ?? null) : [method, endpointWords(endpoint)].filter(Boolean).join(' ');
  return [
    route,
    status && `status ${status}`,
    error,
    country && (country === 'ZZ' ? 'country unknown' : `country ${country}`),
    visitor,
    key && `key ${key}`,
    minute && `${minute.replace('T', ' ')} UTC`,
    of && CALLERS[of],
  ]
    .filter(Boolean)
    .join(', ');
}

const MINUTE_MS = 60_000;

/** The question of a filter: of its one minute, or of the period from its begin on. */
export function askedOf(
  { minute, ...filter }: RequestFilter,
  { days = DEFAULT_DAYS, principal }: UsageSearch,
  nowMs: number,
): RequestsAsked {
  const at = minute === undefined ? null : Date.parse(`${minute}Z`);
  const stretch =
    at === null ? { from: startOf(days, nowMs) } : { from: new Date(at).toISOString(), to: new Date(at + MINUTE_MS).toISOString() };
  return { ...filter, ...stretch, ...(principal ? { principal } : {}) };
}

/** The single requests behind a figure. Another period or filter is another panel (`key`). */
export function RequestsPanel({ filter, search, close }: { filter: RequestFilter; search: UsageSearch; close: () => void }) {
  const services = useServices();
  // The list begins where it was opened, not at every refresh anew.
  const [asked] = useState(() => askedOf(filter, search, Date.now()));
  const query = useInfiniteQuery(requestsOf(services, asked));
  const rows = query.data?.pages.flatMap(({ requests }) => requests) ?? [];
  return (
    <Panel
      flush
      title={`Requests: ${filterWords(filter, search.principal)}`}
      note="Newest first, without addresses. Reading this list is written to the audit log."
      actions={
        <>
          <CsvButton label="Requests" path="/analytics/requests" query={asked} />
          <Button onClick={close}>
            <X size={15} aria-hidden="true" /> Close
          </Button>
        </>
      }
    >
      <PanelBody query={query} label="the requests">
        <DataTable
          label="Requests"
          columns={columnsOf(search)}
          rows={rows}
          rowId={({ request_id: id, at }) => `${id} ${at}`}
          empty={<p className="px-4 py-8 text-center text-muted">No such request in this period.</p>}
        />
        <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-2.5">
          <output className="tnum text-[13px] text-muted">
            {rows.length.toLocaleString('en-US')} shown{query.hasNextPage ? ', there are older ones' : ', no older ones'}
          </output>
          {query.hasNextPage ? (
            <Button onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
              {query.isFetchingNextPage ? 'Loading...' : 'Show older requests'}
            </Button>
          ) : null}
        </div>
      </PanelBody>
    </Panel>
  );
}

/** First instant of a period as the figures count it: midnight UTC of its first day, or 23 hours before this hour. */
export function startOf(days: number, nowMs: number): string {
  const HOUR = 3_600_000;
  const DAY = 24 * HOUR;
  const at = days === 1 ? Math.floor(nowMs / HOUR) * HOUR - 23 * HOUR : Math.floor(nowMs / DAY) * DAY - (days - 1) * DAY;
  return new Date(at).toISOString();
}
