import { POWER_USER_REQUESTS, type UserType } from '@nwms/domain';
import type { Overlay } from './overlay.ts';
import type { Load } from './people.ts';
import { type People, typeOf } from './people-state.ts';
import type { Person } from './person-rows.ts';

const isBot = ({ bot, requests }: Load) => bot * 2 > requests;

/** When it was first seen, as far back as it can be recognised. */
export const firstSeen = ({ known }: People, { v, first_at }: Person): number => known.get(v) ?? first_at;

/** How many there are, and how many are power users: whatever their visits. */
export function countsOf(loads: Overlay<Load>): { visitors: number; powerUsers: number } {
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
