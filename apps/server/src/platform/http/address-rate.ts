import type { Clock } from '../clock.ts';

/** At most so many calls per address and minute, from memory. */
export interface AddressRate {
  /** 0 = allowed and counted; else seconds until the next one is. */
  take(address: string): number;
}

/** Addresses remembered at once: a flood of them costs a few megabytes, never more. */
const MAX_ADDRESSES = 20_000;
const WINDOW_MS = 60_000;

/** Fixed windows that begin with an address's first call. When too many are open, the oldest are forgotten: strangers cannot grow it. */
export function createAddressRate(clock: Clock, perMinute: number): AddressRate {
  const windows = new Map<string, { startedMs: number; calls: number }>();
  return {
    take(address) {
      const nowMs = clock.monotonicMs();
      const open = windows.get(address);
      if (open && nowMs - open.startedMs < WINDOW_MS) {
        if (open.calls >= perMinute) return Math.ceil((open.startedMs + WINDOW_MS - nowMs) / 1_000);
        open.calls += 1;
        return 0;
      }
      // Set anew, so that the order of the map is the order of the windows.
      windows.delete(address);
      windows.set(address, { startedMs: nowMs, calls: 1 });
      for (const [oldest, window] of windows) {
        if (windows.size <= MAX_ADDRESSES && nowMs - window.startedMs < WINDOW_MS) break;
        windows.delete(oldest);
      }
      return 0;
    },
  };
}
