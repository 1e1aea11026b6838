import type { Bounds } from './share.ts';
import { quantileOf } from './trend.ts';

const RESAMPLES = 1_000;

/** Small generator with 32 bits of state (mulberry32): the same seed gives the same numbers on every machine. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** 32-bit hash of a text (FNV-1a), for seeds. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

/**
 * 95 % interval of Σ weighted values ÷ Σ weights by resampling whole days (events of one day come together), 1,000 times. The same days
 * and seed give the same interval. Null with fewer than two days.
 */
export function dayBootstrap(days: readonly { sum: number; weight: number }[], seed: number): Bounds | null {
  if (days.length < 2) return null;
  const random = seededRandom(seed);
  const means: number[] = [];
  for (let round = 0; round < RESAMPLES; round += 1) {
    let sum = 0;
    let weight = 0;
    for (let i = 0; i < days.length; i += 1) {
      const day = days[Math.floor(random() * days.length)];
      sum += day?.sum ?? 0;
      weight += day?.weight ?? 0;
    }
    if (weight > 0) means.push(sum / weight);
  }
  return { low: quantileOf(means, 0.025), high: quantileOf(means, 0.975) };
}
