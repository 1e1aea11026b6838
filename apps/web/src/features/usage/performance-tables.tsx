import type { UsageErrors, UsagePerformance } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EndpointName, ErrorShare, Milliseconds } from './endpoint-table.tsx';
import { type FigureOf, requestsAt } from './requests-link.ts';
import { percents } from './usage-words.ts';

/** PERF-03: rows of each table. */
export const ROWS = 8;
type Status = UsageErrors['error_by_status'][number];
type Slow = UsagePerformance['slowest_endpoints'][number];
type Failing = UsageErrors['error_by_endpoint'][number];

const count = (value: number): string => value.toLocaleString('en-US');
const nothing = (words: string) => <p className="px-4 py-8 text-center text-muted">{words}</p>;
const endpointId = ({ method, endpoint }: { method: string; endpoint: string }): string => `${method} ${endpoint}`;

const statusColumns = (total: number, of: FigureOf): Column<Status>[] => [
  {
    id: 'status',
    header: 'Status',
    cell: ({ status_code: status }) => (
      <Link {...requestsAt({ status }, of)} className="font-medium hover:text-accent hover:underline">
        {status}
      </Link>
    ),
  },
  { id: 'count', header: 'Answers', numeric: true, cell: (row) => count(row.count) },
  { id: 'share', header: 'Of all errors', numeric: true, cell: (row) => (total === 0 ? '—' : percents((100 * row.count) / total)) },
];

export function StatusTable({ errors, of }: { errors: UsageErrors | undefined; of: FigureOf }) {
  return (
    <DataTable
      label="Error status codes"
      columns={statusColumns(errors?.total_errors ?? 0, of)}
      rows={errors?.error_by_status.filter(({ status_code: status }) => status >= 400).slice(0, ROWS) ?? []}
      rowId={({ status_code: status }) => String(status)}
      empty={nothing('No errors in this period')}
    />
  );
}

const slowColumns = (of: FigureOf): Column<Slow>[] => [
  { id: 'endpoint', header: 'Endpoint', cell: ({ endpoint, method }) => <EndpointName {...{ endpoint, method, of }} /> },
  { id: 'average', header: 'Average', numeric: true, cell: (row) => <Milliseconds value={row.avg_response_time_ms} /> },
  { id: 'requests', header: 'Requests', numeric: true, cell: (row) => count(row.request_count) },
];

export const SlowTable = ({ rows, of }: { rows: readonly Slow[]; of: FigureOf }) => (
  <DataTable
    label="Slowest endpoints"
    columns={slowColumns(of)}
    rows={rows}
    rowId={endpointId}
    empty={nothing('No endpoint data available')}
  />
);

const failingColumns = (of: FigureOf): Column<Failing>[] => [
  { id: 'endpoint', header: 'Endpoint', cell: ({ endpoint, method }) => <EndpointName {...{ endpoint, method, of }} /> },
  { id: 'errors', header: 'Errors', numeric: true, cell: (row) => count(row.error_count) },
  { id: 'rate', header: 'Rate', numeric: true, cell: (row) => <ErrorShare value={row.error_rate_percent} /> },
];

export const FailingTable = ({ rows, of }: { rows: readonly Failing[]; of: FigureOf }) => (
  <DataTable
    label="Error-prone endpoints"
    columns={failingColumns(of)}
    rows={rows}
    rowId={endpointId}
    empty={nothing('No errors in this period')}
  />
);
