import { describe, expect, it } from 'vitest';
import { parseInstant } from '../../../platform/http/instant.ts';
import { compileTime } from './time.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');

describe('times in requests', () => {
  it.each([
    ['2026-11-21T09:00:00Z', '2026-11-21T09:00:00.000Z'],
    ['2026-11-21T09:00:00.25-06:00', '2026-11-21T15:00:00.250Z'],
    ['2026-11-21T09:00+10:00', '2026-11-20T23:00:00.000Z'],
    ['2026-11-21', '2026-11-21T00:00:00.000Z'],
    ['2026-11-21T09:00:00 01:00', '2026-11-21T08:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(new Date(parseInstant('at', text)).toISOString()).toBe(expected);
  });

  it.each(['2026-02-30', '2026-13-01', 'yesterday', '1700000000', '2026-11-21T25:00:00Z', '2026-11-21T09:00:00', '21.11.2026', ''])(
    'refuses %j',
    (text) => {
      expect(() => parseInstant('at', text)).toThrowError(/request\.invalid/);
    },
  );

  it.each([
    ['the future is not known', { at: '2026-11-21T12:00:01Z' }, /request\.invalid/],
    ['a range runs forwards', { from: '2026-11-20', to: '2026-11-19' }, /request\.invalid/],
    ['a range has a beginning', { to: '2026-11-19' }, /query\.window_too_large/],
    ['a range spans at most 400 days', { from: '2025-01-01', to: '2026-11-01' }, /query\.window_too_large/],
    ['a range that runs to now does, too', { from: '2025-01-01' }, /query\.window_too_large/],
  ])('%s', (_name, query, expected) => {
    expect(() => compileTime(query, NOW)).toThrowError(expected);
  });
});
