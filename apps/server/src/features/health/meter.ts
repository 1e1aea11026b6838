import type { Clock } from '../../platform/clock.ts';

const MINUTES_KEPT = 5;

/** The last minutes of requests, in memory: what the header and the landing page show. Days are counted by usage. */
export interface RequestMeter {
  /** Health, metrics and static files are not counted by the caller. */
  record(durationMs: number, address: string): void;
  summary(): { requestsPerMinute: number | null; averageMs: number | null; usersOnline: number };
}

export function createRequestMeter(clock: Clock): RequestMeter {
  const startedAt = clock.now();
  let minutes: { minute: number; requests: number; totalMs: number; addresses: Set<string> }[] = [];

  const recent = () => {
    const current = Math.floor(clock.now() / 60_000);
    minutes = minutes.filter((entry) => entry.minute > current - MINUTES_KEPT && entry.minute <= current);
    return minutes;
  };

  return {
    record(durationMs, address) {
      const now = clock.now();
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
        requestsPerMinute: requests / spanMinutes,
        averageMs: requests === 0 ? null : totalMs / requests,
        usersOnline: new Set(window.flatMap((entry) => [...entry.addresses])).size,
      };
    },
  };
}
