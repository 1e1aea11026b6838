import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useServices } from '../../api/services.ts';
import { isOld, viewOf } from '../../api/query-view.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { AlertFigures, AlertsAge, LiveFigures, SystemHealth } from './dashboard-blocks.tsx';
import { CountryList } from './country-list.tsx';
import { OverviewCards } from './overview-cards.tsx';
import { chartOf } from './chart-state.ts';
import { PanelBody } from './panel-body.tsx';
import { PeriodBar } from './period-bar.tsx';
import { alertStatsOf, endpointsOf, geographicOf, healthOf, overviewOf, realtimeOf } from './queries.ts';
import { requestsAt } from './requests-link.ts';
import { endpointBars, requestTrends } from './usage-charts.ts';
import { useUsageSearch } from './use-usage-search.ts';

const NONE = 'No request was recorded in this period.';
/** ANLY-04 */
const TOP_ENDPOINTS = 10;
const TOP_COUNTRIES = 5;

/** Use of the API at a glance. */
export default function DashboardPage() {
  const services = useServices();
  const navigate = useNavigate();
  const { search, change } = useUsageSearch();
  const overview = useQuery(overviewOf(services, search));
  const endpoints = useQuery(endpointsOf(services, search, TOP_ENDPOINTS));
  const places = useQuery(geographicOf(services, search));
  const realtime = useQuery(realtimeOf(services, { principal: search.principal }));
  const health = useQuery(healthOf(services));
  const stats = useQuery(alertStatsOf(services));
  const rows = endpoints.data ?? [];
  return (
    <Page>
      <PeriodBar {...{ search, change }} asked={[overview, endpoints, places, realtime, stats]} period={overview.data?.analysis_period} />
      <OverviewCards overview={overview.data} view={viewOf(overview)} dimmed={isOld(overview) || overview.isPlaceholderData} />
      <div className="grid gap-4 pane:grid-cols-3">
        <div className="pane:col-span-2 [&>section]:h-full">
          <ChartPanel
            title="Request trends"
            note={search.days === 1 ? 'Requests per hour (UTC)' : 'Requests per day (UTC)'}
            spec={overview.data ? requestTrends(overview.data) : null}
            {...chartOf(overview)}
            height={280}
            empty={NONE}
          />
        </div>
        <ChartPanel
          title="Top endpoints"
          note="By requests; press a bar for its requests"
          spec={endpoints.data ? endpointBars(rows, { name: 'Requests', value: (row) => row.total_requests }) : null}
          {...chartOf(endpoints)}
          height={280}
          empty={NONE}
          onPick={(at) => {
            const row = rows[at];
            if (row) void navigate(requestsAt({ endpoint: row.endpoint, method: row.method }, search));
          }}
        />
      </div>
      <div className="grid gap-4 sm:grid-cols-2 pane:grid-cols-4">
        <Panel title="Top 5 countries" note={places.data?.located_percent === null ? null : 'By requests'}>
          <PanelBody query={places} label="the countries" empty={places.data?.country_stats.length === 0 ? 'No geographic data' : null}>
            {places.data ? <CountryList countries={places.data.country_stats.slice(0, TOP_COUNTRIES)} of={search} /> : null}
          </PanelBody>
        </Panel>
        <Panel title="Real-time">
          <PanelBody query={realtime} label="the last minutes">
            {realtime.data ? <LiveFigures realtime={realtime.data} /> : null}
          </PanelBody>
        </Panel>
        <Panel title="System health">
          <PanelBody query={health} label="the system’s health">
            {health.data ? <SystemHealth health={health.data} old={isOld(health)} /> : null}
          </PanelBody>
        </Panel>
        <Panel title="Current alert statistics">
          <PanelBody query={stats} label="the alert statistics">
            {stats.data ? (
              <>
                <AlertsAge asOf={stats.data.freshness.data_as_of} old={isOld(stats)} />
                <AlertFigures stats={stats.data} />
              </>
            ) : null}
          </PanelBody>
        </Panel>
      </div>
    </Page>
  );
}
