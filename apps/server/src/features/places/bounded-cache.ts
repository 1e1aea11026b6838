/** Least recently used entries go first once the weights add up to more than the limit. */
export function boundedCache<T>(weightLimit: number): {
  get(key: string): T | undefined;
  set(key: string, value: T, weight: number): void;
} {
  const entries = new Map<string, { value: T; weight: number }>();
  let total = 0;
  return {
    get(key) {
      const found = entries.get(key);
      if (!found) return undefined;
      entries.delete(key);
      entries.set(key, found);
      return found.value;
    },
    set(key, value, weight) {
      total += weight - (entries.get(key)?.weight ?? 0);
      entries.delete(key);
      entries.set(key, { value, weight });
      for (const [oldest, entry] of entries) {
        if (total <= weightLimit || entries.size === 1) break;
        entries.delete(oldest);
        total -= entry.weight;
      }
    },
  };
}
