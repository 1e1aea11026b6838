import { fakeClock } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { createSteadyClock } from './steady-clock.ts';

const T0 = Date.UTC(2026, 4, 14, 16);
const HOUR = 3_600_000;

describe('steady clock (I7)', () => {
  it.each([HOUR, -HOUR, 24 * HOUR, -24 * HOUR])('a wall clock step of %i ms is not followed before it is confirmed', async (step) => {
    const base = fakeClock(T0);
    const clock = createSteadyClock(base);
    base.jump(step);
    await base.advance(30_000);
    expect(clock.now()).toBe(T0 + 30_000);
    expect(clock.state()).toMatchObject({ suspectedJumpMs: step, jumps: 1 });
    expect(clock.latestNow()).toBe(T0 + 30_000 + Math.max(0, step));
  });

  it('upstream confirms a step: it is followed at once', async () => {
    const base = fakeClock(T0);
    const clock = createSteadyClock(base);
    base.jump(HOUR);
    clock.confirm(T0 + HOUR - 2_000);
    expect(clock.now()).toBe(T0 + HOUR);
    expect(clock.state()).toEqual({ suspectedJumpMs: 0, upstreamSkewMs: 2_000, jumps: 1 });
  });

  it('upstream contradicts a step: it is never followed, also not by a second look', async () => {
    const base = fakeClock(T0);
    const clock = createSteadyClock(base);
    base.jump(24 * HOUR);
    clock.now();
    clock.confirm(T0 - 1_000);
    await base.advance(HOUR);
    expect(clock.now()).toBe(T0 + HOUR);
    base.jump(-24 * HOUR);
    expect(clock.now()).toBe(T0 + HOUR);
    expect(clock.state().suspectedJumpMs).toBe(0);
  });

  it('without upstream a step that still stands after five minutes is followed', async () => {
    const base = fakeClock(T0);
    const clock = createSteadyClock(base);
    base.jump(HOUR);
    clock.now();
    await base.advance(299_000);
    expect(clock.now()).toBe(T0 + 299_000);
    await base.advance(1_000);
    expect(clock.now()).toBe(T0 + 300_000 + HOUR);
  });

  it('a second, different step waits its own five minutes', async () => {
    const base = fakeClock(T0);
    const clock = createSteadyClock(base);
    base.jump(HOUR);
    clock.now();
    clock.confirm(T0);
    await base.advance(400_000);
    base.jump(HOUR);
    expect(clock.now()).toBe(T0 + 400_000);
    await base.advance(299_000);
    expect(clock.now()).toBe(T0 + 699_000);
  });

  it('a step that is taken back leaves no trace in time', async () => {
    const base = fakeClock(T0);
    const clock = createSteadyClock(base);
    base.jump(HOUR);
    clock.now();
    base.jump(-HOUR);
    await base.advance(1_000_000);
    expect(clock.now()).toBe(T0 + 1_000_000);
  });

  it('ordinary clock discipline below a minute is followed', () => {
    const base = fakeClock(T0);
    const clock = createSteadyClock(base);
    for (const step of [500, -1_500, 59_000, -59_000]) {
      base.jump(step);
      clock.now();
    }
    expect(clock.now()).toBe(T0 - 1_000);
    expect(clock.state().jumps).toBe(0);
  });
});
