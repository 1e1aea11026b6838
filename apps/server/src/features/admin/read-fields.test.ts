import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { readUserFields, type FieldRules } from './read-fields.ts';

const creating: FieldRules = { existing: null, passwordMinLength: 6, isCommon: (text) => text === 'password1' };
const updating: FieldRules = { ...creating, existing: { username: 'anna', email: 'anna@example.org' } };
const ann = { username: 'ann', email: 'ann@example.org', password: 'correct horse' };

const refusal = (body: unknown, rules = creating) => {
  try {
    readUserFields(body, rules);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { code: error.code, detail: error.detail, names: error.fields?.map((field) => field.name) };
  }
};

describe('fields of an account', () => {
  it('USER-08: reports all faults in the order of the form, the first as detail', () => {
    expect(refusal({ notes: 5, api_daily_limit: 0, password: '', email: '', username: '', api_rate_limit_per_minute: 0 })).toEqual({
      code: 'request.invalid',
      detail: 'Username is required',
      names: ['username', 'email', 'password', 'api_rate_limit_per_minute', 'api_daily_limit', 'notes'],
    });
    expect(refusal({ username: 'ann' })?.detail).toBe('Email is required');
    expect(refusal({ username: 'ann', email: 'ann@example.org' })?.detail).toBe('Password is required for new users');
  });

  it('USER-09: a password is long enough, not common and not the name', () => {
    expect(refusal({ ...ann, password: '12345' })).toEqual({
      code: 'user.weak_password',
      detail: 'Password must be at least 6 characters',
      names: ['password'],
    });
    expect(refusal({ ...ann, password: '1234567' }, { ...creating, passwordMinLength: 12 })?.detail).toBe(
      'Password must be at least 12 characters',
    );
    expect(refusal({ ...ann, password: 'Password1' })?.detail).toBe('This password is too common');
    expect(refusal({ ...ann, password: 'ANN@example.org' })?.code).toBe('user.weak_password');
    expect(refusal({ password: 'ANNA@example.org' }, updating)?.code).toBe('user.weak_password');
  });

  it('USER-10: limits are whole numbers within their bounds', () => {
    for (const value of [0, 10_001, 1.5, '5', null, -1]) {
      expect(refusal({ ...ann, api_rate_limit_per_minute: value })?.detail).toBe('Rate limit per minute must be between 1 and 10000');
    }
    expect(refusal({ ...ann, api_daily_limit: 0 })?.detail).toBe('Daily limit must be at least 1');
    expect(refusal({ ...ann, api_monthly_limit: 0 })?.detail).toBe('Monthly limit must be at least 1');
    expect(
      refusal({ ...ann, api_rate_limit_per_minute: 10_000, api_daily_limit: 100_000_000, api_monthly_limit: 3_000_000_000 }),
    ).toBeNull();
  });

  it('USER-11: on edit absent and empty passwords change nothing', () => {
    expect(readUserFields({}, updating)).toEqual({});
    expect(readUserFields({ password: '', notes: null }, updating)).toEqual({ notes: null });
    expect(refusal({ username: '' }, updating)?.detail).toBe('Username is required');
  });

  it('nobody sets what is not a field of the form (mass assignment)', () => {
    for (const name of [
      'id',
      'version',
      'total_api_requests',
      'password_hash',
      'passwordHash',
      'email_verified',
      'auth_provider',
      'created_at',
      'toString',
    ])
      expect(refusal({ ...ann, [name]: 1 }), name).toMatchObject({ code: 'request.unknown_field', names: [name] });
    for (const body of [
      { ...ann, role: ['admin'] },
      { ...ann, role: 'root' },
      { ...ann, is_active: null },
      { ...ann, special_access: 'true' },
      { ...ann, google_only: 1 },
    ])
      expect(refusal(body)).toMatchObject({ code: 'request.invalid' });
  });

  it('an account with google_only takes no password', () => {
    expect(refusal({ username: 'ann', email: 'ann@example.org', google_only: true })).toBeNull();
    expect(refusal({ ...ann, google_only: true })).toMatchObject({ code: 'request.invalid', names: ['password'] });
  });

  it('answers any JSON with fields or a refusal, never with a defect', () => {
    const names = fc.constantFrom('username', 'email', 'password', 'role', 'notes', 'api_daily_limit', 'is_active', 'google_only', 'x');
    const body = fc.oneof(fc.jsonValue(), fc.dictionary(names, fc.jsonValue()));
    fc.assert(
      fc.property(body, fc.constantFrom(creating, updating), (value, rules) => {
        expect(refusal(value, rules)?.detail ?? 'taken').not.toBe('');
      }),
      { numRuns: 500 },
    );
  });
});
