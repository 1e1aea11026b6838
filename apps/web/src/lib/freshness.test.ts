import type { Freshness } from '@nwms/contract';
import { describe, expect, test } from 'vitest';
import { viewFreshness } from './freshness.ts';

const told = Date.parse('2025-12-15T21:55:00Z');
const freshness = (over: Partial<Freshness> = {}): Freshness => ({
  data_as_of: '2025-12-15T21:54:51Z',
  upstream_age_seconds: 9,
  status: 'live',
  reason: null,
  feed: 'nws',
  simulated: false,
  ...over,
});
const at = (seconds: number, over?: Partial<Freshness>) =>
  viewFreshness({ freshness: freshness(over), receivedAtMs: told }, told + seconds * 1000);

describe('freshness on screen', () => {
  test('nothing heard yet is unknown, not fresh', () => {
    expect(viewFreshness(undefined, told).level).toBe('unknown');
  });
  test('the age grows by elapsed time, whatever the clock of this device says', () => {
    expect(at(20).ageSeconds).toBe(29);
    expect(at(20).level).toBe('fresh');
    expect(at(-3600).ageSeconds).toBe(9);
  });
  test('silence of the server makes fresh data stale, then unknown', () => {
    expect(at(179).level).toBe('fresh');
    expect(at(181).level).toBe('stale');
    expect(at(1801).level).toBe('unknown');
  });
  test('stale data of 29 minutes turns unknown a minute later, without any word from the server', () => {
    const stale = { status: 'stale', upstream_age_seconds: 1750 } as const;
    expect(at(40, stale).level).toBe('stale');
    expect(at(60, stale).level).toBe('unknown');
  });
  test('it is never better than what the server said', () => {
    expect(at(0, { status: 'stale', reason: 'poll_failing' }).level).toBe('stale');
    expect(at(0, { status: 'unknown', upstream_age_seconds: 9 }).level).toBe('unknown');
    expect(at(0, { upstream_age_seconds: null, data_as_of: null }).level).toBe('unknown');
  });
  test('a replay that stands still stays fresh while its server keeps saying so', () => {
    expect(at(1, { status: 'simulated', simulated: true, upstream_age_seconds: 40 }).level).toBe('fresh');
  });
});
