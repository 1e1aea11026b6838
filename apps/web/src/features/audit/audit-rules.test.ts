import { audit } from '@nwms/contract';
import { describe, expect, test } from 'vitest';
import { auditQuery, hasFilter, readAuditSearch } from './audit-search.ts';
import { actionWords, linkOf, valueWords } from './audit-words.ts';

describe('words of the log', () => {
  test('every action of the contract has words, an unknown one keeps its code', () => {
    for (const action of audit.AUDIT_ACTIONS) expect([action, actionWords(action)]).not.toEqual([action, action]);
    expect(actionWords('moon.moved')).toBe('moon.moved');
  });

  test('an entry links to what it speaks of, unless that is gone', () => {
    const user = { type: 'user', id: 'usr_a', label: 'vera' };
    expect(linkOf({ action: 'user.updated', target: user })).toEqual({ to: '/admin/users', search: { q: 'vera' } });
    expect(linkOf({ action: 'user.deleted', target: user })).toBeNull();
    expect(linkOf({ action: 'settings.saved', target: { type: 'settings', id: null, label: null } })).toEqual({
      to: '/admin/settings',
      search: {},
    });
    expect(linkOf({ action: 'session.started', target: null })).toBeNull();
  });

  test.each([
    [null, 'empty'],
    ['', 'empty'],
    [[], 'empty'],
    [false, 'no'],
    [0, '0'],
    [['a', 'b'], 'a, b'],
    [{ a: 1 }, '{"a":1}'],
    ['<img src=x>', '<img src=x>'],
  ])('the value %o reads %s', (value, words) => expect(valueWords(value)).toBe(words));
});

describe('filters in the address', () => {
  test('what cannot be meant is left out', () => {
    const read = readAuditSearch({ outcome: 'maybe', from: '2026-13-40', to: '2026-02-03', actor: '', target: 5, action: 'user.*' });
    expect(read).toEqual({ actor: undefined, action: 'user.*', target: undefined, outcome: undefined, from: undefined, to: '2026-02-03' });
    expect(hasFilter(read)).toBe(true);
    expect(hasFilter(readAuditSearch({}))).toBe(false);
  });

  test('the last day is included', () => {
    expect(auditQuery({ to: '2026-12-31' })).toEqual({ to: '2027-01-01' });
  });
});
