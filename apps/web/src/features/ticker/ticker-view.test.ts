import { describe, expect, test } from 'vitest';
import { SAMPLE_ITEMS, toneOf } from './ticker-item.ts';
import { NOW_MS, tickerList, tickerRow } from './ticker-fixture.ts';
import { viewTicker } from './ticker-view.ts';

const answered = (list = tickerList([tickerRow('a')])) => ({ list, receivedAtMs: NOW_MS });

describe('what the ticker may claim', () => {
  test('TICK-07: loading, error and alerts are told apart', () => {
    expect(viewTicker({ answer: undefined, failure: null }, NOW_MS).kind).toBe('loading');
    expect(viewTicker({ answer: undefined, failure: 'HTTP 503' }, NOW_MS).kind).toBe('lost');
    expect(viewTicker({ answer: answered(), failure: null }, NOW_MS).kind).toBe('alerts');
  });

  test('TICK-04: all clear only for a fresh, successful, empty answer', () => {
    expect(viewTicker({ answer: answered(tickerList([])), failure: null }, NOW_MS).kind).toBe('clear');
    expect(viewTicker({ answer: answered(tickerList([], { status: 'simulated' })), failure: null }, NOW_MS).kind).toBe('clear');
    for (const status of ['stale', 'unknown'] as const) {
      expect(viewTicker({ answer: answered(tickerList([], { status })), failure: null }, NOW_MS)).toMatchObject({
        kind: 'stale',
        items: [],
      });
    }
    expect(viewTicker({ answer: answered(tickerList([])), failure: 'HTTP 502' }, NOW_MS)).toMatchObject({ kind: 'lost', sample: false });
  });

  test('alerts that ran out in the meantime never turn into all clear by themselves', () => {
    const later = NOW_MS + 46 * 60_000;
    expect(viewTicker({ answer: answered(), failure: null }, later)).toMatchObject({ kind: 'stale', items: [] });
    const soon = viewTicker(
      { answer: answered(tickerList([tickerRow('a', { in_force_until: '2026-11-21T14:00:05Z' })])), failure: null },
      NOW_MS + 6_000,
    );
    expect(soon).toMatchObject({ kind: 'stale', items: [] });
  });

  test('a list cut short that shows nothing is not all clear', () => {
    expect(viewTicker({ answer: answered({ ...tickerList([]), total_active: 3 }), failure: null }, NOW_MS).kind).toBe('stale');
  });

  test('what has ended is judged by the server clock, however wrong this device is', () => {
    const wrongClock = { list: tickerList([tickerRow('a')]), receivedAtMs: NOW_MS + 5 * 3_600_000 };
    expect(viewTicker({ answer: wrongClock, failure: null }, wrongClock.receivedAtMs)).toMatchObject({ kind: 'alerts' });
  });

  test('TICK-06: a failure keeps the earlier data with its age; samples stand only where there never was any', () => {
    const kept = viewTicker({ answer: answered(), failure: 'HTTP 500' }, NOW_MS + 240_000);
    expect(kept).toMatchObject({ kind: 'lost', sample: false, ageSeconds: 260, failure: 'HTTP 500' });
    expect(kept.kind === 'lost' && kept.items.map(({ event_id }) => event_id)).toEqual(['a']);
    expect(viewTicker({ answer: undefined, failure: 'HTTP 500' }, NOW_MS)).toMatchObject({
      sample: true,
      items: SAMPLE_ITEMS,
      ageSeconds: null,
    });
  });

  test('a list that was not renewed for ten minutes is not called current', () => {
    expect(
      viewTicker({ answer: answered(tickerList([tickerRow('a', { in_force_until: null })])), failure: null }, NOW_MS + 601_000).kind,
    ).toBe('stale');
  });
});

describe('TICK-03: the bar colour follows the severity', () => {
  test.each([
    ['Extreme', 'extreme'],
    ['Severe', 'severe'],
    ['Moderate', 'moderate'],
    ['Minor', 'other'],
    ['Unknown', 'other'],
    ['Something new', 'other'],
  ])('%s', (severity, tone) => {
    expect(toneOf({ severity, sample: false })).toBe(tone);
  });

  test('samples are slate whatever they are about, and none claims to be in force', () => {
    for (const item of SAMPLE_ITEMS) {
      expect(toneOf(item)).toBe('other');
      expect(item).toMatchObject({ sample: true, is_active: false });
    }
  });
});
