import type { UsageBusiness, UsageErrors, UsageOverview, UsagePerformance, UsageRealtime } from '@nwms/contract';
import type { ChartSpec, Value } from '../../ui/chart/chart-spec.ts';
import { cut, endpointWords, SHORT } from './usage-words.ts';

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const CLOCK = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone: 'UTC' });
const dayTick = (date: string): string => DAY.format(Date.parse(date));
const clock = (at: string): string => CLOCK.format(Date.parse(at));
const two = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

/** before recording began nobody counted. A row without a request has a count, and no times: its gap is another one. */
const gapOf = (counts: readonly Value[], times: readonly Value[] = []) => {
  const isQuiet = times.some((time, at) => time === null && counts[at] !== null);
  const words = [counts.includes(null) ? 'not recorded' : null, isQuiet ? 'no request' : null].filter((word) => word !== null);
  return words.length === 0 ? {} : { gap: words.join(', or ') };
};

/** Rows by day; the one row of the last 24 hours holds hours of two days. */
const dayRows = (dates: readonly string[], days: number) =>
  days === 1 ? { labels: ['The last 24 hours'] } : { labels: [...dates], ticks: dates.map(dayTick) };

/** ANLY-04: of one day by hours, of more by days. */
export function requestTrends({ daily_trends: days, hourly_trends: hours, analysis_period: period }: UsageOverview): ChartSpec {
  const byHour = period.days === 1;
  return {
    kind: 'line',
    data: {
      heading: byHour ? 'Hour (UTC)' : 'Day (UTC)',
      labels: byHour ? hours.map(({ hour }) => `${hour.slice(0, 10)} ${clock(hour)}`) : days.map(({ date }) => date),
      ticks: byHour ? hours.map(({ hour }) => clock(hour)) : days.map(({ date }) => dayTick(date)),
      series: [{ name: 'Requests', values: (byHour ? hours : days).map(({ requests }) => requests) }],
      ...gapOf((byHour ? hours : days).map(({ requests }) => requests)),
    },
  };
}

interface EndpointRow {
  endpoint: string;
  method: string;
}

/** Bars per endpoint, names cut to 15 characters (ANLY-09); the whole name shows under the pointer and in the table. */
export function endpointBars<Row extends EndpointRow>(
  rows: readonly Row[],
  series: { name: string; unit?: string; digits?: number; value: (row: Row) => Value },
): ChartSpec {
  const { value, ...figure } = series;
  return {
    kind: 'bar',
    lying: true,
    data: {
      heading: 'Endpoint',
      labels: rows.map(({ method, endpoint }) => `${method} ${endpointWords(endpoint)}`),
      ticks: rows.map(({ endpoint }) => cut(endpointWords(endpoint), SHORT)),
      series: [{ ...figure, values: rows.map(value) }],
    },
  };
}

/** ANLY-12: requests and their average time. */
export function dailyTrends({ daily_trends: days, analysis_period: period }: UsageOverview): ChartSpec {
  return {
    kind: 'dual-axis',
    data: {
      heading: 'Day (UTC)',
      ...dayRows(
        days.map(({ date }) => date),
        period.days,
      ),
      series: [
        { name: 'Requests', values: days.map(({ requests }) => requests), tone: 'series-6' },
        { name: 'Avg response time', unit: 'ms', digits: 1, values: days.map((each) => each.avg_response_time_ms), tone: 'series-3' },
      ],
      ...gapOf(
        days.map(({ requests }) => requests),
        days.map((each) => each.avg_response_time_ms),
      ),
    },
  };
}

export function businessTrends({ daily, analysis_period: period }: UsageBusiness): ChartSpec {
  return {
    kind: 'line',
    data: {
      heading: 'Day (UTC)',
      ...dayRows(
        daily.map(({ date }) => date),
        period.days,
      ),
      series: [
        { name: 'Alerts served', values: daily.map((each) => each.alerts_served) },
        { name: 'Geographic queries', values: daily.map((each) => each.geographic_queries) },
        { name: 'Time-filtered queries', values: daily.map((each) => each.time_filtered_queries) },
      ],
      ...gapOf(daily.map((each) => each.alerts_served)),
    },
  };
}

/** A ring of named counts. */
export const ring = (heading: string, name: string, parts: readonly { label: string; value: Value }[]): ChartSpec => ({
  kind: 'doughnut',
  data: { heading, labels: parts.map(({ label }) => label), series: [{ name, values: parts.map(({ value }) => value) }] },
});

/** Lying bars of named counts. */
export const bars = (heading: string, name: string, parts: readonly { label: string; value: Value }[]): ChartSpec => ({
  kind: 'bar',
  lying: true,
  data: { heading, labels: parts.map(({ label }) => label), series: [{ name, values: parts.map(({ value }) => value) }] },
});

/** PERF-02: hours of the day (UTC) over the whole period. */
export function hourlyPerformance({ hourly_performance: hours }: UsagePerformance): ChartSpec {
  return {
    kind: 'line',
    data: {
      heading: 'Hour of day (UTC)',
      labels: hours.map(({ hour }) => two(hour)),
      series: [{ name: 'Avg response time', unit: 'ms', digits: 1, values: hours.map((each) => each.avg_response_time_ms) }],
      ...gapOf(
        hours.map((each) => each.request_count),
        hours.map((each) => each.avg_response_time_ms),
      ),
    },
  };
}

export function responseTimeline({ timeline, analysis_period: { days } }: UsagePerformance): ChartSpec {
  const byHour = days <= 7;
  return {
    kind: 'line',
    data: {
      heading: byHour ? 'Hour (UTC)' : 'Day (UTC)',
      labels: timeline.map(({ start }) => (byHour ? `${start.slice(0, 10)} ${clock(start)}` : start.slice(0, 10))),
      ticks: timeline.map(({ start }) => (!byHour ? dayTick(start) : days === 1 ? clock(start) : `${dayTick(start)}, ${clock(start)}`)),
      series: [
        { name: 'Average', unit: 'ms', digits: 1, values: timeline.map((each) => each.avg_response_time_ms) },
        { name: 'P95', unit: 'ms', digits: 1, values: timeline.map((each) => each.p95_response_time_ms), tone: 'series-3' },
      ],
      ...gapOf(
        timeline.map((each) => each.request_count),
        timeline.map((each) => each.avg_response_time_ms),
      ),
    },
  };
}

/** PERF-02 */
export function errorTrends({ error_trends: days, analysis_period: period }: UsageErrors): ChartSpec {
  return {
    kind: 'dual-axis',
    data: {
      heading: 'Day (UTC)',
      ...dayRows(
        days.map(({ date }) => date),
        period.days,
      ),
      series: [
        { name: 'Errors', values: days.map((each) => each.error_count), tone: 'series-6' },
        { name: 'Error rate', unit: '%', digits: 2, values: days.map((each) => each.error_rate_percent), tone: 'bad' },
      ],
      ...gapOf(
        days.map((each) => each.total_requests),
        days.map((each) => each.error_rate_percent),
      ),
    },
  };
}

/** RTIM-03: points of the line charts. */
export const POINTS = 10;

export function minuteLine(
  { requests_per_minute: minutes }: UsageRealtime,
  series: { name: string; unit?: string; digits?: number; value: (row: UsageRealtime['requests_per_minute'][number]) => Value },
): ChartSpec {
  const last = minutes.slice(-POINTS);
  const { value, ...figure } = series;
  return {
    kind: 'line',
    data: {
      heading: 'Minute (UTC)',
      labels: last.map(({ timestamp, partial }) => `${clock(timestamp)}${partial ? ', still running' : ''}`),
      ticks: last.map(({ timestamp }) => clock(timestamp)),
      series: [{ ...figure, values: last.map(value) }],
      ...gapOf(
        last.map(({ requests }) => requests),
        last.map(value),
      ),
    },
  };
}

/** Named parts of a ring; a seventh would repeat a colour. */
const PARTS = 5;

/** The busiest endpoints and all others together: a share is one of everything, not of those that are shown. */
export function busiestRing({ top_endpoints: endpoints, totals }: Pick<UsageRealtime, 'top_endpoints' | 'totals'>): ChartSpec {
  const named = endpoints.slice(0, PARTS).map(({ endpoint, requests }) => ({ label: endpointWords(endpoint), value: requests }));
  const rest = totals.requests - named.reduce((sum, { value }) => sum + value, 0);
  return ring('Endpoint', 'Requests', rest > 0 ? [...named, { label: 'All others', value: rest }] : named);
}
