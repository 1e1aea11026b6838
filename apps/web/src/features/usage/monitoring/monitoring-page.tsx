import { RefreshCw, TriangleAlert } from 'lucide-react';
import { isOld, viewOf } from '../../../api/query-view.ts';
import { Button } from '../../../ui/button.tsx';
import { ChartPanel } from '../../../ui/chart/chart-panel.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Page, Panel } from '../../../ui/page.tsx';
import { StatCard } from '../../../ui/stat-card.tsx';
import { Facts } from '../dashboard-blocks.tsx';
import { chartOf } from '../chart-state.ts';
import { PanelBody } from '../panel-body.tsx';
import { OldData, RefreshButton } from '../period-bar.tsx';
import { requestTrends } from '../usage-charts.ts';
import {
  ForecastFacts,
  forecastChart,
  HealthScore,
  MlWeatherPanel,
  OpenAlerts,
  PerformanceInsights,
  Recommendations,
  UsageFigures,
  UsagePatterns,
} from './insight-panels.tsx';
import { Meter } from './meter.tsx';
import { type Monitoring, useMonitoring } from './monitoring-queries.ts';
import { whyMissing } from './monitoring-words.ts';
import { LimitPanel } from './limit-panel.tsx';
import { PeopleTable, UsersOverview } from './people-panels.tsx';

/** The accounts nearest to their limits, as bars. */
const BARS = 5;

/** How the API is used, by whom, how near to their limits, and what the rules make of it. */
export default function MonitoringPage() {
  const asked = useMonitoring();
  const all = Object.values(asked);
  // MON-03
  if (all.every((each) => each.data === undefined && each.error !== null)) {
    const retry = () => all.forEach((each) => void each.refetch());
    const busy = all.some(({ isFetching }) => isFetching);
    return (
      <Page>
        <div role="alert" className="card">
          <Notice
            icon={<TriangleAlert size={26} aria-hidden="true" />}
            title="Failed to load dashboard data"
            tone="bad"
            action={
              <Button onClick={retry} disabled={busy}>
                <RefreshCw size={15} aria-hidden="true" className={busy ? 'motion-safe:animate-spin' : ''} /> Retry
              </Button>
            }
          />
        </div>
      </Page>
    );
  }
  return (
    <Page>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="text-[13px] text-muted">Renewed every 30 seconds; figures of the last 7 days unless they say otherwise</p>
        <RefreshButton asked={all} />
      </div>
      <OldData asked={all} />
      <SummaryCards asked={asked} />
      <UsePanels asked={asked} />
      <RulePanels asked={asked} />
    </Page>
  );
}

const callersWords = ({ anonymous, key, session }: { anonymous: number; key: number; session: number }): string =>
  `${anonymous.toLocaleString('en-US')} without a key, ${key.toLocaleString('en-US')} by keys, ${session.toLocaleString('en-US')} signed in`;

function SummaryCards({ asked: { accounts, overview, realtime } }: { asked: Monitoring }) {
  const loading = accounts.isPending && accounts.error === null;
  const dimmed = isOld(accounts);
  // Of the same answer as the total and the chart below: two answers are of two moments, and a day would hold more than its week.
  const today = overview.data?.daily_trends.at(-1);
  return (
    <section aria-label="Summary" className="grid grid-cols-2 gap-3 pane:grid-cols-4">
      <StatCard
        label="Total Users"
        value={accounts.data?.total_users ?? null}
        note={
          accounts.data
            ? `${accounts.data.active_users} active, ${accounts.data.admin_users} ${accounts.data.admin_users === 1 ? 'administrator' : 'administrators'}`
            : null
        }
        {...{ loading, dimmed }}
      />
      <StatCard
        label="Requests Today"
        value={today?.requests ?? null}
        note={today?.by_principal ? callersWords(today.by_principal) : null}
        loading={viewOf(overview).is === 'loading'}
        dimmed={isOld(overview)}
      />
      <StatCard
        label="Total Requests"
        value={overview.data?.total_requests ?? null}
        note="in 7 days"
        loading={viewOf(overview).is === 'loading'}
        dimmed={isOld(overview)}
      />
      <StatCard
        label="Active IPs"
        value={realtime.data?.active_ips_last_5min ?? null}
        note="in the last 5 minutes"
        loading={viewOf(realtime).is === 'loading'}
        dimmed={isOld(realtime)}
      />
    </section>
  );
}

function UsePanels({ asked }: { asked: Monitoring }) {
  const { accounts, limits, overview, realtime, users, people } = asked;
  const near = limits.data?.users.slice(0, BARS) ?? [];
  return (
    <>
      <div className="grid gap-4 pane:grid-cols-3">
        <Panel title="Active users" note="Right now">
          <PanelBody query={realtime} label="the active users">
            {realtime.data ? (
              <Facts
                rows={[
                  { name: 'Accounts, last 5 minutes', value: realtime.data.active_users.toLocaleString('en-US') },
                  { name: 'Addresses, last 5 minutes', value: realtime.data.active_ips_last_5min.toLocaleString('en-US') },
                  { name: 'Requests, last minute', value: realtime.data.current_requests.toLocaleString('en-US') },
                  ...(accounts.data?.top_users_by_requests ?? [])
                    .slice(0, 3)
                    .map((each) => ({ name: `Most requests by key: ${each.username}`, value: each.requests.toLocaleString('en-US') })),
                ]}
              />
            ) : null}
          </PanelBody>
        </Panel>
        <Panel title="Usage overview" note="The accounts nearest to their limits">
          <PanelBody query={limits} label="the use of limits" empty={limits.data?.users.length === 0 ? 'No usage data available' : null}>
            {near.map((each) => (
              <Meter key={each.user_id} label={each.username} value={each.used_percent} full={100} unit="%" note="of the nearest limit" />
            ))}
          </PanelBody>
        </Panel>
        <Panel title="User analytics overview" note="Visitors of 7 days">
          <PanelBody query={users} label="the visitors">
            {users.data ? <UsersOverview users={users.data} /> : null}
          </PanelBody>
        </Panel>
      </div>
      <ChartPanel
        title="Requests per day"
        note="Days in UTC"
        spec={overview.data ? requestTrends(overview.data) : null}
        {...chartOf(overview)}
        height={200}
        empty="No request was recorded yet."
      />
      <LimitPanel />
      <Panel flush title="Detailed user activity" note="The ten visitors with the most requests; press one for them">
        <PanelBody query={people} label="the activity">
          <PeopleTable people={people.data} />
        </PanelBody>
      </Panel>
    </>
  );
}

function RulePanels({ asked: { insights, performance, errors, overview, users } }: { asked: Monitoring }) {
  const { data } = insights;
  // What stands twice on this screen is of one answer: two are of two moments.
  const told = { total: overview.data?.total_requests, visitors: users.data?.total_users };
  const panels = [
    { title: 'System health', body: data ? <HealthScore insights={data} /> : null },
    { title: 'API usage patterns', body: data ? <UsagePatterns insights={data} total={told.total ?? null} /> : null },
    { title: 'Intelligence analytics', body: data ? <UsageFigures insights={data} visitors={told.visitors ?? null} /> : null },
    {
      title: 'AI recommendations',
      note: 'By fixed rules over measured figures',
      body: data ? <Recommendations items={data.recommendations} /> : null,
    },
    { title: 'Performance alerts', body: data ? <OpenAlerts alerts={data.alerts} old={isOld(insights)} /> : null },
  ];
  return (
    <div className="grid gap-4 pane:grid-cols-2">
      {panels.map(({ title, note, body }) => (
        <Panel key={title} title={title} note={note}>
          <PanelBody query={insights} label={title}>
            {body}
          </PanelBody>
        </Panel>
      ))}
      <Panel title="Performance insights">
        <PanelBody query={performance} label="the performance">
          {performance.data ? <PerformanceInsights performance={performance.data} errors={errors.data} /> : null}
        </PanelBody>
      </Panel>
      <ChartPanel
        title="Predictive analytics"
        note={
          data?.predictions.intervals.next_week
            ? 'Expected requests per day; the band holds four days of five'
            : 'Expected requests per day'
        }
        spec={data ? forecastChart(data) : null}
        {...chartOf(insights)}
        height={180}
        empty={data ? `No forecast yet: ${whyMissing(data.insufficient, 'predictions.next_week_requests')}.` : null}
      >
        {data ? <ForecastFacts insights={data} /> : null}
      </ChartPanel>
      <Panel title="ML weather intelligence">
        <MlWeatherPanel />
      </Panel>
    </div>
  );
}
