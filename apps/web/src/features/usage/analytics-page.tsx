import type { UsageAgents, UsageBusiness } from '@nwms/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { isOld, viewOf } from '../../api/query-view.ts';
import { useServices } from '../../api/services.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import { CsvButton } from './csv-button.tsx';
import { EndpointTable } from './endpoint-table.tsx';
import { OverviewCards } from './overview-cards.tsx';
import { chartOf } from './chart-state.ts';
import { PanelBody } from './panel-body.tsx';
import { PeriodBar } from './period-bar.tsx';
import { agentsOf, businessOf, endpointsOf, overviewOf, windowOf } from './queries.ts';
import { RequestsPanel } from './requests-panel.tsx';
import { bars, businessTrends, dailyTrends, ring } from './usage-charts.ts';
import { CLOSED, isOpen, readRequestFilter } from './usage-search.ts';
import { useUsageSearch } from './use-usage-search.ts';

/** ANLY-10, ANLY-11 */
const BROWSERS = 8;
const ENDPOINTS = 10;
const NONE = 'No request was recorded in this period.';

/** Who asks, with what, for what; and the single requests behind a figure. */
export default function AnalyticsPage() {
  const services = useServices();
  const navigate = useNavigate();
  const { search, change } = useUsageSearch();
  const filter = readRequestFilter(useSearch({ strict: false }));
  const overview = useQuery(overviewOf(services, search));
  const agents = useQuery(agentsOf(services, search));
  const endpoints = useQuery(endpointsOf(services, search, ENDPOINTS));
  const business = useQuery(businessOf(services, search));
  const close = () => void navigate({ to: '.', search: (old: object) => ({ ...old, ...CLOSED }), resetScroll: false });
  return (
    <Page>
      <PeriodBar {...{ search, change }} asked={[overview, agents, endpoints, business]} period={overview.data?.analysis_period} />
      {isOpen(filter) ? <RequestsPanel key={JSON.stringify([search, filter])} {...{ filter, search, close }} /> : null}
      <OverviewCards overview={overview.data} view={viewOf(overview)} dimmed={isOld(overview) || overview.isPlaceholderData} />
      <div className="grid gap-4 pane:grid-cols-2">
        <ChartPanel
          title="Device types"
          note="Requests; programs are HTTP libraries and SDKs"
          spec={agents.data ? ring('Device', 'Requests', devicesOf(agents.data)) : null}
          {...chartOf(agents)}
          height={200}
          empty={NONE}
        />
        <ChartPanel
          title="Top browsers"
          note="Of desktop and mobile requests"
          spec={agents.data ? bars('Browser', 'Requests', browsersOf(agents.data)) : null}
          {...chartOf(agents)}
          height={200}
          empty="No browser data available"
        />
      </div>
      <Panel
        flush
        title="Endpoint performance"
        note="The ten with the most requests"
        actions={<CsvButton label="Endpoint performance" path="/analytics/endpoints" query={{ ...windowOf(search), limit: 200 }} />}
      >
        <PanelBody query={endpoints} label="the endpoints">
          <EndpointTable rows={endpoints.data ?? []} of={search} />
        </PanelBody>
      </Panel>
      <PanelBody query={business} label="what callers got">
        {business.data ? <BusinessCards business={business.data} dimmed={isOld(business)} /> : null}
      </PanelBody>
      <div className="grid gap-4 pane:grid-cols-2">
        <ChartPanel
          title="Daily trends"
          note="Requests and their average response time per day (UTC)"
          spec={overview.data ? dailyTrends(overview.data) : null}
          {...chartOf(overview)}
          empty={NONE}
        />
        <ChartPanel
          title="What was asked for"
          note="Per day (UTC)"
          spec={business.data ? businessTrends(business.data) : null}
          {...chartOf(business)}
          empty={NONE}
        />
      </div>
    </Page>
  );
}

const devicesOf = (agents: UsageAgents) => [
  { label: 'Desktop', value: agents.desktop_requests },
  { label: 'Mobile', value: agents.mobile_requests },
  { label: 'Bots', value: agents.bot_requests },
  { label: 'Programs', value: agents.client_requests },
  { label: 'Unknown', value: agents.unknown_requests },
];
const browsersOf = ({ browser_stats: browsers }: UsageAgents) =>
  browsers.slice(0, BROWSERS).map(({ browser, requests }) => ({ label: browser, value: requests }));

/** ANLY-12; what nothing counts yet is not shown as zero. */
function BusinessCards({ business, dimmed }: { business: UsageBusiness; dimmed: boolean }) {
  const more = [
    { label: 'Alerts streamed', value: business.alerts_streamed, note: 'to live connections' },
    { label: 'Map tiles served', value: business.tiles_served, note: undefined },
    { label: 'Push messages', value: business.push_sent, note: 'sent' },
    { label: 'Webhooks', value: business.webhooks_delivered, note: 'delivered' },
  ].filter(({ value }) => value !== null);
  return (
    <section aria-label="What callers got" className="grid grid-cols-2 gap-3 pane:grid-cols-4">
      <StatCard
        label="Alerts Served"
        value={business.total_alerts_served}
        note="alert objects in answers; unchanged answers add none"
        {...{ dimmed }}
      />
      <StatCard label="Geographic Queries" value={business.geographic_queries} note="about a place or an area" {...{ dimmed }} />
      <StatCard label="Time-Filtered Queries" value={business.time_filtered_queries} note="about an instant or a range" {...{ dimmed }} />
      {more.map(({ label, value, note }) => (
        <StatCard key={label} {...{ label, value, note, dimmed }} />
      ))}
    </section>
  );
}
