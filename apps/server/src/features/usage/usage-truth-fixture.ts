import { roundTo } from '@nwms/domain';
import type { Scripted } from './usage-model-fixture.ts';
import {
  COUNTRIES,
  DAY,
  HOUR,
  addresses,
  average,
  broken,
  cityOf,
  counts,
  date,
  errorRates,
  failed,
  grouped,
  iso,
  kindCounts,
  most,
  placeOf,
  rank,
  ranked,
  routeOf,
  share,
  split,
  startOf,
  sum,
  timesOf,
  type Truth,
} from './usage-truth-parts-fixture.ts';

export function overviewTruth(truth: Truth) {
  const { all, own, from, dayStarts, inDay, hourStarts, inHour, known, now, since, days } = truth;
  const length = days * DAY;
  const before = all.filter(({ at }) => at >= from - length && at < now - length);
  return {
    total_requests: own.length,
    unique_ips: addresses(own),
    ...errorRates(own),
    top_endpoints: most(grouped(own, routeOf))
      .slice(0, 10)
      .map(({ name, own: group }) => ({ ...split(name), requests: group.length, percent: share(group.length, own.length) })),
    daily_trends: dayStarts.map((start) => {
      const group = inDay(start);
      return {
        date: date(start),
        requests: known(start, DAY, group.length),
        by_principal: known(start, DAY, group.length) === null ? null : kindCounts(group),
        avg_response_time_ms: average(group),
        error_rate_percent: share(failed(group).length, group.length),
        unique_ips: known(start, DAY, addresses(group)),
      };
    }),
    hourly_trends: hourStarts.map((start) => ({
      hour: iso(start),
      requests: known(start, HOUR, inHour(start).length),
      avg_response_time_ms: average(inHour(start)),
    })),
    by_principal: kindCounts(own),
    previous:
      since > from - length
        ? null
        : {
            total_requests: before.length,
            unique_ips: addresses(before),
            avg_response_time_ms: average(before),
            error_rate_percent: share(failed(before).length, before.length),
          },
    growth_percent: since > from - length || before.length === 0 ? null : roundTo((100 * (own.length - before.length)) / before.length, 1),
    estimates: { unique_ips: { method: 'exact', error_95: 0 } },
    analysis_period: { start: iso(from), end: iso(now), days },
    generated_at: iso(now),
  };
}

/** Percentiles stand as exact values: answers are compared within the error of the sketch. Of a tie by route, then method. */
export const endpointsTruth = ({ own }: Truth) =>
  most(grouped(own, ({ endpoint, method }) => `${endpoint} ${method}`)).map(({ own: group }) => ({
    ...split(group[0] ? routeOf(group[0]) : ' '),
    total_requests: group.length,
    p95_response_time_ms: rank(group, 0.95),
    ...errorRates(group),
    unique_ips: addresses(group),
    bytes: sum(group.map(({ bytes }) => bytes)),
    cache_hit_percent: share(group.filter(({ status }) => status === 304).length, group.filter(({ method }) => method === 'GET').length),
    last_seen: iso(Math.max(...group.map(({ at }) => at))),
  }));

export function performanceTruth({ own, from, now, since, days, known }: Truth) {
  const byHour = days <= 7;
  const length = byHour ? HOUR : DAY;
  const starts = Array.from({ length: byHour ? Math.floor((now - from) / HOUR) + 1 : days }, (_, n) => from + n * length);
  const timed = timesOf(own);
  const routes = grouped(own, routeOf).filter(({ own: group }) => timesOf(group).length > 0);
  const often = routes.filter(({ own: group }) => group.length >= 5);
  const mean = ({ own: group }: { own: readonly Scripted[] }) => sum(timesOf(group)) / timesOf(group).length;
  const hourSeen = (hour: number) =>
    Array.from({ length: Math.floor((now - from) / HOUR) + 1 }, (_, n) => from + n * HOUR).some(
      (start) => new Date(start).getUTCHours() === hour && start + HOUR > since,
    );
  return {
    avg_response_time_ms: average(own),
    p50_response_time_ms: rank(own, 0.5),
    p95_response_time_ms: rank(own, 0.95),
    p99_response_time_ms: rank(own, 0.99),
    max_response_time_ms: timed.length === 0 ? null : roundTo(Math.max(...timed), 1),
    sample_count: timed.length,
    low_sample: timed.length < 100,
    slowest_endpoints: ranked(often.length > 0 ? often : routes, mean)
      .slice(0, 20)
      .map(({ name, own: group }) => ({
        ...split(name),
        avg_response_time_ms: average(group),
        p95_response_time_ms: rank(group, 0.95),
        request_count: group.length,
      })),
    hourly_performance: Array.from({ length: 24 }, (_, hour) => {
      const group = own.filter(({ at }) => new Date(at).getUTCHours() === hour);
      return { hour, avg_response_time_ms: average(group), request_count: group.length > 0 || hourSeen(hour) ? group.length : null };
    }),
    timeline: starts.map((start) => {
      const group = own.filter(({ at }) => startOf(at, length) === start);
      return {
        start: iso(start),
        avg_response_time_ms: average(group),
        p95_response_time_ms: rank(group, 0.95),
        request_count: known(start, length, group.length),
      };
    }),
  };
}

export function errorsTruth({ own, dayStarts, inDay, known }: Truth) {
  const rate = share(failed(own).length, own.length);
  return {
    total_errors: failed(own).length,
    error_rate: rate,
    error_rate_percent: rate,
    error_trends: dayStarts.map((start) => {
      const group = inDay(start);
      return {
        date: date(start),
        error_count: known(start, DAY, failed(group).length),
        error_rate_percent: share(failed(group).length, group.length),
        total_requests: known(start, DAY, group.length),
        server_error_count: known(start, DAY, broken(group).length),
      };
    }),
    error_by_status: most(grouped(failed(own), ({ status }) => String(status))).map(({ name, own: group }) => ({
      status_code: Number(name),
      count: group.length,
    })),
    error_by_code: most(grouped(failed(own), ({ error }) => error)).map(({ name, own: group }) => ({ error: name, count: group.length })),
    error_by_endpoint: most(grouped(failed(own), routeOf))
      .slice(0, 50)
      .map(({ name, own: group }) => ({
        ...split(name),
        error_count: group.length,
        error_rate_percent: share(group.length, own.filter((one) => routeOf(one) === name).length),
        avg_response_time_ms: average(group),
      })),
  };
}

export const geographicTruth = ({ own }: Truth) => ({
  country_stats: most(grouped(own, placeOf)).map(({ name, own: group }) => ({
    country: COUNTRIES[name],
    country_code: name,
    requests: group.length,
    unique_ips: addresses(group),
    percent: share(group.length, own.length),
  })),
  city_stats: most(grouped(own, cityOf)).map(({ name, own: group }) => ({
    city: name,
    region: 'Iowa',
    country_code: 'US',
    requests: group.length,
    percent: share(group.length, own.length),
  })),
  located_percent: share(own.filter((one) => placeOf(one) !== 'ZZ').length, own.length),
  total_requests: own.length,
});

export function agentsTruth({ own }: Truth) {
  const of = (device: string) => own.filter((one) => one.device === device).length;
  const devices = ['desktop', 'mobile', 'bot', 'client', 'unknown'].map((device_type) => ({ device_type, requests: of(device_type) }));
  const browsers = counts(
    grouped(own, ({ browser }) => browser),
    'browser',
  ).slice(0, 20);
  return {
    desktop_requests: of('desktop'),
    mobile_requests: of('mobile'),
    bot_requests: of('bot'),
    client_requests: of('client'),
    unknown_requests: of('unknown'),
    total_requests: own.length,
    device_stats: devices,
    devices,
    browser_stats: browsers,
    browsers,
    os: counts(
      grouped(own, ({ os }) => os),
      'os',
    ),
    bots: counts(
      grouped(own, ({ device, agent }) => (device === 'bot' ? agent : null)),
      'name',
    ),
    clients: counts(
      grouped(own, ({ device, agent }) => (device === 'client' ? agent : null)),
      'name',
    ),
  };
}

export function businessTruth({ own, dayStarts, inDay, known }: Truth) {
  const of = (group: readonly Scripted[]) => ({
    alerts: sum(group.map(({ alerts }) => alerts)),
    geographic: group.filter(({ geographic }) => geographic).length,
    timed: group.filter(({ timeFiltered }) => timeFiltered).length,
  });
  const total = of(own);
  return {
    total_alerts_served: total.alerts,
    geographic_queries: total.geographic,
    time_filtered_queries: total.timed,
    daily: dayStarts.map((start) => {
      const { alerts, geographic, timed } = of(inDay(start));
      return {
        date: date(start),
        alerts_served: known(start, DAY, alerts),
        geographic_queries: known(start, DAY, geographic),
        time_filtered_queries: known(start, DAY, timed),
      };
    }),
  };
}
