import { describe, expect, it } from 'vitest';
import { createBoundedCache } from './bounded-cache.ts';

describe('a bounded cache', () => {
  it('stays within its bound: those asked for longest ago go first', () => {
    const cache = createBoundedCache<string>(100);
    cache.put('a', 'A', 40);
    cache.put('b', 'B', 40);
    expect(cache.get('a')).toBe('A');
    cache.put('c', 'C', 40);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.weight()]).toEqual(['A', undefined, 'C', 80]);
  });

  it('weighs what took the place of something anew, and keeps neither when the new is too large', () => {
    const cache = createBoundedCache<number>(100);
    cache.put('a', 1, 40);
    cache.put('c', 3, 40);
    cache.put('a', 4, 60);
    expect([cache.get('a'), cache.get('c'), cache.weight()]).toEqual([4, 3, 100]);
    cache.put('a', 5, 101);
    expect([cache.get('a'), cache.get('c'), cache.weight()]).toEqual([undefined, 3, 40]);
  });
});
