import { describe, expect, it, test } from 'vitest';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ApiError, timedOut, unreachable } from '../../api/errors.ts';
import { SessionContext, type SessionStore } from '../../api/session.ts';
import { KEY, LIMITS } from './key-fixture.ts';
import { changeOf, checkChange, checkKey, draftOf, integerOf, newDraft, newKeyOf } from './key-form-rules.ts';
import { expiryLabel, lastUsedFrom, lastUsedLabel, requestBand } from './key-words.ts';
import { KeysTab } from './keys-tab.tsx';
import { loadFault } from './load-fault.ts';
import { extend, hold, isOver, newReveal, passed, secondsLeft } from './reveal.ts';

const NOW = Date.parse('2026-11-21T18:00:00Z');
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();

test('KEY-01: without a signed-in user the page says to log in, and asks the server for nothing', () => {
  const state = { status: 'signed-out' };
  // Nothing but the session: whatever else it used would throw.
  const session = { state: () => state, subscribe: () => () => {} } as unknown as SessionStore;
  const tab = createElement(KeysTab, { shown: undefined, show: () => {} });
  const markup = renderToStaticMarkup(createElement(SessionContext, { value: session }, tab));
  expect(markup).toContain('Please log in to view API keys');
});

describe('KEY-08: when a key was last used', () => {
  it.each([
    [null, 'Never used'],
    [ago(-5), 'Just now'],
    [ago(0), 'Just now'],
    [ago(59), 'Just now'],
    [ago(60), '1 mins ago'],
    [ago(59 * 60 + 59), '59 mins ago'],
    [ago(3_600), '1 hours ago'],
    [ago(86_399), '23 hours ago'],
    [ago(86_400), '1 days ago'],
    [ago(7 * 86_400 - 1), '6 days ago'],
    [ago(7 * 86_400), 'Nov 14, 2026'],
  ])('%s reads "%s"', (at, words) => {
    expect(lastUsedLabel(at, NOW, 'UTC')).toBe(words);
  });

  it('says no more of where than the country, and what is known of with what', () => {
    expect(lastUsedFrom({ last_used_from: null })).toBeNull();
    expect(lastUsedFrom({ last_used_from: { country_code: null, agent: null, attribution: null } })).toBeNull();
    expect(lastUsedFrom({ last_used_from: { country_code: 'US', agent: 'curl/8.5', attribution: null } })).toBe('from US with curl/8.5');
  });
});

it('KEY-07: request bands are closed below, each with its words', () => {
  const words = [0, 1, 9, 10, 99, 100, 999, 1000, 5e6].map((total) => requestBand(total).words);
  expect(words).toEqual([
    'no requests yet',
    'under 10 requests',
    'under 10 requests',
    'under 100 requests',
    'under 100 requests',
    'under 1000 requests',
    'under 1000 requests',
    '1000 requests or more',
    '1000 requests or more',
  ]);
  expect(new Set([1, 10, 100, 1000].map((total) => requestBand(total).tone)).size).toBe(4);
});

it('an expiry is past from its instant on', () => {
  expect(expiryLabel({ expires_at: null }, NOW, 'UTC')).toBe('Never expires');
  expect(expiryLabel({ expires_at: ago(0) }, NOW, 'UTC')).toBe('Expired Nov 21, 2026');
  expect(expiryLabel({ expires_at: ago(-1) }, NOW, 'UTC')).toBe('Expires Nov 21, 2026');
});

describe('R-45, KEY-04: a secret in sight', () => {
  it('is gone after 30 seconds and not before', () => {
    expect(isOver(passed(newReveal, 29_999))).toBe(false);
    expect(secondsLeft(passed(newReveal, 29_999))).toBe(1);
    expect(isOver(passed(newReveal, 30_000))).toBe(true);
  });
  it('stays as long as the pointer or the focus is on it', () => {
    const held = hold(passed(newReveal, 10_000), true);
    expect(secondsLeft(passed(held, 3_600_000))).toBe(20);
    expect(isOver(passed(hold(held, false), 20_000))).toBe(true);
  });
  it('is extended once', () => {
    const longer = extend(passed(newReveal, 5_000));
    expect(secondsLeft(longer)).toBe(55);
    expect(extend(longer)).toBe(longer);
  });
});

describe('KEY-03: the form of a key', () => {
  it('wants a description of more than blanks, in the words of the specification', () => {
    const draft = { ...newDraft(LIMITS), description: '  \t ' };
    expect([...checkKey(draft, LIMITS)]).toEqual([['description', 'Please enter a description for the API key']]);
  });
  it('takes limits from 1 up to those of the account (R-04)', () => {
    const draft = { ...newDraft(LIMITS), description: 'x', rate_limit_per_minute: '101', daily_limit: '0', monthly_limit: 'many' };
    expect([...checkKey(draft, LIMITS).keys()]).toEqual(['rate_limit_per_minute', 'daily_limit', 'monthly_limit']);
    expect(checkKey(draft, LIMITS).get('rate_limit_per_minute')).toBe('Your account has 100; a key cannot have more');
    expect(checkKey({ ...draft, rate_limit_per_minute: '100', daily_limit: '1', monthly_limit: '100,000' }, LIMITS).size).toBe(0);
  });
  it('sends what was chosen', () => {
    const draft = { ...newDraft({ per_minute: 60, per_day: 10_000, per_month: 100_000 }), description: ' Storms ', expiry: '90' };
    expect(newKeyOf(draft)).toEqual({
      description: 'Storms',
      expires_in_days: 90,
      rate_limit_per_minute: 60,
      daily_limit: 10_000,
      monthly_limit: 100_000,
    });
    expect(newKeyOf({ ...draft, expiry: 'never' }).expires_in_days).toBeNull();
    expect(newKeyOf({ ...draft, expiry: 'own', ownDays: '7' }).expires_in_days).toBe(7);
    expect(checkKey({ ...draft, expiry: 'own', ownDays: '3651' }, LIMITS).has('expires_in_days')).toBe(true);
    expect(integerOf('1 000')).toBe(1000);
    expect(integerOf('-1')).toBeNaN();
  });
  it('a change says only what is different and judges only that', () => {
    const key = { ...KEY, rate_limit_per_minute: 500 };
    const draft = { ...draftOf(key), description: 'Other' };
    expect(checkChange(key, draft, LIMITS).size).toBe(0);
    expect(changeOf(key, draft)).toEqual({ description: 'Other' });
    expect(checkChange(key, { ...draft, rate_limit_per_minute: '400' }, LIMITS).has('rate_limit_per_minute')).toBe(true);
  });
});

describe('why keys could not be loaded', () => {
  const refusal = (status: number, detail: string, code = `http.${status}`) => new ApiError({ code, status, message: detail, detail });
  it.each([
    ['KEY-10', refusal(401, 'The session is over.'), 'Authentication required. Please log in again.', 401],
    ['KEY-10', refusal(400, 'Authentication failed'), 'Authentication required. Please log in again.', 400],
    ['KEY-10', refusal(403, 'No.'), 'Access denied. You may not have permission to view API keys.', 403],
    ['KEY-11', timedOut('standard', null), 'Request timed out. The server may be overloaded. Please try again.', null],
    ['KEY-11', refusal(503, 'Took longer.', 'server.timeout'), 'Request timed out. The server may be overloaded. Please try again.', 503],
    ['KEY-11', refusal(500, 'It broke.'), 'It broke.', 500],
    ['KEY-11', unreachable(null), 'Network error - API server unavailable', null],
    ['KEY-11', null, 'Failed to load API keys', null],
  ])('%s: %s', (_id, error, text, status) => {
    expect(loadFault(error)).toEqual({ text, status });
  });
});
