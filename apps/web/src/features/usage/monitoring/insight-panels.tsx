import type { UsageInsights, UsagePerformance, UsageErrors } from '@nwms/contract';
import { Link } from '@tanstack/react-router';
import { Badge } from '../../../ui/badge.tsx';
import type { ChartSpec } from '../../../ui/chart/chart-spec.ts';
import { Facts } from '../dashboard-blocks.tsx';
import { BUSY, cut, endpointTone, endpointWords, milliseconds, percents, TONE_TEXT } from '../usage-words.ts';
import { Meter } from './meter.tsx';
import {
  ALERT_TONE,
  engagementOf,
  forecastWords,
  growthOf,
  hourWords,
  PEAK_HOUR_FULL,
  PRIORITY_TONE,
  TOTAL_FULL,
  whyMissing,
} from './monitoring-words.ts';

/** ANLY-09: busiest endpoints are cut to 30 characters. */
const endpoint = (name: string | null, why: string) =>
  name === null ? <Why>{why}</Why> : <span title={name}>{cut(endpointWords(name.replace(/ \/api\/v1(?=\/)/, ' ')), BUSY)}</span>;
const Why = ({ children }: { children: string }) => <span className="text-[13px] font-normal text-muted">{children}</span>;

/** API usage patterns. `total`: requests, as the summary says it. */
export function UsagePatterns({ insights, total }: { insights: UsageInsights; total: number | null }) {
  const { system_insights: found, insufficient } = insights;
  const why = (field: string) => whyMissing(insufficient, `system_insights.${field}`);
  return (
    <>
      <Meter
        label={`Peak hour${found.peak_hour === null ? '' : `, ${hourWords(found.peak_hour) ?? ''}`}`}
        value={found.peak_hour_requests}
        full={PEAK_HOUR_FULL}
        note={
          found.peak_hour_requests === null
            ? why('peak_hour')
            : `requests per hour on average; the bar is full at ${PEAK_HOUR_FULL.toLocaleString('en-US')}`
        }
      />
      <Meter
        label="Total requests"
        value={total}
        full={TOTAL_FULL}
        note={`in ${insights.analysis_period.days} days; the bar is full at ${TOTAL_FULL.toLocaleString('en-US')}`}
      />
      <Facts
        rows={[
          { name: 'Quietest hour', value: hourWords(found.lowest_hour) ?? <Why>{why('lowest_hour')}</Why> },
          { name: 'Busiest endpoint', value: endpoint(found.busiest_endpoint, why('busiest_endpoint')) },
          { name: 'Slowest endpoint (10 requests or more)', value: endpoint(found.slowest_endpoint, why('slowest_endpoint')) },
          {
            name: 'Error-prone endpoint',
            value: endpoint(
              found.error_prone_endpoint,
              whyMissing(insufficient, 'system_insights.error_prone_endpoint', 'none with 10 requests or more fails'),
            ),
          },
        ]}
      />
    </>
  );
}

const COMPONENTS = {
  availability: 'Availability',
  latency: 'Latency',
  freshness: 'Freshness of alerts',
  dependencies: 'Dependencies',
} as const;

/** System health: the score and what it is made of. */
export function HealthScore({ insights }: { insights: UsageInsights }) {
  const { system_health_score: score, health_components: parts } = insights.system_insights;
  return (
    <>
      <p className="tnum text-xl font-bold">
        {score === null ? '—' : score}{' '}
        <span className="text-sm font-normal text-muted">
          {score === null ? whyMissing(insights.insufficient, 'system_insights.system_health_score') : 'of 100'}
        </span>
      </p>
      {(Object.keys(COMPONENTS) as (keyof typeof COMPONENTS)[]).map((name) => {
        const value = parts[name];
        return (
          <Meter
            key={name}
            label={COMPONENTS[name]}
            value={value === null ? null : Math.round(value * 100)}
            full={100}
            note={value === null ? whyMissing(insights.insufficient, `system_insights.health_components.${name}`) : 'of 100'}
          />
        );
      })}
    </>
  );
}

/** Intelligence analytics. `visitors`: as the overview of users says it. */
export function UsageFigures({ insights, visitors }: { insights: UsageInsights; visitors: number | null }) {
  const { system_insights: found, insufficient } = insights;
  const engagement = engagementOf(found.avg_requests_per_user);
  const growth = growthOf(found.daily_growth_rate);
  return (
    <Facts
      rows={[
        { name: 'Unique users', value: visitors === null ? <Why>not known</Why> : visitors.toLocaleString('en-US') },
        { name: 'Power users', value: found.power_users_count.toLocaleString('en-US') },
        {
          name: 'Requests per user',
          value:
            found.avg_requests_per_user === null ? (
              <Why>{whyMissing(insufficient, 'system_insights.avg_requests_per_user')}</Why>
            ) : (
              <>
                {found.avg_requests_per_user.toLocaleString('en-US')}{' '}
                {engagement ? <Badge tone="ok">{`${engagement} engagement`}</Badge> : null}
              </>
            ),
        },
        {
          name: 'Growth per day',
          value:
            found.daily_growth_rate === null ? (
              <Why>{whyMissing(insufficient, 'system_insights.daily_growth_rate')}</Why>
            ) : (
              <>
                {percents(found.daily_growth_rate)} <Badge>{growth}</Badge>
              </>
            ),
        },
      ]}
    />
  );
}

/** MON-10: made of measured figures, named in the text. Nothing found is said as that. */
export function Recommendations({ items }: { items: UsageInsights['recommendations'] }) {
  if (items.length === 0) return <p className="py-4 text-muted">No rule found anything to recommend.</p>;
  return (
    <ul>
      {items.map(({ id, priority, title, description, impact }) => (
        <li key={`${id} ${title}`} className="flex flex-col gap-0.5 border-t border-line py-2.5 first:border-t-0">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            <Badge tone={PRIORITY_TONE[priority]}>{priority}</Badge> {title}
          </p>
          <p className="text-sm">{description}</p>
          <p className="text-[13px] text-muted">{impact}</p>
        </li>
      ))}
    </ul>
  );
}

/** `old`: the answer is an earlier one, and "none" is no news any more. */
export function OpenAlerts({ alerts, old = false }: { alerts: UsageInsights['alerts']; old?: boolean }) {
  if (alerts.length === 0)
    return (
      <p className="py-4 text-muted">
        {old ? 'We cannot tell right now: none was open when the server last answered.' : 'No alert of the system is open.'}
      </p>
    );
  return (
    <ul>
      {alerts.map(({ id, severity, message, since }) => (
        <li
          key={`${id} ${since} ${message}`}
          className="flex flex-wrap items-baseline gap-x-2 gap-y-0.5 border-t border-line py-2.5 first:border-t-0"
        >
          <Badge tone={ALERT_TONE[severity]}>{severity}</Badge>
          <span className="min-w-0 flex-1 basis-48">{message}</span>
          <time dateTime={since} className="tnum text-[13px] text-muted">
            since {since.slice(5, 16).replace('T', ' ')} UTC
          </time>
        </li>
      ))}
    </ul>
  );
}

export function PerformanceInsights({ performance, errors }: { performance: UsagePerformance; errors: UsageErrors | undefined }) {
  const [slowest] = performance.slowest_endpoints;
  return (
    <Facts
      rows={[
        { name: 'Average', value: milliseconds(performance.avg_response_time_ms) },
        { name: 'P95', value: milliseconds(performance.p95_response_time_ms) },
        { name: 'P99', value: milliseconds(performance.p99_response_time_ms) },
        {
          name: slowest && slowest.request_count < 5 ? 'Slowest endpoint' : 'Slowest endpoint (5 requests or more)',
          value: slowest ? (
            <span className={TONE_TEXT[endpointTone(slowest.avg_response_time_ms)]} title={slowest.endpoint}>
              {cut(endpointWords(slowest.endpoint), BUSY)}, {milliseconds(slowest.avg_response_time_ms)}
            </span>
          ) : (
            <Why>no requests yet</Why>
          ),
        },
        { name: 'Error rate', value: errors ? percents(errors.error_rate_percent) : <Why>not known</Why> },
      ]}
    />
  );
}

export function forecastChart({ predictions }: UsageInsights): ChartSpec {
  const days = predictions.daily;
  return {
    kind: 'line',
    data: {
      heading: 'Day (UTC)',
      labels: days.map(({ date }) => date),
      ticks: days.map(({ date }) => date.slice(5)),
      series: [
        {
          name: 'Expected requests',
          dashed: true,
          values: days.map(({ expected }) => expected),
          ranges: days.map(({ low, high }) => (low === null || high === null ? null : { low, high })),
        },
      ],
    },
  };
}

/** Predictive analytics: a forecast with its interval, or why there is none. */
export function ForecastFacts({ insights }: { insights: UsageInsights }) {
  const { predictions, insufficient, confidence_score: confidence } = insights;
  const why = (field: string) => <Why>{whyMissing(insufficient, field)}</Why>;
  return (
    <Facts
      rows={[
        {
          name: 'Next 7 days',
          value: forecastWords(predictions.next_week_requests, predictions.intervals.next_week) ?? why('predictions.next_week_requests'),
        },
        {
          name: 'Next 30 days',
          value: forecastWords(predictions.next_month_requests, predictions.intervals.next_month) ?? why('predictions.next_month_requests'),
        },
        {
          name: 'Growth',
          value: predictions.growth_trend === null ? why('predictions.growth_trend') : <Badge>{predictions.growth_trend}</Badge>,
        },
        {
          name: 'Confidence',
          value: confidence === null ? why('confidence_score') : `${Math.round(confidence * 100)}%, by its errors on past weeks`,
        },
        { name: 'Made from', value: <Why>{`${predictions.basis_days} complete days, ${predictions.method}`}</Why> },
      ]}
    />
  );
}

/** MON-06, R-09: the places of the figures, with what was measured: nothing yet. */
export function MlWeatherPanel() {
  const rows = ['Models', 'Features', 'Average accuracy', 'Range', 'Accuracy at 1 h', 'at 6 h', 'at 24 h', 'at 72 h'];
  return (
    <>
      <Facts rows={rows.map((name) => ({ name, value: <Why>not measured yet</Why> }))} />
      <Link
        to="/intelligence"
        search={{ panel: 'ml' }}
        className="target inline-flex items-center text-sm font-medium text-accent hover:underline"
      >
        Open Intelligence
      </Link>
    </>
  );
}
