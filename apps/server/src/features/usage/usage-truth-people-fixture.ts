import { roundTo, userTypeOf, USER_TYPES } from '@nwms/domain';
import { type Scripted, visitorOf, visits } from './usage-model-fixture.ts';
import {
  COUNTRIES,
  average,
  cityOf,
  failed,
  grouped,
  iso,
  placeOf,
  ranked,
  routeOf,
  share,
  split,
  sum,
  type Truth,
} from './usage-truth-parts-fixture.ts';

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
