import type { UsageUser, UsageUsers } from '@nwms/contract';
import { DEVICE_TYPES, USER_TYPES } from '@nwms/contract/usage-parts';
import { averageMs, percentOf, roundTo, type UserType } from '@nwms/domain';
import { type Asked, askedOf, type DaysQuery, type FigureDeps, iso, periodMembers } from './answer.ts';
import { firstSeen, pageOf } from './people-figures.ts';
import { type People, typeOf } from './people-state.ts';
import type { Person } from './person-rows.ts';
import type { VisitorReads } from './store-visitors.ts';
import { splitCity, splitEndpoint } from './tally.ts';
import type { Device } from './types.ts';
import { mostFrequent, VisitorTally } from './visitor-tally.ts';

export interface PeopleDeps extends FigureDeps {
  visitors: Pick<VisitorReads, 'whole'>;
  people(asked: Asked): Promise<People>;
  /** Names of accounts; those that are gone are missing. */
  usernamesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  countryName(code: string): string;
  /** Route templates the API serves. */
  templates: number;
}

export interface UsersQuery extends DaysQuery {
  limit?: number;
  offset?: number;
  user_type?: UserType;
  order_by?: string;
}

const DEFAULT_LIMIT = 10;

export async function usersOverview(deps: PeopleDeps, query: DaysQuery): Promise<UsageUsers> {
  const asked = askedOf(deps, query);
  const totals = (await deps.people(asked)).totals();
  const { visitors, newcomers, sessions } = totals;
  const device = (name: Device) => totals.byDevice.get(name) ?? 0;
  const nobody = visitors === 0;
  return {
    total_users: visitors,
    new_users: newcomers,
    returning_users: visitors - newcomers,
    desktop_users: device('desktop'),
    mobile_users: device('mobile'),
    bot_users: device('bot'),
    client_users: device('client'),
    user_types: USER_TYPES.map((type) => ({ type, count: totals.byType.get(type) ?? 0 })),
    total_sessions: sessions,
    avg_session_seconds: sessions === 0 ? null : roundTo(totals.activeMs / sessions / 1_000, 1),
    avg_requests_per_user: nobody ? null : roundTo(totals.requests / visitors, 1),
    registered_users_active: totals.accounts,
    ...periodMembers(
      asked,
      nobody
        ? ['avg_session_seconds', 'avg_requests_per_user'].map((field) => ({ field, reason: 'no_requests' as const, have: 0, need: 1 }))
        : [],
    ),
  };
}

export async function usersDetailed(deps: PeopleDeps, query: UsersQuery): Promise<{ rows: UsageUser[]; total: number; asked: Asked }> {
  const asked = askedOf(deps, query);
  const people = await deps.people(asked);
  const { rows: page, total } = pageOf(people, {
    userType: query.user_type ?? null,
    order: query.order_by ?? '-total_requests',
    limit: query.limit ?? DEFAULT_LIMIT,
    offset: query.offset ?? 0,
  });
  const used = new Map<string, VisitorTally>();
  const stored = await deps.visitors.whole(
    asked,
    page.map(({ v }) => v),
  );
  for (const { v, detail } of stored) {
    const tally = used.get(v) ?? new VisitorTally();
    used.set(v, tally);
    tally.mergeDetail(detail);
    await asked.breathe();
  }
  const names = await deps.usernamesOf(page.flatMap(({ user_id }) => (user_id === null ? [] : [user_id])));
  const rows = page.map((person) =>
    present(deps, asked, { person, firstAt: firstSeen(people, person), used: used.get(person.v) ?? new VisitorTally(), names }),
  );
  return { rows, total, asked };
}

function present(
  deps: PeopleDeps,
  { window }: Asked,
  { person, firstAt, used, names }: { person: Person; firstAt: number; used: VisitorTally; names: ReadonlyMap<string, string> },
): UsageUser {
  const userType = typeOf(person);
  const { e, b, o, d, p } = used.detail;
  const endpoint = mostFrequent(e);
  const place = splitCity(mostFrequent(p) ?? 'ZZ');
  const templates = new Set(Object.keys(e).map((name) => splitEndpoint(name).endpoint));
  templates.delete('(unmatched)');
  return {
    id: person.v,
    username: (person.user_id === null ? undefined : names.get(person.user_id)) ?? null,
    primary_browser: mostFrequent(b),
    primary_os: mostFrequent(o),
    primary_device_type: DEVICE_TYPES.find((name) => name === mostFrequent(d)) ?? 'unknown',
    user_type: userType,
    city: place.city || null,
    region: place.region,
    country: place.country === 'ZZ' ? null : deps.countryName(place.country),
    total_requests: person.requests,
    total_sessions: person.sessions,
    most_used_endpoint: endpoint === null ? null : splitEndpoint(endpoint).endpoint,
    endpoint_diversity_score: roundTo(Math.min(1, templates.size / deps.templates), 4),
    avg_response_time_ms: averageMs(person.ms, person.timed),
    error_rate_percent: percentOf(person.errors, person.requests),
    is_bot_user: userType === 'bot',
    has_api_key: person.by_key > 0,
    first_seen: iso(firstAt),
    last_seen: iso(person.last_at),
    requests_per_day: roundTo(person.requests / window.days, 2),
  };
}
