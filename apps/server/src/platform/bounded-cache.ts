/** Values in memory that can be made again: the ones asked for last, within a bound of bytes or letters. */
export interface BoundedCache<T> {
  get(key: string): T | undefined;
  /** Takes the place of what was kept under the key. What is larger than the bound by itself is not kept, and drives nothing else out. */
  put(key: string, value: T, weight: number): void;
  /** What is kept now weighs, as its makers told. */
  weight(): number;
}

export function createBoundedCache<T>(maxWeight: number): BoundedCache<T> {
  // In the order in which they were asked for last.
  const entries = new Map<string, { value: T; weight: number }>();
  let total = 0;
  const drop = (key: string) => {
    total -= entries.get(key)?.weight ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    put(key, value, weight) {
      drop(key);
      if (weight > maxWeight) return;
      entries.set(key, { value, weight });
      total += weight;
      for (const oldest of entries.keys()) {
        if (total <= maxWeight) break;
        drop(oldest);
      }
    },
    weight: () => total,
  };
}
