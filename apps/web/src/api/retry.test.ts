import { describe, expect, test } from 'vitest';
import { ApiError, retryAfterSeconds, unreachable } from './errors.ts';
import { CACHE_MINUTES, CAP_MS, POLICIES } from './intervals.ts';
import { createQueryClient } from './query-client.ts';
import { createRetryBudget, mayRetry, nextPollMs, retryDelayMs } from './retry.ts';

const error = (status: number, retryAfter: number | null = null) =>
  new ApiError({ status, code: 'x', message: 'x', retryAfterSeconds: retryAfter });
const endless = { take: () => true };

describe('whether a question is asked again', () => {
  test.each([
    ['no answer', unreachable(null), true],
    ['a server error', error(500), true],
    ['too busy', error(503, 2), true],
    ['too many', error(429, 5), true],
    ['too slow', error(408), true],
    ['too many, for long', error(429, 3600), false],
    ['a refusal', error(400), false],
    ['no session', error(401), false],
    ['no right', error(403), false],
    ['nothing there', error(404), false],
    ['a flagged answer', new ApiError({ status: 200, code: 'answer.flagged', message: 'x', fallback: true }), false],
    ['a fault of the page', new TypeError('x'), false],
  ])('NET-07, NET-10: after %s: %s', (_what, given, expected) => {
    expect(mayRetry(0, given, POLICIES.standard, endless)).toBe(expected);
  });

  test('NET-07: twice and no more; NET-06: analytics three times', () => {
    const tries = (retries: number) => [0, 1, 2, 3].map((failures) => mayRetry(failures, error(500), { retries }, endless));
    expect(tries(POLICIES.standard.retries)).toEqual([true, true, false, false]);
    expect(tries(POLICIES.analytics.retries)).toEqual([true, true, true, false]);
  });

  test('a tab has one budget: a failing server meets twenty retries at once and then one in three seconds', () => {
    let now = 0;
    const budget = createRetryBudget(() => now);
    expect(Array.from({ length: 25 }, () => budget.take()).filter(Boolean)).toHaveLength(20);
    now += 2_900;
    expect(budget.take()).toBe(false);
    now += 200;
    expect([budget.take(), budget.take()]).toEqual([true, false]);
    now += 3_600_000;
    expect(Array.from({ length: 25 }, () => budget.take()).filter(Boolean)).toHaveLength(20);
  });
});

describe('when', () => {
  test('NET-06, NET-07: anywhere below a delay that doubles from 1 s up to the cap', () => {
    const longest = (attempt: number, cap?: number) => retryDelayMs(attempt, error(500), () => 1, cap);
    expect([0, 1, 2, 3, 4, 9].map((attempt) => longest(attempt))).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(longest(9, CAP_MS.analytics)).toBe(30_000);
    expect(retryDelayMs(3, error(500), () => 0)).toBe(0);
  });

  test('never before the time the server asked for, polls neither', () => {
    expect(retryDelayMs(0, error(429, 7), () => 0)).toBe(7000);
    expect(retryDelayMs(0, error(503, 7), () => 1)).toBe(8000);
    expect(nextPollMs(30, error(429, 90), 0)).toBe(90_000);
    expect([nextPollMs(30, null, 0), nextPollMs(30, null, 1)]).toEqual([30_000, 33_000]);
  });

  test.each([
    ['7', 7],
    [' 120 ', 120],
    ['Fri, 01 May 2026 12:00:30 GMT', 30],
    ['Fri, 01 May 2026 11:00:00 GMT', 0],
    ['soon', null],
    ['', null],
    [null, null],
  ])('Retry-After %j is %j seconds', (header, seconds) => {
    expect(retryAfterSeconds(header, Date.parse('2026-05-01T12:00:00Z'))).toBe(seconds);
  });
});

test('NET-08: current for 60 s, kept 10 min, not asked again on focus, asked again on reconnect', () => {
  const { queries } = createQueryClient({ budget: endless, random: () => 0 }).getDefaultOptions();
  expect([queries?.staleTime, queries?.gcTime, queries?.refetchOnWindowFocus, queries?.refetchOnReconnect]).toEqual([
    60_000,
    CACHE_MINUTES * 60_000,
    false,
    'always',
  ]);
  expect(CACHE_MINUTES).toBe(10);
});
