import { describe, expect, test } from 'vitest';
import type { HeroAlert, HeroAnswer } from './hero-answer.ts';
import { heroView } from './hero-view.ts';

const NOW_MS = Date.parse('2026-11-21T14:00:00Z');
function answered(alerts: Partial<HeroAlert>[], status: HeroAnswer['body']['freshness']['status'] = 'live'): HeroAnswer {
  const freshness = {
    data_as_of: '2026-11-21T13:59:50Z',
    upstream_age_seconds: 10,
    status,
    reason: null,
    feed: 'nws',
    simulated: false,
  } as const;
  return {
    body: { alerts: alerts as HeroAlert[], total: alerts.length, freshness },
    etag: null,
    status: 200,
    tookMs: 5,
    headers: [],
    receivedAtMs: NOW_MS,
  };
}
const tornado = { event: 'Tornado Warning', in_force_until: '2026-11-21T14:30:00Z' };

describe('what the start page says of the weather', () => {
  test('"none" only for a fresh, successful, empty answer', () => {
    expect(heroView(answered([]), false, NOW_MS).kind).toBe('none');
    expect(heroView(answered([], 'stale'), false, NOW_MS).kind).toBe('unknown');
    expect(heroView(answered([]), true, NOW_MS).kind).toBe('unknown');
    expect(heroView(answered([]), false, NOW_MS + 181_000).kind).toBe('unknown');
    expect(heroView(null, true, NOW_MS).kind).toBe('unknown');
    expect(heroView(null, false, NOW_MS).kind).toBe('loading');
  });

  test('a failure keeps the alert, not current and with its age', () => {
    expect(heroView(answered([tornado]), true, NOW_MS + 60_000)).toMatchObject({ kind: 'alert', current: false, ageSeconds: 70 });
  });

  test('an alert that has ended meanwhile is not shown as in force', () => {
    expect(heroView(answered([tornado]), false, NOW_MS + 31 * 60_000).kind).toBe('unknown');
  });
});
