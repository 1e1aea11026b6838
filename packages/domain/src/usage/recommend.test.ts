import { describe, expect, it } from 'vitest';
import { adviceFor, type AdviceFacts } from './index.ts';

describe('recommendations', () => {
  const endpoint = {
    endpoint: '/api/v1/alerts',
    method: 'GET',
    requests: 1_000,
    averageMs: 20,
    errorPercent: 0,
    keyGets: 0,
    keyNotModified: 0,
  };
  const none: AdviceFacts = {
    totalRequests: 1_000,
    botRequests: 0,
    dailyGrowthRate: null,
    endpoints: [endpoint],
    pollers: null,
    refusals: null,
    idleKeys: null,
  };
  it('are none when no rule holds', () => {
    expect(adviceFor(none)).toEqual([]);
  });
  it('come by priority, then by the requests concerned, at most ten, each with its figures in the text', () => {
    const all = adviceFor({
      totalRequests: 1_000,
      botRequests: 501,
      dailyGrowthRate: 6,
      endpoints: [
        { ...endpoint, averageMs: 1_001, requests: 60 },
        { ...endpoint, method: 'POST', averageMs: 501, errorPercent: 11 },
        { ...endpoint, endpoint: '/api/v1/alerts/near', keyGets: 500, keyNotModified: 99 },
        { ...endpoint, endpoint: '/api/v1/rare', requests: 49, averageMs: 9_000, errorPercent: 90 },
      ],
      pollers: [{ caller: 'key key_1', endpoint: 'GET /api/v1/alerts', requests: 400 }],
      refusals: [{ account: 'ann', requests: 100, refused: 6 }],
      idleKeys: 2,
    });
    expect(all.map(({ id }) => id)).toEqual([
      'failing_endpoint:POST /api/v1/alerts',
      'slow_endpoint:GET /api/v1/alerts',
      'growing_traffic',
      'slow_endpoint:POST /api/v1/alerts',
      'use_etag:GET /api/v1/alerts/near',
      'refused_account:ann',
      'mostly_bots',
      'fast_poller:key key_1:GET /api/v1/alerts',
      'idle_keys',
    ]);
    expect(all[0]?.description).toContain('11% of its 1,000 requests');
    expect(all[4]?.description).toContain('19.8% of 500 requests');
  });
});
