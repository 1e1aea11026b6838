import { fakeClock } from '@nwms/testkit';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { silentLog } from '../log.ts';
import { every, nextDelayMs, type RunResult } from './every.ts';

const backoff = { floorMs: 10_000, firstMs: 10_000, capMs: 50_000, retryAfterCapMs: 600_000 };

function jobWith(run: (signal: AbortSignal) => Promise<RunResult>, random = () => 0) {
  const clock = fakeClock(0);
  const job = every({ clock, random, log: silentLog }, { name: 'test', intervalMs: 30_000, jitterShare: 0.05, backoff, run });
  return { clock, job };
}

describe('every', () => {
  it('runs at once and then once per interval, never earlier', async () => {
    const at: number[] = [];
    const { clock, job } = jobWith(
      async () => (at.push(clock.monotonicMs()), { kind: 'ok' }),
      () => 1,
    );
    job.start();
    await clock.advance(100_000);
    expect(at).toEqual([0, 31_500, 63_000, 94_500]);
    await job.stop();
    await clock.advance(100_000);
    expect(at).toHaveLength(4);
  });

  it('has one run in flight however long it takes; a second call joins it', async () => {
    let runs = 0;
    let finish: (result: RunResult) => void = () => {};
    const { clock, job } = jobWith(() => (runs++, new Promise((done) => (finish = done))));
    job.start();
    const joined = job.runNow();
    await clock.advance(300_000);
    expect(runs).toBe(1);
    finish({ kind: 'ok' });
    expect(await joined).toEqual({ kind: 'ok' });
    await clock.advance(30_000);
    expect(runs).toBe(2);
    finish({ kind: 'ok' });
    await job.stop();
  });

  it('survives a run that throws and backs off', async () => {
    let runs = 0;
    const { clock, job } = jobWith(async () => {
      if (++runs < 3) throw new Error('boom');
      return { kind: 'ok' };
    });
    job.start();
    await clock.advance(20_000);
    expect(runs).toBe(3);
    await job.stop();
  });

  it('stop aborts the run under way and waits for it', async () => {
    let aborted = false;
    const { clock, job } = jobWith(
      (signal) => new Promise((_, fail) => signal.addEventListener('abort', () => ((aborted = true), fail(new Error('aborted'))))),
    );
    job.start();
    await clock.advance(1);
    await job.stop();
    expect(aborted).toBe(true);
  });

  it('backs off between floor and cap whatever the number of failures, and honours Retry-After up to its cap', () => {
    fc.assert(
      fc.property(
        fc.nat(10_000),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.option(fc.nat(1_000_000)),
        (failures, random, retryAfterSeconds) => {
          const delay = nextDelayMs({ intervalMs: 30_000, backoff }, { kind: 'failed', retryAfterSeconds }, failures, () => random);
          const wished = Math.min(600_000, (retryAfterSeconds ?? 0) * 1_000);
          expect(delay).toBeGreaterThanOrEqual(Math.max(10_000, wished));
          expect(delay).toBeLessThanOrEqual(Math.max(50_000, wished));
        },
      ),
    );
  });
});
