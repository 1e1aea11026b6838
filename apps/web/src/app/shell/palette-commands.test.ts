import { describe, expect, test } from 'vitest';
import { commandsFor, matchCommands } from './palette-commands.ts';
import { paletteViewOf } from './palette-keys.ts';

const admin = commandsFor({ visitor: { role: 'admin' }, system: 'metric', theme: 'light' });
const member = commandsFor({ visitor: { role: 'user' }, system: 'imperial', theme: 'dark' });

describe('commands', () => {
  test('nobody is offered a place that is not theirs', () => {
    expect(admin.some(({ id }) => id === '/admin/users')).toBe(true);
    expect(member.filter(({ id }) => id.startsWith('/admin') || id === '/dashboard')).toEqual([]);
  });

  test.each([
    ['real-time and historical alerts', '/weather-alerts', 'user'],
    ['AI-written insights', '/ai-insights', 'user'],
    ['machine-learning predictions', '/intelligence', 'user'],
    ['a map', '/map', 'user'],
    ['API-usage analytics', '/analytics', 'admin'],
    ['API key management', '/api-keys', 'user'],
    ['a personal dashboard, with widgets to share', '/my-dashboard', 'user'],
    ['push notifications', '/notifications', 'user'],
    ['a live feed and alert replay', '/advanced-features', 'user'],
  ])('SHELL-12: the product area “%s” is offered at %s from role %s on', (_area, path, role) => {
    expect(admin.some(({ id }) => id === path)).toBe(true);
    expect(member.some(({ id }) => id === path)).toBe(role === 'user');
  });

  test('the other unit system and the other theme are offered', () => {
    expect(admin.find(({ id }) => id === 'units')?.label).toBe('Switch to imperial units (°F, mph, in)');
    expect(member.find(({ id }) => id === 'units')?.label).toBe('Switch to metric units (°C, km/h, mm)');
    expect(member.find(({ id }) => id === 'theme')?.label).toBe('Switch to the light theme');
  });

  test.each([
    ['', admin.length],
    ['zzz', 0],
  ])('%j leaves %i of all', (typed, count) => {
    expect(matchCommands(admin, typed)).toHaveLength(count);
  });

  test('every word must begin a word; what begins with it comes first', () => {
    expect(matchCommands(admin, 'weather al')[0]?.id).toBe('/weather-alerts');
    expect(matchCommands(admin, 'USER man').map(({ id }) => id)).toEqual(['/admin/users']);
    expect(matchCommands(admin, 'dark').map(({ id }) => id)).toEqual(['theme']);
  });
});

describe('keys', () => {
  const key = (given: Partial<KeyboardEvent>) =>
    paletteViewOf({ key: '', ctrlKey: false, metaKey: false, altKey: false, target: null, ...given });
  test.each([
    [{ key: 'k', ctrlKey: true }, 'commands'],
    [{ key: 'K', metaKey: true }, 'commands'],
    [{ key: 'k' }, null],
    [{ key: '?' }, 'shortcuts'],
    [{ key: '/' }, null],
  ])('%j opens %j', (given, view) => {
    expect(key(given)).toBe(view);
  });
});
