export const USER_TYPES = ['bot', 'power_user', 'api_client', 'regular', 'casual'] as const;
export type UserType = (typeof USER_TYPES)[number];

/** More requests than this in the window make a power user. */
export const POWER_USER_REQUESTS = 50;

export interface VisitorFigures {
  requests: number;
  /** Of these, by crawlers. */
  botRequests: number;
  /** Of these, with an API key or from a program. */
  apiRequests: number;
  sessions: number;
}

/** The first that holds. */
export function userTypeOf({ requests, botRequests, apiRequests, sessions }: VisitorFigures): UserType {
  if (botRequests * 2 > requests) return 'bot';
  if (requests > POWER_USER_REQUESTS) return 'power_user';
  // Four fifths, in whole numbers.
  if (apiRequests * 5 >= requests * 4) return 'api_client';
  return sessions >= 2 ? 'regular' : 'casual';
}

/** Of a tie the first. */
const DEVICES = ['desktop', 'mobile', 'client', 'bot', 'unknown'] as const;

/** What most requests came from. */
export function mainDeviceOf(requests: Readonly<Record<(typeof DEVICES)[number], number>>): (typeof DEVICES)[number] {
  return DEVICES.reduce((main, one) => (requests[one] > requests[main] ? one : main));
}
