import { describe, expect, test } from 'vitest';
import { checkNewPassword, refusedFields } from './new-password-rules.ts';

describe('a new password in place of one that an administrator chose', () => {
  test.each([
    [{ current: '', next: '', again: '' }, ['current', 'next']],
    [{ current: 'a', next: 'a', again: 'a' }, ['next']],
    [{ current: 'a', next: 'b', again: 'c' }, ['again']],
    [{ current: 'a', next: '', again: 'c' }, ['next', 'again']],
    [{ current: 'a', next: 'b', again: 'b' }, []],
  ])('%j has faults at %j', (given, fields) => {
    expect([...checkNewPassword(given).keys()]).toEqual(fields);
  });

  test('what the server says stands beside the field it is about', () => {
    const fields = [
      { name: 'new_password', reason: 'too_short', message: 'Password must be at least 6 characters' },
      { name: 'new_password', reason: 'conflict', message: 'second' },
      { name: 'elsewhere', reason: 'x', message: 'unknown' },
    ] as unknown as Parameters<typeof refusedFields>[0]['fields'];
    expect([...refusedFields({ fields })]).toEqual([['next', 'Password must be at least 6 characters.']]);
  });
});
