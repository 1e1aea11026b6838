import { ALL_ROUTES } from '@nwms/contract';
import { expect, test } from 'vitest';
import { PLACES } from '../src/lib/places.ts';
import { handlingOf } from './handling.ts';

const ORIGIN = 'https://nwms.example';
const asked = (path: string, given: { method?: string; mode?: string } = {}) =>
  handlingOf({ method: 'GET', mode: 'cors', url: path.startsWith('https:') ? path : ORIGIN + path, ...given }, ORIGIN);

test('BOOT-01: no call of the API is ever answered by the worker', () => {
  for (const { path } of ALL_ROUTES) {
    for (const address of [path, `/api/v1${path}`, `/api/v1${path}?active_only=true`]) {
      expect([address, asked(address)]).toEqual([address, 'none']);
    }
  }
  for (const path of ['/health', '/metrics', '/ws/alerts', '/sw.js']) expect(asked(path)).toBe('none');
});

test('every screen has a document without a network, and nothing else pretends to', () => {
  for (const { path } of PLACES) expect(asked(`${path}?q=1`, { mode: 'navigate' })).toBe('page');
  for (const path of ['/docs', '/api/v1/health', '/nowhere', '/robots.txt']) expect(asked(path, { mode: 'navigate' })).toBe('none');
});

test('files of this origin only, and nothing that changes anything', () => {
  expect(asked('/assets/base-1a2b.js')).toBe('asset');
  expect(asked('/theme.js')).toBe('file');
  expect(asked('https://tiles.example/assets/1.png')).toBe('none');
  expect(asked('/assets/base-1a2b.js', { method: 'POST' })).toBe('none');
  expect(asked('/weather-alerts', { method: 'POST', mode: 'navigate' })).toBe('none');
});
