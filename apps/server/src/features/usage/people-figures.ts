import { mainDeviceOf, POWER_USER_REQUESTS, type UserType, userTypeOf } from '@nwms/domain';
import type { Load, People } from './people.ts';
import type { Person } from './person-rows.ts';
import type { Device } from './types.ts';

/** All visitors together. */
export interface VisitorTotals {
  visitors: number;
  newcomers: number;
  accounts: number;
  requests: number;
  sessions: number;
  activeMs: number;
  byDevice: Map<Device, number>;
  byType: Map<UserType, number>;
}

export const typeOf = ({ requests, bot, by_api, sessions }: Person): UserType =>
  userTypeOf({ requests, botRequests: bot, apiRequests: by_api, sessions });

const isBot = ({ bot, requests }: Load) => bot * 2 > requests;

/** When it was first seen, as far back as it can be recognised. */
export const firstSeen = ({ known }: People, { v, first_at }: Person): number => known.get(v) ?? first_at;

export function totalsOf({ persons, known }: People): VisitorTotals {
  const totals = { visitors: persons.size, newcomers: 0, accounts: 0, requests: 0, sessions: 0, activeMs: 0 };
  const [byDevice, byType] = [new Map<Device, number>(), new Map<UserType, number>()];
  for (const person of persons.values()) {
    if (!known.has(person.v)) totals.newcomers += 1;
    if (person.user_id !== null) totals.accounts += 1;
    totals.requests += person.requests;
    totals.sessions += person.sessions;
    totals.activeMs += person.active_ms;
    const [device, type] = [mainDeviceOf(person), typeOf(person)];
    byDevice.set(device, (byDevice.get(device) ?? 0) + 1);
    byType.set(type, (byType.get(type) ?? 0) + 1);
  }
  return { ...totals, byDevice, byType };
}

/** How many there are, and how many are power users: whatever their visits. */
export function countsOf(loads: ReadonlyMap<string, Load>): { visitors: number; powerUsers: number } {
  let powerUsers = 0;
  for (const load of loads.values()) if (!isBot(load) && load.requests > POWER_USER_REQUESTS) powerUsers += 1;
  return { visitors: loads.size, powerUsers };
}

export interface VisitorPage {
  userType: UserType | null;
  /** A member of the figures, `-` before it: largest first. */
  order: string;
  limit: number;
  offset: number;
}

const ORDERS: Record<string, (person: Person) => number> = {
  total_requests: ({ requests }) => requests,
  total_sessions: ({ sessions }) => sessions,
  avg_response_time_ms: ({ timed, ms }) => (timed === 0 ? -1 : ms / timed),
  error_rate_percent: ({ errors, requests }) => errors / requests,
  last_seen: ({ last_at }) => last_at,
};

/** Those of a page in their order, of a tie by name; `total`: how many there are on all pages. */
export function pageOf({ persons }: People, { userType, order, limit, offset }: VisitorPage): { rows: Person[]; total: number } {
  const valueOf = ORDERS[order.replace('-', '')] ?? (({ requests }: Person) => requests);
  const sign = order.startsWith('-') ? -1 : 1;
  const wanted = [...persons.values()].filter((person) => userType === null || typeOf(person) === userType);
  wanted.sort((a, b) => sign * (valueOf(a) - valueOf(b)) || (a.v < b.v ? -1 : 1));
  return { rows: wanted.slice(offset, offset + limit), total: wanted.length };
}
