import type { UsageEndpoint } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { requestsAt } from './requests-link.ts';
import { BUSY, cut, endpointTone, endpointWords, errorTone, milliseconds, percents, TONE_TEXT } from './usage-words.ts';

/** Method and route, leading to its requests; long ones are cut, whole in the title. */
export function EndpointName({
  endpoint,
  method,
  days,
  length = BUSY,
}: {
  endpoint: string;
  method: string;
  days: number | undefined;
  length?: number;
}) {
  return (
    <Link
      {...requestsAt({ endpoint, method }, days)}
      title={`${method} ${endpoint}`}
      className="font-medium break-words hover:text-accent hover:underline"
    >
      <span className="text-[13px] font-normal text-muted">{method}</span>{' '}
      <span className="break-all">{cut(endpointWords(endpoint), length)}</span>
    </Link>
  );
}

export const Milliseconds = ({ value }: { value: number | null }) => (
  <span className={`whitespace-nowrap ${TONE_TEXT[endpointTone(value)]}`}>{milliseconds(value)}</span>
);

/** The words of the shares that are over a limit are coloured; good ones are not, they are many. */
export function ErrorShare({ value }: { value: number | null }) {
  const tone = errorTone(value);
  return <span className={tone === 'ok' ? '' : TONE_TEXT[tone]}>{percents(value)}</span>;
}

const count = (value: number): string => value.toLocaleString('en-US');

const columnsOf = (days: number | undefined): Column<UsageEndpoint>[] => [
  { id: 'endpoint', header: 'Endpoint', cell: ({ endpoint, method }) => <EndpointName {...{ endpoint, method, days }} /> },
  { id: 'requests', header: 'Requests', numeric: true, cell: (row) => count(row.total_requests) },
  { id: 'average', header: 'Average', numeric: true, cell: (row) => <Milliseconds value={row.avg_response_time_ms} /> },
  { id: 'p95', header: 'P95', numeric: true, wideOnly: true, cell: (row) => milliseconds(row.p95_response_time_ms) },
  { id: 'errors', header: 'Errors', numeric: true, cell: (row) => <ErrorShare value={row.error_rate_percent} /> },
  { id: 'ips', header: 'Unique IPs', numeric: true, wideOnly: true, cell: (row) => count(row.unique_ips) },
  { id: 'cache', header: '304 of GETs', numeric: true, wideOnly: true, cell: (row) => percents(row.cache_hit_percent) },
];

/** ANLY-11 */
export function EndpointTable({ rows, days }: { rows: readonly UsageEndpoint[]; days: number | undefined }) {
  return (
    <DataTable
      label="Endpoint performance"
      columns={columnsOf(days)}
      rows={rows}
      rowId={({ method, endpoint }) => `${method} ${endpoint}`}
      empty={<p className="px-4 py-8 text-center text-muted">No endpoint data available</p>}
    />
  );
}
