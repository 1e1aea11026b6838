import { describe, expect, it } from 'vitest';
import { mainDeviceOf, userTypeOf } from './index.ts';

describe('kinds of users, the first that holds', () => {
  const one = { requests: 10, botRequests: 0, apiRequests: 0, sessions: 1 };
  it.each([
    [{ ...one, requests: 100, botRequests: 51 }, 'bot'],
    [{ ...one, requests: 100, botRequests: 50 }, 'power_user'],
    [{ ...one, requests: 51 }, 'power_user'],
    [{ ...one, requests: 50, apiRequests: 40 }, 'api_client'],
    [{ ...one, requests: 50, apiRequests: 39, sessions: 2 }, 'regular'],
    [{ ...one, requests: 50 }, 'casual'],
  ] as const)('%o is %s', (figures, type) => {
    expect(userTypeOf(figures)).toBe(type);
  });
});

describe('the device of a visitor', () => {
  const none = { desktop: 0, mobile: 0, client: 0, bot: 0, unknown: 0 };
  it.each([
    [{ ...none, mobile: 3, desktop: 2 }, 'mobile'],
    [{ ...none, mobile: 2, desktop: 2 }, 'desktop'],
    [{ ...none, bot: 2, client: 2 }, 'client'],
    [{ ...none, unknown: 1 }, 'unknown'],
  ] as const)('is what most requests came from: %j', (requests, device) => {
    expect(mainDeviceOf(requests)).toBe(device);
  });
});
