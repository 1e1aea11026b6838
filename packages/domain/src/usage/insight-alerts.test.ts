import { describe, expect, it } from 'vitest';
import { insightFindings, type InsightFacts } from './index.ts';

describe('alerts of insights', () => {
  const quiet: InsightFacts = {
    hour: { requests: 1_000, errors: 10, p95Ms: 80 },
    tenMinutes: { requests: 200, serverErrors: 0, failedSignIns: 0 },
    loudest: [{ caller: 'key key_1', requests: 99 }],
    freshness: 'live',
    lastHour: { requests: 900, before: [1_000, 900, 1_100] },
    droppedRows: 0,
    quotas: [{ subject: 'key key_1', usedPercent: 80 }],
    backlog: { waiting: 10, oldestSeconds: 1 },
  };
  const limits = { highErrorRate: 10, unusualActivity: 100 };
  const ids = (change: Partial<InsightFacts>) =>
    insightFindings({ ...quiet, ...change }, limits).map(({ id, severity }) => `${id} ${severity}`);
  it('is silent when nothing is wrong, and each rule speaks at its border', () => {
    expect(ids({})).toEqual([]);
    expect(ids({ hour: { requests: 100, errors: 11, p95Ms: 80 } })).toEqual(['error_rate_high critical']);
    expect(ids({ hour: { requests: 100, errors: 6, p95Ms: 1_001 } })).toEqual(['error_rate_high warning', 'slow_responses warning']);
    expect(ids({ hour: { requests: 49, errors: 49, p95Ms: 9_000 } })).toEqual([]);
    expect(ids({ hour: { requests: 50, errors: 0, p95Ms: 3_001 } })).toEqual(['slow_responses critical']);
    expect(ids({ tenMinutes: { requests: 500, serverErrors: 5, failedSignIns: 50 } })).toEqual([
      'server_errors critical',
      'sign_in_attack warning',
    ]);
    expect(ids({ tenMinutes: { requests: 501, serverErrors: 5, failedSignIns: 49 } })).toEqual([]);
    expect(
      ids({
        loudest: [
          { caller: 'a', requests: 500 },
          { caller: 'b', requests: 100 },
        ],
      }),
    ).toEqual(['unusual_activity critical', 'unusual_activity warning']);
    expect([...ids({ freshness: 'stale' }), ...ids({ freshness: 'unknown' }), ...ids({ freshness: 'simulated' })]).toEqual([
      'data_stale warning',
      'data_stale critical',
    ]);
    expect(ids({ lastHour: { requests: 199, before: [1_000, 900, 1_100] } })).toEqual(['traffic_drop warning']);
    expect(ids({ lastHour: { requests: 0, before: [1_000, 900] } })).toEqual([]);
    expect(ids({ droppedRows: 1, quotas: [{ subject: 'x', usedPercent: 81 }], backlog: { waiting: 0, oldestSeconds: 301 } })).toEqual([
      'quota_pressure info',
      'delivery_backlog warning',
      'recording_loss critical',
    ]);
  });
});
