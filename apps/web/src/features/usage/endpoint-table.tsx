import type { UsageEndpoint } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type FigureOf, requestsAt } from './requests-link.ts';
import { BUSY, cut, endpointTone, endpointWords, errorTone, milliseconds, percents, TONE_TEXT } from './usage-words.ts';

/** Method and route, leading to its requests; long ones are cut, whole in the title. */
export function EndpointName({ endpoint, method, of }: { endpoint: string; method?: string; of: FigureOf }) {
  return (
    <Link
      {...requestsAt({ endpoint, ...(method ? { method } : {}) }, of)}
      title={[method, endpoint].filter(Boolean).join(' ')}
      className="font-medium hover:text-accent hover:underline"
    >
      {method ? <span className="text-[13px] font-normal text-muted">{method} </span> : null}
      <BreakableRoute name={cut(endpointWords(endpoint), BUSY)} />
    </Link>
  );
}

/** Lines break after a slash: names are no words to be torn apart. */
const BreakableRoute = ({ name }: { name: string }) => (
  <span className="break-words">
    {name.split(/(?<=\/)(?!$)/).map((part, at) => (
      // oxlint-disable-next-line react/no-array-index-key -- parts of one name, which never move
      <Fragment key={at}>
        {at > 1 ? <wbr /> : null}
        {part}
      </Fragment>
    ))}
  </span>
);

export const Milliseconds = ({ value }: { value: number | null }) => (
  <span className={`whitespace-nowrap ${TONE_TEXT[endpointTone(value)]}`}>{milliseconds(value)}</span>
);

/** The words of the shares that are over a limit are coloured; good ones are not, they are many. */
export function ErrorShare({ value }: { value: number | null }) {
  const tone = errorTone(value);
  return <span className={tone === 'ok' ? '' : TONE_TEXT[tone]}>{percents(value)}</span>;
}

const count = (value: number): string => value.toLocaleString('en-US');

const columnsOf = (of: FigureOf): Column<UsageEndpoint>[] => [
  { id: 'endpoint', header: 'Endpoint', cell: ({ endpoint, method }) => <EndpointName {...{ endpoint, method, of }} /> },
  { id: 'requests', header: 'Requests', numeric: true, cell: (row) => count(row.total_requests) },
  { id: 'average', header: 'Average', numeric: true, cell: (row) => <Milliseconds value={row.avg_response_time_ms} /> },
  { id: 'p95', header: 'P95', numeric: true, wideOnly: true, cell: (row) => milliseconds(row.p95_response_time_ms) },
  { id: 'errors', header: 'Errors', numeric: true, cell: (row) => <ErrorShare value={row.error_rate_percent} /> },
  { id: 'ips', header: 'Unique IPs', numeric: true, wideOnly: true, cell: (row) => count(row.unique_ips) },
  { id: 'cache', header: '304 of GETs', numeric: true, wideOnly: true, cell: (row) => percents(row.cache_hit_percent) },
];

/** ANLY-11 */
export function EndpointTable({ rows, of }: { rows: readonly UsageEndpoint[]; of: FigureOf }) {
  return (
    <DataTable
      label="Endpoint performance"
      columns={columnsOf(of)}
      rows={rows}
      rowId={({ method, endpoint }) => `${method} ${endpoint}`}
      empty={<p className="px-4 py-8 text-center text-muted">No endpoint data available</p>}
    />
  );
}
