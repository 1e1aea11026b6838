import { roundTo, userTypeOf, USER_TYPES } from '@nwms/domain';
import type { PrincipalKind } from './types.ts';
import { type Scripted, visitorOf, visits } from './usage-model-fixture.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** A question over scripted requests, and the moment it is asked at. `since`: when recording began. */
export interface TruthQuestion {
  requests: readonly Scripted[];
  now: number;
  since: number;
  days: number;
  principal: PrincipalKind | 'all';
}

const iso = (at: number) => new Date(at).toISOString();
const date = (at: number) => iso(at).slice(0, 10);
const startOf = (at: number, ms: number) => Math.floor(at / ms) * ms;
const timesOf = (own: readonly Scripted[]) => own.flatMap(({ ms }) => (ms === null ? [] : [ms]));
const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const average = (own: readonly Scripted[]) => (timesOf(own).length === 0 ? null : roundTo(sum(timesOf(own)) / timesOf(own).length, 1));
const share = (part: number, whole: number) => (whole === 0 ? null : roundTo((100 * part) / whole, 2));
const failed = (own: readonly Scripted[]) => own.filter(({ status }) => status >= 400);
const broken = (own: readonly Scripted[]) => own.filter(({ status }) => status >= 500);
const addresses = (own: readonly Scripted[]) => new Set(own.map(({ caller }) => caller.address)).size;
const rank = (own: readonly Scripted[], q: number) => {
  const sorted = timesOf(own).sort((a, b) => a - b);
  return sorted[Math.ceil(q * sorted.length) - 1] ?? null;
};
const errorRates = (own: readonly Scripted[]) => ({
  avg_response_time_ms: average(own),
  error_rate_percent: share(failed(own).length, own.length),
  server_error_rate_percent: share(broken(own).length, own.length),
});
const grouped = (own: readonly Scripted[], nameOf: (one: Scripted) => string | null) => {
  const groups = new Map<string, Scripted[]>();
  for (const one of own) {
    const name = nameOf(one);
    if (name !== null) groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups].map(([name, group]) => ({ name, own: group }));
};
/** Most first, of a tie by name. */
const ranked = <T extends { name: string }>(groups: readonly T[], valueOf: (one: T) => number): T[] =>
  [...groups].sort((a, b) => valueOf(b) - valueOf(a) || (a.name < b.name ? -1 : 1));
const most = (groups: { name: string; own: readonly Scripted[] }[]) => ranked(groups, ({ own }) => own.length);
const routeOf = ({ method, endpoint }: Scripted) => `${method} ${endpoint}`;
const split = (name: string) => ({ method: name.slice(0, name.indexOf(' ')), endpoint: name.slice(name.indexOf(' ') + 1) });
const counts = (groups: { name: string; own: readonly Scripted[] }[], member: string) =>
  most(groups).map(({ name, own }) => ({ [member]: name, requests: own.length }));
const placeOf = ({ caller: { address } }: Scripted) => (address.startsWith('203') ? 'ZZ' : address.endsWith('.4') ? 'DE' : 'US');
const cityOf = (one: Scripted) => (placeOf(one) === 'US' ? (one.caller.address.endsWith('.3') ? 'Ames' : 'Des Moines') : null);
const COUNTRIES: Record<string, string> = { ZZ: 'Unknown', DE: 'Germany', US: 'United States' };
const kindCounts = (own: readonly Scripted[]) => {
  const of = (kind: PrincipalKind) => own.filter(({ caller }) => caller.type === kind).length;
  return { anonymous: of('anonymous'), key: of('key'), session: of('session') };
};

/** The requests of a question, and the rows of its series. */
export function truthOf({ requests, now, since, days, principal }: TruthQuestion) {
  const all = requests.filter(({ at, caller }) => at < now && (principal === 'all' || caller.type === principal));
  const from = days === 1 ? startOf(now, HOUR) - 23 * HOUR : startOf(now, DAY) - (days - 1) * DAY;
  const own = all.filter(({ at }) => at >= from);
  const dayStarts = days === 1 ? [startOf(now, DAY)] : Array.from({ length: days }, (_, n) => from + n * DAY);
  const inDay = (start: number) => (days === 1 ? own : own.filter(({ at }) => startOf(at, DAY) === start));
  const hourStarts = Array.from({ length: 24 }, (_, n) => startOf(now, HOUR) - (23 - n) * HOUR);
  const inHour = (start: number) => all.filter(({ at }) => startOf(at, HOUR) === start);
  const known = (start: number, length: number, value: number) => (value > 0 || start + length > since ? value : null);
  return { all, own, from, dayStarts, inDay, hourStarts, inHour, known, now, since, days };
}
type Truth = ReturnType<typeof truthOf>;

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

const DEVICES = ['desktop', 'mobile', 'client', 'bot', 'unknown'];
/** The most frequent; of a tie the one seen last. */
const frequent = (own: readonly Scripted[], nameOf: (one: Scripted) => string | null) =>
  ranked(
    grouped(own, nameOf).map(({ name, own: group }) => ({ name, score: group.length + Math.max(...group.map(({ at }) => at)) / 1e14 })),
    ({ score }) => score,
  )[0]?.name ?? null;

function personTruth(name: string, own: readonly Scripted[], earlier: readonly Scripted[], days: number) {
  const { count, ms } = visits(own.map(({ at }) => at).sort((a, b) => a - b));
  const type = userTypeOf({
    requests: own.length,
    botRequests: own.filter(({ device }) => device === 'bot').length,
    apiRequests: own.filter(({ device, caller }) => device === 'client' || caller.type === 'key').length,
    sessions: count,
  });
  const templates = new Set(own.map(({ endpoint }) => endpoint).filter((endpoint) => endpoint !== '(unmatched)'));
  const place = frequent(own, (one) => `${placeOf(one)} ${cityOf(one) ?? ''}`) ?? 'ZZ ';
  return {
    visits: count,
    activeMs: ms,
    device: ranked(
      DEVICES.map((device, n) => ({ name: String(n), device, requests: own.filter((one) => one.device === device).length })),
      ({ requests }) => requests,
    )[0]?.device,
    isNew: earlier.length === 0,
    row: {
      username: name.startsWith('usr_') ? `name of ${name}` : null,
      primary_browser: frequent(own, ({ browser }) => browser),
      primary_os: frequent(own, ({ os }) => os),
      primary_device_type: frequent(own, ({ device }) => device),
      user_type: type,
      city: place.slice(3) || null,
      region: place.slice(3) ? 'Iowa' : null,
      country: place.startsWith('ZZ') ? null : COUNTRIES[place.slice(0, 2)],
      total_requests: own.length,
      total_sessions: count,
      most_used_endpoint: split(frequent(own, routeOf) ?? ' ').endpoint,
      endpoint_diversity_score: roundTo(templates.size / 50, 4),
      avg_response_time_ms: average(own),
      error_rate_percent: share(failed(own).length, own.length),
      is_bot_user: type === 'bot',
      has_api_key: own.some(({ caller }) => caller.type === 'key'),
      first_seen: iso(Math.min(...[...own, ...earlier].map(({ at }) => at))),
      last_seen: iso(Math.max(...own.map(({ at }) => at))),
      requests_per_day: roundTo(own.length / days, 2),
    },
  };
}

/** `rows`: in no order, without ids, which are made of keyed hashes. */
export function peopleTruth({ all, own, from, days }: Truth) {
  const earlier = new Map(
    grouped(
      all.filter(({ at }) => at < from),
      visitorOf,
    ).map(({ name, own: group }) => [name, group]),
  );
  const people = grouped(own, visitorOf).map(({ name, own: group }) => personTruth(name, group, earlier.get(name) ?? [], days));
  const device = (name: string) => people.filter((one) => one.device === name).length;
  const total = sum(people.map((one) => one.visits));
  const newcomers = people.filter(({ isNew }) => isNew).length;
  return {
    rows: people.map(({ row }) => row),
    overview: {
      total_users: people.length,
      new_users: newcomers,
      returning_users: people.length - newcomers,
      desktop_users: device('desktop'),
      mobile_users: device('mobile'),
      bot_users: device('bot'),
      client_users: device('client'),
      user_types: USER_TYPES.map((type) => ({ type, count: people.filter(({ row }) => row.user_type === type).length })),
      total_sessions: total,
      avg_session_seconds: total === 0 ? null : roundTo(sum(people.map(({ activeMs }) => activeMs)) / total / 1_000, 1),
      avg_requests_per_user: people.length === 0 ? null : roundTo(own.length / people.length, 1),
      registered_users_active: people.filter(({ row }) => row.username !== null).length,
    },
  };
}
