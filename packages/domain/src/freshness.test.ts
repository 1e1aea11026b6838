import { describe, expect, it } from 'vitest';
import { freshnessOf, type FreshnessInput } from './freshness.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const ago = (seconds: number) => NOW - seconds * 1000;
const base: FreshnessInput = {
  feed: 'nws',
  now: NOW,
  lastAcceptedAt: ago(10),
  lastChangeAt: ago(40),
  pollSeconds: 30,
  frozenAfterSeconds: 600,
  cause: null,
};
const rule = (change: Partial<FreshnessInput>) => freshnessOf({ ...base, ...change });

describe('freshness (A3)', () => {
  it.each<[string, Partial<FreshnessInput>, object]>([
    ['recent and changing is live', {}, { status: 'live', reason: null, ageSeconds: 10 }],
    ['180 s after the last poll it is still live', { lastAcceptedAt: ago(180) }, { status: 'live' }],
    ['181 s after it is stale', { lastAcceptedAt: ago(181) }, { status: 'stale', reason: 'poll_failing', ageSeconds: 181 }],
    ['slow polls stretch it to four of them', { pollSeconds: 60, lastAcceptedAt: ago(240) }, { status: 'live' }],
    [
      'a frozen 200 is not fresh: data as of the last change',
      { lastChangeAt: ago(601) },
      { status: 'stale', reason: 'upstream_frozen', ageSeconds: 601, dataAsOf: ago(601) },
    ],
    ['600 s without change is not yet frozen', { lastChangeAt: ago(600) }, { status: 'live' }],
    [
      'older than 30 minutes is unknown',
      { lastAcceptedAt: ago(1801), lastChangeAt: ago(1801) },
      { status: 'unknown', reason: 'poll_failing' },
    ],
    ['frozen for 30 minutes is unknown', { lastChangeAt: ago(1801) }, { status: 'unknown', reason: 'upstream_frozen' }],
    [
      'never loaded is unknown without a time',
      { lastAcceptedAt: null },
      { status: 'unknown', reason: 'never_polled', dataAsOf: null, ageSeconds: null },
    ],
    ['starting says so', { lastAcceptedAt: null, cause: 'starting' }, { status: 'unknown', reason: 'starting' }],
    ['a simulator is simulated, never live', { feed: 'simulator' }, { status: 'simulated', reason: null }],
    ['a replay may stand still', { feed: 'replay', lastChangeAt: ago(5000) }, { status: 'simulated', ageSeconds: 10 }],
    ['a replay that stopped is stale', { feed: 'replay', lastAcceptedAt: ago(300) }, { status: 'stale' }],
    ['paused says so once stale', { lastAcceptedAt: ago(300), cause: 'paused' }, { status: 'stale', reason: 'paused' }],
    ['a held-back shrink is told while live', { cause: 'shrink_quarantined' }, { status: 'live', reason: 'shrink_quarantined' }],
    ['a clock set back gives age 0', { lastAcceptedAt: ago(-50), lastChangeAt: ago(-50) }, { ageSeconds: 0, status: 'live' }],
  ])('%s', (_name, change, expected) => {
    expect(rule(change)).toMatchObject(expected);
  });
});
