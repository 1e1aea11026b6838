import { describe, expect, it } from 'vitest';
import { playBothWays, playMany } from './model-fixture.ts';

describe('A4: random histories against an independent model', () => {
  it('flicker, late and repeated messages: no false end, each end told exactly once', () => {
    const tally = playMany(2_000);
    // A property that never reached an end or an absence would prove nothing.
    expect(tally.ends).toBeGreaterThan(1_000);
    expect(tally.absences).toBeGreaterThan(100);
  });

  it('the order of pages inside a batch changes nothing', () => {
    expect(() => playBothWays(400)).not.toThrow();
  });
});
