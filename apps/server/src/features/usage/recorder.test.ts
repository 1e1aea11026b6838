import { fakeClock } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../platform/app-error.ts';
import { silentLog } from '../../platform/log.ts';
import type { Batch } from './minute-book.ts';
import { createRecorder } from './recorder.ts';
import { traitsOf } from './traits.ts';
import type { FinishedRequest, UsageRow } from './types.ts';

const away = () => new AppError('server.database_unavailable', { public: 'away' });
const request = (n: number): FinishedRequest => ({
  at: 1_000 * n,
  endpoint: '/api/v1/alerts',
  method: 'GET',
  status: 200,
  error: null,
  ms: 1,
  bytes: 1,
  caller: { type: 'anonymous', keyId: null, userId: null, address: '::1' },
  userAgent: '',
  cache: 'none',
  alerts: 0,
  geographic: false,
  timeFiltered: false,
  cost: 1,
  requestId: `req_${n}`,
});
const rowOf = ({ caller, userAgent: _agent, endpoint, method, status, error, cache, ...rest }: FinishedRequest): UsageRow => ({
  ...rest,
  traits: traitsOf({
    endpoint,
    method,
    status,
    error,
    cache,
    principal: caller.type,
    keyId: null,
    userId: null,
    visitor: 'v',
    visitorNext: 'w',
    address: 'aaaaaaaaaaaaaaaaaaaaaa',
    addressNext: 'bbbbbbbbbbbbbbbbbbbbbb',
    country: 'ZZ',
    region: null,
    city: null,
    device: 'unknown',
    browser: null,
    os: null,
    agent: null,
  }),
});

function world(maxWaiting = 1_000) {
  const clock = fakeClock(0);
  const stored: string[] = [];
  let fail: (() => unknown) | null = null;
  const recorder = createRecorder({
    clock,
    log: silentLog,
    identify: rowOf,
    seen: () => {},
    limits: { maxWaiting },
    writer: {
      async write({ rows }: Batch) {
        const error = fail?.();
        if (error) throw error;
        stored.push(...rows.map(({ requestId }) => requestId));
        return 'stored';
      },
    },
  });
  return { clock, recorder, stored, failWith: (how: (() => unknown) | null) => (fail = how) };
}

describe('usage on its way to the database', () => {
  it('is written within a second without anybody asking, each request once', async () => {
    const { clock, recorder, stored } = world();
    for (let n = 0; n < 5; n += 1) recorder.record(request(n));
    expect(stored).toEqual([]);
    await clock.advance(1_000);
    expect(stored).toEqual(['req_0', 'req_1', 'req_2', 'req_3', 'req_4']);
    await clock.advance(10_000);
    expect(stored.length).toBe(5);
  });
  it('waits while the database is away, in order, and is tried again by itself', async () => {
    const { clock, recorder, stored, failWith } = world();
    failWith(away);
    recorder.record(request(0));
    await clock.advance(5_000);
    recorder.record(request(1));
    expect([stored.length, recorder.waiting()]).toEqual([0, 2]);
    failWith(null);
    await clock.advance(6_000);
    expect([stored, recorder.waiting(), recorder.losses().total]).toEqual([['req_0', 'req_1'], 0, 0]);
  });
  it('drops beyond its bound, says how many, and forgets after an hour that it did', async () => {
    const { clock, recorder, stored, failWith } = world(10);
    failWith(away);
    for (let n = 0; n < 25; n += 1) recorder.record(request(n));
    expect(recorder.losses()).toEqual({ total: 15, lastHour: 15 });
    failWith(null);
    await clock.advance(6_000);
    expect(stored.length).toBe(10);
    await clock.advance(3_600_000);
    expect(recorder.losses()).toEqual({ total: 15, lastHour: 0 });
  });
  it('gives up a batch that the database will never take, and only that one', async () => {
    const { clock, recorder, stored, failWith } = world();
    failWith(() => new Error('invalid byte sequence'));
    recorder.record(request(0));
    // Three tries, a quarter of a second and more apart; fine steps, as each waits for promises of the one before.
    for (let n = 0; n < 40; n += 1) await clock.advance(500);
    expect(recorder.losses().total).toBe(1);
    failWith(null);
    recorder.record(request(1));
    await clock.advance(6_000);
    expect(stored).toEqual(['req_1']);
  });
  it('writes what waits when it stops', async () => {
    const { recorder, stored } = world();
    recorder.record(request(0));
    await recorder.stop();
    expect(stored).toEqual(['req_0']);
  });
});
