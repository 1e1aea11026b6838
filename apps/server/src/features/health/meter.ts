import type { Clock } from '../../platform/clock.ts';

const MINUTES_KEPT = 5;
const DAY_MS = 86_400_000;

/** Counts of finished requests by minute, in memory: what the header and the landing page show. Full usage analytics are another area. */
export interface RequestMeter {
  /** Health, metrics and static files are not counted by the caller. */
  record(durationMs: number, address: string): void;
  summary(): { requestsToday: number; requestsPerMinute: number | null; averageMs: number | null; usersOnline: number };
}

export function createRequestMeter(clock: Clock): RequestMeter {
  const startedAt = clock.now();
  let minutes: { minute: number; requests: number; totalMs: number; addresses: Set<string> }[] = [];
  let today = { day: Math.floor(startedAt / DAY_MS), requests: 0 };

  const recent = () => {
    const current = Math.floor(clock.now() / 60_000);
    minutes = minutes.filter((entry) => entry.minute > current - MINUTES_KEPT && entry.minute <= current);
    return minutes;
  };

  return {
    record(durationMs, address) {
      const now = clock.now();
      const day = Math.floor(now / DAY_MS);
      if (day !== today.day) today = { day, requests: 0 };
      today.requests += 1;
      const minute = Math.floor(now / 60_000);
      let entry = minutes.find((candidate) => candidate.minute === minute);
      if (!entry) {
        entry = { minute, requests: 0, totalMs: 0, addresses: new Set() };
        recent().push(entry);
      }
      entry.requests += 1;
      entry.totalMs += durationMs;
      // 10,000 addresses bound the memory of one minute; beyond it the figure is a floor.
      if (entry.addresses.size < 10_000) entry.addresses.add(address);
    },
    summary() {
      const window = recent();
      const requests = window.reduce((sum, entry) => sum + entry.requests, 0);
      const totalMs = window.reduce((sum, entry) => sum + entry.totalMs, 0);
      const spanMinutes = Math.min(MINUTES_KEPT, Math.max(1, (clock.now() - startedAt) / 60_000));
      return {
        requestsToday: Math.floor(clock.now() / DAY_MS) === today.day ? today.requests : 0,
        requestsPerMinute: requests / spanMinutes,
        averageMs: requests === 0 ? null : totalMs / requests,
        usersOnline: new Set(window.flatMap((entry) => [...entry.addresses])).size,
      };
    },
  };
}
