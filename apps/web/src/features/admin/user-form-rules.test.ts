import { describe, expect, test } from 'vitest';
import { checkUser } from './user-form-rules.ts';
import { changeOf, draftOf, integerOf, newDraft, rebaseDraft, type UserDraft, FALLBACK_LIMITS } from './user-draft.ts';
import { someUser } from './user-fixture.ts';

const good = (over: Partial<UserDraft> = {}): UserDraft => ({
  ...newDraft(FALLBACK_LIMITS),
  username: 'vera',
  email: 'vera@example.org',
  password: 'sturmwarnung',
  confirmation: 'sturmwarnung',
  ...over,
});
const told = (draft: UserDraft, mode: 'create' | 'edit' = 'create') => [...checkUser(draft, mode).values()];

describe('what the form refuses', () => {
  test('a complete form has no fault', () => {
    expect(told(good())).toEqual([]);
    expect(told(draftOf(someUser()), 'edit')).toEqual([]);
  });

  test('USER-08: faults are told in the order of the specification', () => {
    const empty: UserDraft = {
      ...newDraft(FALLBACK_LIMITS),
      confirmation: 'x',
      api_rate_limit_per_minute: '0',
      api_daily_limit: '0',
      api_monthly_limit: '0',
    };
    expect(told(empty)).toEqual([
      'Username is required',
      'Email is required',
      'Password is required for new users',
      'Passwords do not match',
      'Rate limit per minute must be between 1 and 10000',
      'Daily limit must be at least 1',
      'Monthly limit must be at least 1',
    ]);
  });

  test('USER-08: a password is asked of new users only, and never of those who sign in with Google', () => {
    expect(told(good({ password: '', confirmation: '' }))).toEqual(['Password is required for new users']);
    expect(told(good({ password: '', confirmation: '' }), 'edit')).toEqual([]);
    expect(told(good({ password: '', confirmation: '', google_only: true }))).toEqual([]);
  });

  test.each([
    ['12345', ['Password must be at least 6 characters']],
    ['123456', []],
    ['⛈⛈⛈⛈⛈', ['Password must be at least 6 characters']],
  ])('USER-09: the password %s', (password, faults) => {
    expect(told(good({ password, confirmation: password }))).toEqual(faults);
    expect(told(good({ password, confirmation: password }), 'edit')).toEqual(faults);
  });

  test.each([
    ['api_rate_limit_per_minute', '0', 'Rate limit per minute must be between 1 and 10000'],
    ['api_rate_limit_per_minute', '10001', 'Rate limit per minute must be between 1 and 10000'],
    ['api_rate_limit_per_minute', '', 'Rate limit per minute must be between 1 and 10000'],
    ['api_rate_limit_per_minute', '1e3', 'Rate limit per minute must be between 1 and 10000'],
    ['api_rate_limit_per_minute', '2.5', 'Rate limit per minute must be between 1 and 10000'],
    ['api_rate_limit_per_minute', '1', undefined],
    ['api_rate_limit_per_minute', '10000', undefined],
    ['api_daily_limit', '0', 'Daily limit must be at least 1'],
    ['api_daily_limit', '-5', 'Daily limit must be at least 1'],
    ['api_daily_limit', '1', undefined],
    ['api_monthly_limit', '0', 'Monthly limit must be at least 1'],
    ['api_monthly_limit', '', undefined],
  ] as const)('USER-10: %s = "%s"', (field, value, fault) => {
    expect(checkUser(good({ [field]: value }), 'create').get(field)).toBe(fault);
  });

  test.each(['vera', '@example.org', 'vera@', 'a@b@example.org', 'vera @example.org', 'a@example.org, b@example.org'])(
    'USER-11: %s is not one e-mail address',
    (email) => expect(told(good({ email }))).toEqual(['Email must be one valid address']),
  );
});

describe('what is sent', () => {
  test('USER-11: numbers go as integers, empty password and monthly limit are left out, the confirmation never goes', () => {
    const sent = changeOf(good({ api_rate_limit_per_minute: ' 250 ', api_monthly_limit: '', password: '', confirmation: 'x' }));
    expect(sent.api_rate_limit_per_minute).toBe(250);
    expect(sent).not.toHaveProperty('api_monthly_limit');
    expect(sent).not.toHaveProperty('password');
    expect(sent).not.toHaveProperty('confirmation');
    expect(JSON.stringify(changeOf(good()))).not.toContain('confirmation');
  });

  test('an account of Google only is sent without a password, and the mark goes only when it changes', () => {
    expect(changeOf(good({ google_only: true }))).toMatchObject({ google_only: true });
    expect(changeOf(good({ google_only: true }))).not.toHaveProperty('password');
    const base = draftOf(someUser());
    expect(changeOf(base, base)).not.toHaveProperty('google_only');
    expect(changeOf({ ...base, google_only: true }, base)).toMatchObject({ google_only: true });
  });

  test('USER-12: a new user starts at 100 per minute, 10000 per day, 100000 per month', () => {
    expect(changeOf(newDraft(FALLBACK_LIMITS))).toMatchObject({
      api_rate_limit_per_minute: 100,
      api_daily_limit: 10_000,
      api_monthly_limit: 100_000,
      role: 'user',
      is_active: true,
      special_access: false,
    });
  });

  test.each(['1e3', '0x10', '12abc', '1.0', '', ' ', '9'.repeat(16)])('"%s" is no whole number', (text) => {
    expect(integerOf(text)).toBeNaN();
  });
});

describe('when somebody else saved meanwhile', () => {
  const base = draftOf(someUser());

  test('what they changed and I did not is taken over, what I changed stays', () => {
    const result = rebaseDraft(base, { ...base, notes: 'mine' }, { ...base, organization: 'theirs' });
    expect(result.draft).toEqual({ ...base, notes: 'mine', organization: 'theirs' });
    expect(result.taken).toEqual(['organization']);
    expect(result.contested).toEqual([]);
  });

  test('what both changed keeps mine and names theirs', () => {
    const result = rebaseDraft(base, { ...base, notes: 'mine' }, { ...base, notes: 'theirs' });
    expect(result.draft.notes).toBe('mine');
    expect(result.contested).toEqual([{ field: 'notes', theirs: 'theirs' }]);
  });

  test('the same change made twice is no conflict', () => {
    const result = rebaseDraft(base, { ...base, role: 'admin' }, { ...base, role: 'admin' });
    expect(result.contested).toEqual([]);
    expect(result.taken).toEqual([]);
  });
});
