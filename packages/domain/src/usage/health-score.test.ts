import { describe, expect, it } from 'vitest';
import { systemHealth } from './index.ts';

describe('the health score', () => {
  const good = {
    requests: 20,
    serverErrorPercent: 0,
    p95Ms: 200,
    freshness: 'live',
    databaseAway: false,
    deliveryBacklog: false,
    usageDropped: false,
  } as const;
  it('is 100 when all is well and follows its formula otherwise', () => {
    expect(systemHealth(good)).toMatchObject({ score: 100, components: { availability: 1, latency: 1, freshness: 1, dependencies: 1 } });
    expect(systemHealth({ ...good, serverErrorPercent: 2.5 }).score).toBe(Math.round(100 * (0.175 + 0.25 + 0.25 + 0.15)));
    expect(systemHealth({ ...good, p95Ms: Math.sqrt(200 * 2_000) }).components.latency).toBe(0.5);
    expect(systemHealth({ ...good, freshness: 'unknown', databaseAway: true, usageDropped: true }).score).toBe(64);
  });
  it('is unknown with fewer than 20 requests, not good', () => {
    expect(systemHealth({ ...good, requests: 19 })).toMatchObject({
      score: null,
      components: { availability: null, latency: null, freshness: 1 },
    });
  });
});
