import { describe, expect, it } from 'vitest';
import { playBothWays, playMany } from './model-fixture.ts';

/** The long form of machine-model.test.ts: NWMS_CHAOS=1. */
describe.skipIf(process.env['NWMS_CHAOS'] !== '1')('A4, long', () => {
  it('50,000 histories: no false end, each end told exactly once', { timeout: 300_000 }, () => {
    expect(playMany(50_000).ends).toBeGreaterThan(25_000);
  });

  it('5,000 histories in both page orders tell the same', { timeout: 300_000 }, () => {
    expect(() => playBothWays(5_000)).not.toThrow();
  });
});
