import { describe, expect, test } from 'vitest';
import { destinationAfterSignIn, homeOf, isAdmin, passageTo, samePlace } from './access.ts';
import { PLACES, placeAt } from './places.ts';

const member = { role: 'user' };
const admin = { role: 'admin' };
const ADMIN_ROUTES = [
  '/dashboard',
  '/analytics',
  '/performance',
  '/geographic',
  '/realtime',
  '/admin',
  '/admin/users',
  '/admin/settings',
  '/admin/monitoring',
];
const MEMBER_ROUTES = [
  '/weather-alerts',
  '/live-data',
  '/alerts',
  '/map',
  '/intelligence',
  '/api-keys',
  '/ai-insights',
  '/weather-intelligence',
  '/my-dashboard',
  '/notifications',
  '/advanced-features',
];

describe('who may go where', () => {
  test('ROLE-01: admin is who has exactly this role', () => {
    expect([admin, member, { role: 'Admin' }, { role: '' }, null].map(isAdmin)).toEqual([true, false, false, false, false]);
  });

  test('ROLE-03: visitors open the start page and the sign-in, everything else leads to the sign-in', () => {
    expect(['/', '/login'].map((path) => passageTo(path, null))).toEqual(['open', 'open']);
    for (const path of [...MEMBER_ROUTES, ...ADMIN_ROUTES, '/admin/audit']) expect(passageTo(path, null)).toBe('login');
  });

  test('ROLE-04: members are led home from the nine routes of administrators', () => {
    for (const path of [...ADMIN_ROUTES, '/admin/audit', '/admin/users/']) {
      expect(passageTo(path, member)).toBe('home');
      expect(passageTo(path, admin)).toBe('open');
    }
  });

  test('ROLE-05: every signed-in user may open the eleven routes', () => {
    for (const path of MEMBER_ROUTES) expect([passageTo(path, member), passageTo(path, admin)]).toEqual(['open', 'open']);
  });

  test('SHELL-09: the places are the routes of the product, none has a parameter', () => {
    const known = ['/', '/login', ...MEMBER_ROUTES, ...ADMIN_ROUTES, '/admin/audit'];
    expect(PLACES.map(({ path }) => path as string).sort()).toEqual(known.sort());
    expect(PLACES.filter(({ path }) => /[$:*{]/.test(path))).toEqual([]);
    expect(placeAt('/nowhere')).toBeUndefined();
  });

  test('SHELL-10: the screens are titled as agreed', () => {
    const titles = ['/weather-alerts', '/map', '/intelligence', '/api-keys', '/ai-insights'].map((path) => placeAt(path)?.title);
    expect(titles).toEqual(['Weather Alerts Dashboard', 'Weather Alerts Map', 'Intelligence Analytics', 'API Keys', 'AI Weather Insights']);
    const others = ['/weather-intelligence', '/my-dashboard', '/notifications', '/advanced-features'].map((path) => placeAt(path)?.title);
    expect(others).toEqual(['Weather Intelligence', 'Personalized Weather Dashboard', 'Notification Settings', 'Advanced Features']);
  });
});

describe('a remembered address is one of this site or none', () => {
  test.each([
    ['/map', '/map'],
    ['/map?q=a%20b#x', '/map?q=a%20b#x'],
    ['/weather-alerts?alert=KOUN.TO.W.1.2026', '/weather-alerts?alert=KOUN.TO.W.1.2026'],
    ['/a/../admin', '/admin'],
    ['/a/..//evil.test', null],
    ['//evil.test', null],
    ['/\\evil.test', null],
    ['/\\/evil.test', null],
    ['\\\\evil.test', null],
    ['/\t/evil.test', null],
    ['/\n/evil.test', null],
    ['\t//evil.test', null],
    ['/map\u0000', null],
    ['https://evil.test/', null],
    ['http:/evil.test', null],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['map', null],
    ['', null],
    [`/${'a'.repeat(3000)}`, null],
    [undefined, null],
    [['/map'], null],
  ])('%j is %j', (given, expected) => {
    expect(samePlace(given)).toBe(expected);
  });
});

describe('AUTH-08: after the sign-in', () => {
  test('each role has its own home', () => {
    expect([homeOf(admin), homeOf(member)]).toEqual(['/admin', '/weather-alerts']);
  });

  test.each([
    [member, '/map?q=x', '/map?q=x'],
    [admin, '/admin/users?page=2', '/admin/users?page=2'],
    [member, '/admin/users', '/weather-alerts'],
    [admin, '//evil.test', '/admin'],
    [member, '/login', '/weather-alerts'],
    [member, '/', '/weather-alerts'],
    [admin, '/nowhere', '/admin'],
    [member, undefined, '/weather-alerts'],
  ])('%j coming from %j goes to %j', (visitor, from, to) => {
    expect(destinationAfterSignIn(visitor, from)).toBe(to);
  });
});
