/** Values in memory that can be made again: the ones asked for last, within a bound of bytes. */
export interface Kept {
  /** Now, of a clock that only goes forward. */
  nowMs(): number;
  get(key: string): unknown;
  /** Takes the place of what was kept under the key. What is larger than the bound is not kept. */
  put(key: string, value: unknown, bytes: number): void;
  /** What is kept now, as its makers told. */
  bytes(): number;
}

export function createKept({ maxBytes, nowMs }: { maxBytes: number; nowMs: () => number }): Kept {
  // In the order in which they were asked for last.
  const entries = new Map<string, { value: unknown; bytes: number }>();
  let total = 0;
  const drop = (key: string) => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    nowMs,
    get(key) {
      const entry = entries.get(key);
      if (!entry) return undefined;
      entries.delete(key);
      entries.set(key, entry);
      return entry.value;
    },
    put(key, value, bytes) {
      drop(key);
      if (bytes > maxBytes) return;
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
    bytes: () => total,
  };
}
