import { describe, expect, test } from 'vitest';
import { ApiError, flagged, unreachable } from '../../api/errors.ts';
import { GoogleBroken, googleFailure, localFault, passwordFailure, WORDS } from './sign-in-words.ts';

const refusal = (code: string, detail: string | null, status = 401) =>
  new ApiError({ code, status, message: 'Authentication failed', detail });

describe('what a failed sign-in says', () => {
  test('AUTH-05: the detail of the server, else the message, else Login failed', () => {
    expect(passwordFailure(refusal('auth.invalid_credentials', 'Name or password is wrong.')).message).toBe('Name or password is wrong.');
    expect(passwordFailure(refusal('auth.invalid_credentials', null)).message).toBe('Authentication failed');
    expect(passwordFailure(new ApiError({ code: 'http.401', status: 401, message: '' })).message).toBe('Login failed');
    expect(passwordFailure(undefined).message).toBe('Login failed');
  });

  test('AUTH-06: an answer without token or user has its own sentence, another one for Google', () => {
    const incomplete = new Error('Invalid login response');
    expect(passwordFailure(incomplete).message).toBe('Invalid login response');
    expect(googleFailure(incomplete).message).toBe('Invalid Google login response');
  });

  test('AUTH-07: an error or fallback is Google login failed, a broken Google sign-in asks to try again', () => {
    expect(googleFailure(unreachable(null)).message).toBe('Google login failed');
    expect(googleFailure(new ApiError({ code: 'http.500', status: 500, message: 'x', fallback: true })).message).toBe(
      'Google login failed',
    );
    expect(googleFailure(flagged(200, { error: 'down' })).message).toBe('Google login failed');
    expect(googleFailure(undefined).message).toBe('Google login failed');
    expect(googleFailure(new GoogleBroken()).message).toBe('Google Sign-In failed. Please try again.');
  });

  test('inactive, not invited and locked accounts are told what the server said, and what helps', () => {
    expect(googleFailure(refusal('auth.account_inactive', 'This account is inactive.'))).toEqual({
      message: 'This account is inactive.',
      hint: 'An administrator of this server can switch your account on again.',
    });
    expect(googleFailure(refusal('auth.not_invited', 'Only invited people.', 403)).hint).toContain('administrator');
    const locked = new ApiError({
      code: 'auth.locked',
      status: 429,
      message: 'x',
      detail: 'Too many wrong tries.',
      retryAfterSeconds: 1800,
    });
    expect(passwordFailure(locked)).toEqual({ message: 'Too many wrong tries.', hint: 'Try again in 30 minutes.' });
  });

  test('a time that the server already named is not named twice', () => {
    const locked = new ApiError({
      code: 'auth.locked',
      status: 429,
      message: 'x',
      detail: 'Locked for 30 minutes.',
      retryAfterSeconds: 1800,
    });
    expect(passwordFailure(locked).hint).toBeNull();
  });

  test('no text names a password, since none is asked for (AUTH-01)', () => {
    expect(Object.values(WORDS).join(' ')).not.toMatch(/password/i);
  });
});

test('the local form names its first fault only, in the order of the form', () => {
  expect(localFault({ name: ' ', email: '' })?.field).toBe('name');
  expect(localFault({ name: 'Ada', email: 'ada@' })?.field).toBe('email');
  expect(localFault({ name: 'Ada', email: ' ada@example.org ' })).toBeNull();
});
