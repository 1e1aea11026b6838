import type { LogEntry } from '../types.ts';

/** What stays in memory, whichever is reached first. */
export interface RingLimits {
  entries: number;
  bytes: number;
}

/** The newest entries without a hole: [firstSeq, lastSeq]. */
export interface LogRing {
  /** Smallest seq S such that every entry above S is in memory. */
  oldestSeq(): number;
  latestSeq(): number;
  /** Must continue at `latestSeq` + 1. */
  append(entries: readonly LogEntry[]): void;
  /** Entries with seq > after; `after` must not lie below `oldestSeq`. */
  slice(after: number, limit: number): LogEntry[];
}

/** Objects and short members of an entry beside its text: measured about 0.6 KB, rounded up. */
const ENTRY_OVERHEAD_BYTES = 1_024;

export function createLogRing(latestSeq: number, limits: RingLimits): LogRing {
  let entries: LogEntry[] = [];
  /** Entries at the front that are no longer held; cut off in bulk. */
  let dropped = 0;
  let oldest = latestSeq;
  let bytes = 0;
  const sizeOf = (entry: LogEntry) => entry.alertJson.length + ENTRY_OVERHEAD_BYTES;
  const trim = () => {
    while (entries.length - dropped > limits.entries || bytes > limits.bytes) {
      const entry = entries[dropped];
      if (!entry) break;
      bytes -= sizeOf(entry);
      oldest = entry.seq;
      dropped += 1;
    }
    if (dropped <= 1_000 || dropped <= entries.length / 4) return;
    entries = entries.slice(dropped);
    dropped = 0;
  };
  return {
    oldestSeq: () => oldest,
    latestSeq: () => oldest + entries.length - dropped,
    append(added) {
      for (const entry of added) {
        if (entry.seq !== oldest + entries.length - dropped + 1) throw new Error(`the log has a hole before ${entry.seq}`);
        entries.push(entry);
        bytes += sizeOf(entry);
      }
      trim();
    },
    slice(after, limit) {
      const start = dropped + Math.max(0, after - oldest);
      return entries.slice(start, start + limit);
    },
  };
}
