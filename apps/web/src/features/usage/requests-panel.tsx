import type { UsageRequest } from '@nwms/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/page.tsx';
import { CsvButton } from './csv-button.tsx';
import { Milliseconds } from './endpoint-table.tsx';
import { PanelBody } from './panel-body.tsx';
import { requestsOf } from './queries.ts';
import type { RequestFilter } from './usage-search.ts';
import { endpointWords } from './usage-words.ts';

const COLUMNS: Column<UsageRequest>[] = [
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
  { id: 'who', header: 'Caller', wideOnly: true, cell: (row) => callerOf(row) },
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

function callerOf({ principal, key_id: key, user_id: user, visitor }: UsageRequest): string {
  if (principal === 'key') return `key ${key ?? 'not known'}`;
  return principal === 'session' ? `account ${user ?? 'not known'}` : visitor;
}

/** What is asked, in words: "GET /alerts, status 404". */
function filterWords({ endpoint, method, status, error, country, visitor }: RequestFilter): string {
  const route = endpoint === undefined ? (method ?? null) : [method, endpointWords(endpoint)].filter(Boolean).join(' ');
  return [route, status && `status ${status}`, error, country && (country === 'ZZ' ? 'country unknown' : `country ${country}`), visitor]
    .filter(Boolean)
    .join(', ');
}

/** The single requests behind a figure. Another period is another panel (`key`). */
export function RequestsPanel({ filter, days, close }: { filter: RequestFilter; days: number; close: () => void }) {
  const services = useServices();
  // The list begins where it was opened, not at every refresh anew.
  const [from] = useState(() => startOf(days, Date.now()));
  const query = useInfiniteQuery(requestsOf(services, filter, from));
  const rows = query.data?.pages.flatMap(({ requests }) => requests) ?? [];
  return (
    <Panel
      flush
      title={`Requests: ${filterWords(filter)}`}
      note="Newest first, without addresses. Reading this list is written to the audit log."
      actions={
        <>
          <CsvButton label="Requests" path="/analytics/requests" query={{ ...filter, from }} />
          <Button onClick={close}>
            <X size={15} aria-hidden="true" /> Close
          </Button>
        </>
      }
    >
      <PanelBody query={query} label="the requests">
        <DataTable
          label="Requests"
          columns={COLUMNS}
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
