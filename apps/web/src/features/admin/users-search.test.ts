import { describe, expect, test } from 'vitest';
import { matches, pageWords, readUsersSearch, usersQuery } from './users-search.ts';

describe('the address of the user list', () => {
  test('USER-02: role, status, order, search and page become the question to the server', () => {
    const search = readUsersSearch({ q: ' vera ', role: 'admin', status: 'inactive', sort: '-last_login', page: '3' });
    expect(usersQuery(search)).toEqual({ offset: 50, limit: 25, order_by: '-last_login', role: 'admin', is_active: false, q: 'vera' });
  });

  test('what cannot be meant is left out', () => {
    const search = readUsersSearch({ q: ['x'], role: 'root', status: 'maybe', sort: 'password', page: '-4' });
    expect(Object.values(search).filter((value) => value !== undefined)).toEqual([]);
    expect(usersQuery(search)).toEqual({ offset: 0, limit: 25, order_by: '-created_at' });
  });

  test('no page is asked for that the server refuses', () => {
    expect(usersQuery(readUsersSearch({ page: '999999' })).offset).toBe(10_000);
  });
});

test('USER-01: the loaded page is searched by username, email and full name, in any letter case', () => {
  const user = { username: 'vera', email: 'v.sturm@example.org', full_name: 'Véra Sturm' };
  for (const q of ['VER', 'sturm@', 'véra st', ' vera ']) expect([q, matches(user, q)]).toEqual([q, true]);
  expect(matches(user, 'harbour')).toBe(false);
  expect(matches({ ...user, full_name: null }, 'null')).toBe(false);
});

describe('USER-04: the words of the pages', () => {
  test('shown only when there is more than one page', () => {
    expect(pageWords(1, 25, 25)).toBeNull();
    expect(pageWords(1, 0, 0)).toBeNull();
    expect(pageWords(1, 25, 26)).toEqual({ showing: 'Showing 1 to 25 of 26 results', page: 'Page 1 of 2', pages: 2, beyond: false });
  });

  test('the last page may be short', () => {
    expect(pageWords(2, 1, 26)?.showing).toBe('Showing 26 to 26 of 26 results');
  });

  test('a page past the end claims no rows and leads back', () => {
    expect(pageWords(9, 0, 26)).toEqual({ showing: 'Showing 0 to 0 of 26 results', page: 'Page 9 of 2', pages: 2, beyond: false });
  });

  test('more users than can be paged to are told', () => {
    expect(pageWords(1, 25, 20_000)?.beyond).toBe(true);
  });
});
