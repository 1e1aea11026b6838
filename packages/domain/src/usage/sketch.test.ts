import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../stats/bootstrap.ts';
import { Sketch } from './index.ts';

const nearestRank = (values: readonly number[], q: number) => [...values].sort((a, b) => a - b)[Math.ceil(q * values.length) - 1] ?? 0;

describe('percentiles from sketches', () => {
  const shapes: Record<string, (random: () => number) => number> = {
    uniform: (random) => 1 + 999 * random(),
    lognormal: (random) => Math.exp(3 + Math.sqrt(-2 * Math.log(random() || 1e-9)) * Math.cos(2 * Math.PI * random())),
    'fast or stuck': (random) => (random() < 0.97 ? 2 + random() : 5_000 + 20_000 * random()),
    pareto: (random) => 5 / (random() || 1e-6) ** 0.7,
  };
  it.each(Object.keys(shapes))('lie within 1 % of the value of that rank: %s', (name) => {
    const random = seededRandom(7);
    const values = Array.from({ length: 20_000 }, () => shapes[name]?.(random) ?? 0);
    const whole = new Sketch();
    const parts = [new Sketch(), new Sketch(), new Sketch()];
    values.forEach((value, i) => {
      whole.add(value);
      parts[i % 3]?.add(value);
    });
    const merged = new Sketch();
    for (const part of parts) merged.mergeEncoded(part.encode());
    for (const q of [0.01, 0.25, 0.5, 0.9, 0.95, 0.99, 0.999, 1]) {
      const exact = nearestRank(values, q);
      expect(Math.abs((whole.quantile(q) ?? 0) / exact - 1)).toBeLessThanOrEqual(0.010001);
      expect(merged.quantile(q)).toBe(whole.quantile(q));
    }
  });
  it('any values, any split: merging and encoding lose nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e7, noNaN: true }), { minLength: 1, maxLength: 60 }), fc.nat(), (values, cut) => {
        const [a, b, whole] = [new Sketch(), new Sketch(), new Sketch()];
        values.forEach((value, i) => {
          whole.add(value);
          (i < cut % values.length ? a : b).add(value);
        });
        a.merge(b);
        const read = new Sketch();
        read.mergeEncoded(a.encode());
        expect(read.encode()).toEqual(whole.encode());
        expect(read.count).toBe(values.length);
        const exact = nearestRank(values, 0.95);
        const told = read.quantile(0.95) ?? -1;
        // Under a nanosecond nothing is told apart from zero.
        expect(Math.abs(told - exact)).toBeLessThanOrEqual(0.010001 * exact + 1e-6);
      }),
    );
  });
  it('a copy tells the same and goes its own way', () => {
    const sketch = new Sketch();
    for (const value of [0, 3, 70, 3]) sketch.add(value);
    const copy = sketch.copy();
    expect(copy.encode()).toEqual(sketch.encode());
    copy.add(900);
    expect([copy.count, sketch.count, sketch.quantile(1) === copy.quantile(1)]).toEqual([5, 4, false]);
  });

  it('of nothing is null, and broken bytes are refused', () => {
    expect(new Sketch().quantile(0.5)).toBeNull();
    expect(() => new Sketch().mergeEncoded(Uint8Array.of(0, 200))).toThrow('ends in the middle');
  });
});
