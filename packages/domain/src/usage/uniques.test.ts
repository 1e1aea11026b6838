import { describe, expect, it } from 'vitest';
import { Uniques } from './index.ts';

const hashed = (n: number) => {
  // SplitMix-like spreading into 53 bits.
  let a = Math.imul(n ^ (n >>> 16), 0x85ebca6b);
  a = Math.imul(a ^ (a >>> 13), 0xc2b2ae35) >>> 0;
  let b = Math.imul((n + 0x9e3779b9) ^ (n >>> 15), 0x2c1b3c6d);
  b = Math.imul(b ^ (b >>> 12), 0x297a2d39);
  return (((b ^ (b >>> 15)) >>> 0) % 2 ** 21) * 2 ** 32 + ((a ^ (a >>> 16)) >>> 0);
};

describe('counts of different ones', () => {
  it('are exact up to 1,000, over any union', () => {
    const [a, b] = [new Uniques(), new Uniques()];
    for (let n = 0; n < 700; n += 1) a.add(hashed(n));
    for (let n = 300; n < 1_000; n += 1) b.add(hashed(n));
    a.mergeEncoded(b.encode());
    expect([a.count(), a.estimate().method]).toEqual([1_000, 'exact']);
    a.add(hashed(5_000));
    expect(a.estimate()).toEqual({ method: 'hll', error95: 0.016 });
    expect(Math.abs(a.count() - 1_001)).toBeLessThan(25);
  });
  it('are within the stated error beyond, however they were put together', () => {
    for (const size of [1_500, 5_000, 20_000, 60_000, 300_000]) {
      const parts = [new Uniques(), new Uniques(), new Uniques()];
      for (let n = 0; n < size; n += 1) parts[n % 3]?.add(hashed(n * 7 + size));
      const union = new Uniques();
      for (const part of parts) union.mergeEncoded(part.encode());
      // Three standard errors: a fixed set of numbers, so this cannot flicker.
      expect(Math.abs(union.count() / size - 1)).toBeLessThan(0.025);
    }
  });
  it('are the same after they were written and read, and written short while they are few', () => {
    for (const [size, most] of [
      [1_001, 1_500],
      [3_000, 3_200],
      [20_000, 12_000],
    ] as const) {
      const whole = new Uniques();
      for (let n = 0; n < size; n += 1) whole.add(hashed(n * 3 + size));
      const bytes = whole.encode();
      const read = new Uniques();
      read.mergeEncoded(bytes);
      expect(bytes.length).toBeLessThanOrEqual(most);
      expect([read.count(), read.estimate().method]).toEqual([whole.count(), 'hll']);
      expect(read.encode()).toEqual(bytes);
      expect(() => new Uniques().mergeEncoded(bytes.subarray(0, -1))).toThrow('not a count');
    }
  });
  it('that were written before they were packed are read as they are', () => {
    // Registers 0, 200 and 201 hold 3, 40 and 1.
    const read = new Uniques();
    read.mergeEncoded(Uint8Array.of(2, 1, 3, 200, 1, 40, 1, 1));
    const again = new Uniques();
    again.mergeEncoded(read.encode());
    expect([read.count(), again.count()]).toEqual([3, 3]);
    expect([...read.encode()]).toEqual([3, 3, 0, 8 + 3, 0, 200, 1, 40, 8 + 1]);
  });
  it.each([10, 999, 5_000, 40_000])(
    'a copy of %i counts what both have, with few and with many more, and the first stays as it was',
    (size) => {
      const [first, all] = [new Uniques(), new Uniques()];
      for (let n = 0; n < size; n += 1) {
        first.add(hashed(n));
        all.add(hashed(n));
      }
      const before = [first.count(), first.encode()];
      const copy = first.copy();
      for (const more of [5, 20_000]) {
        for (let n = 0; n < more; n += 1) {
          copy.add(hashed(size + n));
          all.add(hashed(size + n));
        }
        expect([copy.count(), copy.encode()]).toEqual([all.count(), all.encode()]);
        const [merged, again] = [new Uniques(), copy.copy()];
        merged.merge(copy);
        expect([merged.count(), again.count()]).toEqual([all.count(), all.count()]);
      }
      expect([first.count(), first.encode()]).toEqual(before);
    },
  );

  it('refuse bytes that are none', () => {
    expect(() => new Uniques().mergeEncoded(Uint8Array.of(7, 1))).toThrow('not a count');
  });
});
