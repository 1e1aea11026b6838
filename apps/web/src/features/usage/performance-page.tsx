import type { UsageErrors, UsagePerformance } from '@nwms/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { isOld } from '../../api/query-view.ts';
import { useServices } from '../../api/services.ts';
import { ChartPanel } from '../../ui/chart/chart-panel.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import { chartOf } from './chart-state.ts';
import { PanelBody } from './panel-body.tsx';
import { PeriodBar } from './period-bar.tsx';
import { FailingTable, ROWS, SlowTable, StatusTable } from './performance-tables.tsx';
import { errorsOf, performanceOf } from './queries.ts';
import { requestsAt } from './requests-link.ts';
import { endpointBars, errorTrends, hourlyPerformance, responseTimeline } from './usage-charts.ts';
import { errorTone, milliseconds, percents, responseTone, slowestNote } from './usage-words.ts';
import { useUsageSearch } from './use-usage-search.ts';

const NONE = 'No request was recorded in this period.';
const count = (value: number): string => value.toLocaleString('en-US');

/** How quickly requests are answered, and which fail. */
export default function PerformancePage() {
  const services = useServices();
  const navigate = useNavigate();
  const { search, change } = useUsageSearch();
  const performance = useQuery(performanceOf(services, search));
  const errors = useQuery(errorsOf(services, search));
  const slowest = performance.data?.slowest_endpoints.slice(0, ROWS) ?? [];
  return (
    <Page>
      <PeriodBar {...{ search, change }} asked={[performance, errors]} period={performance.data?.analysis_period} />
      <TimeCards
        performance={performance.data}
        errors={errors.data}
        loading={performance.isPending || errors.isPending}
        dimmed={isOld(performance) || isOld(errors)}
      />
      <div className="grid gap-4 pane:grid-cols-2">
        <ChartPanel
          title="Hourly performance"
          note="Average in ms by hour of day (UTC) over the period"
          spec={performance.data ? hourlyPerformance(performance.data) : null}
          {...chartOf(performance)}
          empty={NONE}
        />
        <ChartPanel
          title="Slowest endpoints"
          note={slowestNote(slowest)}
          spec={
            performance.data
              ? endpointBars(slowest, { name: 'Average', unit: 'ms', digits: 1, value: (row) => row.avg_response_time_ms })
              : null
          }
          {...chartOf(performance)}
          empty={NONE}
          onPick={(at) => {
            const row = slowest[at];
            if (row) void navigate(requestsAt({ endpoint: row.endpoint, method: row.method }, search));
          }}
        />
        <ChartPanel
          title="Response times"
          note="Average and 95th percentile in ms over the period"
          spec={performance.data ? responseTimeline(performance.data) : null}
          {...chartOf(performance)}
          empty={NONE}
        />
        <ChartPanel
          title="Error trends"
          note="Answers with status 400 and above per day (UTC)"
          spec={errors.data ? errorTrends(errors.data) : null}
          {...chartOf(errors)}
          empty={NONE}
        />
      </div>
      <div className="grid items-start gap-4 pane:grid-cols-2 side:grid-cols-[minmax(0,1fr)_minmax(0,1.5fr)_minmax(0,1.4fr)]">
        <Panel flush title="Error status codes" note="The eight most frequent">
          <PanelBody query={errors} label="the status codes">
            <StatusTable errors={errors.data} of={search} />
          </PanelBody>
        </Panel>
        <Panel flush title="Slowest endpoints, in numbers">
          <PanelBody query={performance} label="the slowest endpoints">
            <SlowTable rows={slowest} of={search} />
          </PanelBody>
        </Panel>
        <Panel flush title="Error-prone endpoints" note="By errors">
          <PanelBody query={errors} label="the error-prone endpoints">
            <FailingTable rows={errors.data?.error_by_endpoint.slice(0, ROWS) ?? []} of={search} />
          </PanelBody>
        </Panel>
      </div>
    </Page>
  );
}

interface TimeCardsProps {
  performance: UsagePerformance | undefined;
  errors: UsageErrors | undefined;
  loading: boolean;
  dimmed: boolean;
}

/** PERF-01 */
function TimeCards({ performance, errors, loading, dimmed }: TimeCardsProps) {
  const few = performance?.low_sample === true ? `only ${count(performance.sample_count)} timed requests` : null;
  const ms = (value: number | null | undefined) => (value === null || value === undefined ? null : milliseconds(value));
  const pending = { loading: loading && !performance, dimmed };
  return (
    <section aria-label="Response times and errors" className="grid grid-cols-2 gap-3 pane:grid-cols-4">
      <StatCard
        label="Avg Response Time"
        value={ms(performance?.avg_response_time_ms)}
        tone={responseTone(performance?.avg_response_time_ms ?? null)}
        note={
          performance
            ? `of ${count(performance.sample_count)} timed requests, median ${milliseconds(performance.p50_response_time_ms)}`
            : null
        }
        {...pending}
      />
      <StatCard
        label="P95"
        value={ms(performance?.p95_response_time_ms)}
        note={few ?? (performance ? '19 of 20 are quicker' : null)}
        {...pending}
      />
      <StatCard
        label="P99"
        value={ms(performance?.p99_response_time_ms)}
        note={few ?? (performance ? `99 of 100 are quicker; slowest ${milliseconds(performance.max_response_time_ms)}` : null)}
        {...pending}
      />
      <StatCard
        label="Total Errors"
        value={errors?.total_errors ?? null}
        tone={
          errors && errors.error_rate_percent !== null && errors.error_rate_percent > 5 ? errorTone(errors.error_rate_percent) : 'plain'
        }
        note={errors ? `${percents(errors.error_rate_percent)} of all requests` : null}
        loading={loading && !errors}
        {...{ dimmed }}
      />
    </section>
  );
}
