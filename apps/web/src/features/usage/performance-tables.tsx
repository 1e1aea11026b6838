import type { UsageErrors, UsagePerformance } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EndpointName, ErrorShare, Milliseconds } from './endpoint-table.tsx';
import { requestsAt } from './requests-link.ts';
import { percents } from './usage-words.ts';

/** PERF-03: rows of each table. */
export const ROWS = 8;
type Status = UsageErrors['error_by_status'][number];
type Slow = UsagePerformance['slowest_endpoints'][number];
type Failing = UsageErrors['error_by_endpoint'][number];
type Days = number | undefined;

const count = (value: number): string => value.toLocaleString('en-US');
const nothing = (words: string) => <p className="px-4 py-8 text-center text-muted">{words}</p>;
const endpointId = ({ method, endpoint }: { method: string; endpoint: string }): string => `${method} ${endpoint}`;

const statusColumns = (total: number, days: Days): Column<Status>[] => [
  {
    id: 'status',
    header: 'Status',
    cell: ({ status_code: status }) => (
      <Link {...requestsAt({ status }, days)} className="font-medium hover:text-accent hover:underline">
        {status}
      </Link>
    ),
  },
  { id: 'count', header: 'Answers', numeric: true, cell: (row) => count(row.count) },
  { id: 'share', header: 'Of all errors', numeric: true, cell: (row) => (total === 0 ? '—' : percents((100 * row.count) / total)) },
];

export function StatusTable({ errors, days }: { errors: UsageErrors | undefined; days: Days }) {
  return (
    <DataTable
      label="Error status codes"
      columns={statusColumns(errors?.total_errors ?? 0, days)}
      rows={errors?.error_by_status.filter(({ status_code: status }) => status >= 400).slice(0, ROWS) ?? []}
      rowId={({ status_code: status }) => String(status)}
      empty={nothing('No errors in this period')}
    />
  );
}

const slowColumns = (days: Days): Column<Slow>[] => [
  { id: 'endpoint', header: 'Endpoint', cell: ({ endpoint, method }) => <EndpointName {...{ endpoint, method, days }} /> },
  { id: 'average', header: 'Average', numeric: true, cell: (row) => <Milliseconds value={row.avg_response_time_ms} /> },
  { id: 'requests', header: 'Requests', numeric: true, cell: (row) => count(row.request_count) },
];

export const SlowTable = ({ rows, days }: { rows: readonly Slow[]; days: Days }) => (
  <DataTable
    label="Slowest endpoints"
    columns={slowColumns(days)}
    rows={rows}
    rowId={endpointId}
    empty={nothing('No endpoint data available')}
  />
);

const failingColumns = (days: Days): Column<Failing>[] => [
  { id: 'endpoint', header: 'Endpoint', cell: ({ endpoint, method }) => <EndpointName {...{ endpoint, method, days }} /> },
  { id: 'errors', header: 'Errors', numeric: true, cell: (row) => count(row.error_count) },
  { id: 'rate', header: 'Rate', numeric: true, cell: (row) => <ErrorShare value={row.error_rate_percent} /> },
];

export const FailingTable = ({ rows, days }: { rows: readonly Failing[]; days: Days }) => (
  <DataTable
    label="Error-prone endpoints"
    columns={failingColumns(days)}
    rows={rows}
    rowId={endpointId}
    empty={nothing('No errors in this period')}
  />
);
