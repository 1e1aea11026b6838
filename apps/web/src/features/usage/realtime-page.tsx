import type { UsageRealtime } from '@nwms/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { isOld, viewOf } from '../../api/query-view.ts';
import { useServices } from '../../api/services.ts';
import { Badge } from '../../ui/badge.tsx';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { Checkbox } from '../../ui/check.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { Segments } from '../../ui/segments.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import { ErrorShare } from './endpoint-table.tsx';
import { chartOf } from './chart-state.ts';
import { PanelBody } from './panel-body.tsx';
import { Callers, OldData, RefreshButton } from './period-bar.tsx';
import { realtimeOf } from './queries.ts';
import { type FigureOf, requestsAt } from './requests-link.ts';
import { bars, busiestRing, minuteLine, POINTS } from './usage-charts.ts';
import { DEFAULT_MINUTES, WINDOWS } from './usage-search.ts';
import { errorTone, milliseconds, percents, responseTone } from './usage-words.ts';
import { useUsageSearch } from './use-usage-search.ts';

/** RTIM-04 */
const COUNTRIES = 5;
/** RTIM-05: minutes. */
const RECENT = 10;
const NONE = 'No request in these minutes.';

/** The last minutes, as they come in. */
export default function RealtimePage() {
  const services = useServices();
  const { search, change } = useUsageSearch();
  const realtime = useQuery(realtimeOf(services, search));
  const { data } = realtime;
  const minutes = search.minutes ?? DEFAULT_MINUTES;
  const state = viewOf(realtime);
  const shared = { ...chartOf(realtime), empty: NONE } as const;
  const of = `The last ${minutes} minutes`;
  return (
    <Page>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Segments
          label="Window"
          name="window"
          value={minutes}
          options={WINDOWS.map((value) => ({ value, label: `${value} min` }))}
          onChange={(value) => change({ minutes: value === DEFAULT_MINUTES ? undefined : value })}
        />
        <Callers {...{ search, change }} />
        <Checkbox label="Auto-refresh" checked={search.auto !== 'off'} onChange={(on) => change({ auto: on ? undefined : 'off' })} />
        {data ? <p className="tnum text-[13px] text-muted">as of {data.timestamp.slice(11, 19)} UTC</p> : null}
        <div className="ml-auto">
          <RefreshButton asked={[realtime]} />
        </div>
      </div>
      <OldData asked={[realtime]} />
      <SixCards realtime={data} loading={realtime.isPending && state.is === 'loading'} dimmed={isOld(realtime)} minutes={minutes} />
      <div className="grid gap-4 pane:grid-cols-2">
        <ChartPanel
          title="Requests per minute"
          note={`The last ${POINTS} minutes (UTC); the last one is still running`}
          spec={data ? minuteLine(data, { name: 'Requests', value: (row) => row.requests }) : null}
          height={220}
          {...shared}
        />
        <ChartPanel
          title="Response time"
          note={`Average in ms, the last ${POINTS} minutes (UTC)`}
          spec={
            data ? minuteLine(data, { name: 'Avg response time', unit: 'ms', digits: 1, value: (row) => row.avg_response_time_ms }) : null
          }
          height={220}
          {...shared}
        />
        <ChartPanel
          title="Top 5 countries"
          note={of}
          spec={
            data
              ? bars(
                  'Country',
                  'Requests',
                  data.country_stats.slice(0, COUNTRIES).map(({ country, requests }) => ({ label: country, value: requests })),
                )
              : null
          }
          height={200}
          {...shared}
          empty="No geographic data"
        />
        <ChartPanel title="Busiest endpoints" note={of} spec={data ? busiestRing(data) : null} height={200} {...shared} />
      </div>
      <Panel flush title="Recent activity" note={`The last ${RECENT} minutes, newest first; press one for its requests`}>
        <PanelBody query={realtime} label="the recent activity">
          <ActivityTable rows={data?.requests_per_minute ?? []} of={{ principal: search.principal }} />
        </PanelBody>
      </Panel>
    </Page>
  );
}

/** RTIM-03, R-42 */
function SixCards({
  realtime,
  loading,
  dimmed,
  minutes,
}: {
  realtime: UsageRealtime | undefined;
  loading: boolean;
  dimmed: boolean;
  minutes: number;
}) {
  const totals = realtime?.totals;
  const ms = totals?.avg_response_time_ms ?? null;
  const errors = totals?.error_rate_percent ?? null;
  const live = realtime?.live_connections;
  const shared = { loading, dimmed };
  const within = `in ${minutes} minutes`;
  return (
    <section aria-label="Right now" className="grid grid-cols-2 gap-3 sm:grid-cols-3 side:grid-cols-6">
      <StatCard label="Active IPs" value={realtime?.active_ips_last_5min ?? null} note="in the last 5 minutes" {...shared} />
      <StatCard
        label="Requests"
        value={realtime?.current_requests ?? null}
        note={totals ? `in the last minute, ${totals.requests.toLocaleString('en-US')} ${within}` : null}
        {...shared}
      />
      <StatCard label="Active Users" value={realtime?.active_users ?? null} note="accounts, in the last 5 minutes" {...shared} />
      <StatCard
        label="Live Connections"
        value={live ? live.websocket + live.sse : null}
        note={live ? `${live.websocket} WebSocket, ${live.sse} event stream, at the process that answers` : null}
        {...shared}
      />
      <StatCard label="Avg Response Time" value={ms === null ? null : milliseconds(ms)} tone={responseTone(ms)} note={within} {...shared} />
      <StatCard label="Error Rate" value={errors === null ? null : percents(errors)} tone={errorTone(errors)} note={within} {...shared} />
    </section>
  );
}

type Minute = UsageRealtime['requests_per_minute'][number];

const activityColumns = (latest: Minute | undefined, of: FigureOf): Column<Minute>[] => [
  {
    id: 'minute',
    header: 'Minute (UTC)',
    cell: (row) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <Link
          {...requestsAt({ minute: row.timestamp.slice(0, 16) }, of)}
          aria-label={`Requests of the minute ${row.timestamp.slice(11, 16)} UTC`}
          className="font-medium hover:text-accent hover:underline"
        >
          <time dateTime={row.timestamp} className="tnum">
            {row.timestamp.slice(11, 16)}
          </time>
        </Link>
        {row === latest ? <Badge tone="accent">Latest</Badge> : null}
      </span>
    ),
  },
  { id: 'requests', header: 'Requests', numeric: true, cell: (row) => row.requests?.toLocaleString('en-US') ?? 'not recorded' },
  { id: 'average', header: 'Average', numeric: true, cell: (row) => milliseconds(row.avg_response_time_ms) },
  { id: 'errors', header: 'Errors', numeric: true, wideOnly: true, cell: (row) => row.error_count?.toLocaleString('en-US') ?? '—' },
  { id: 'rate', header: 'Error rate', numeric: true, cell: (row) => <ErrorShare value={row.error_rate_percent} /> },
];

/** RTIM-05 */
function ActivityTable({ rows, of }: { rows: readonly Minute[]; of: FigureOf }) {
  const recent = rows.slice(-RECENT).toReversed();
  return (
    <DataTable
      label="Recent activity"
      columns={activityColumns(recent[0], of)}
      rows={recent}
      rowId={({ timestamp }) => timestamp}
      empty={<p className="px-4 py-8 text-center text-muted">No usage data available</p>}
    />
  );
}
