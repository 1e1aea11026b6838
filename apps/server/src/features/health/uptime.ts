import type { Clock } from '../../platform/clock.ts';

/** One probe every 30 s; a window of 30 days is 86,400 probes. */
const PROBE_MS = 30_000;
const WINDOW_DAYS = 30;
const DAY_MS = 86_400_000;

/** Probes kept by UTC day; written by the caller, small enough to be one row per day. */
export interface UptimeDay {
  day: number;
  good: number;
  total: number;
}
export interface UptimeStore {
  load(sinceDay: number): Promise<{ days: UptimeDay[]; lastProbeAt: number | null }>;
  save(day: UptimeDay, lastProbeAt: number): Promise<void>;
}

export interface Uptime {
  start(): Promise<void>;
  stop(): void;
  summary(): { percent: number | null; windowDays: number; since: number | null };
}

/**
 * Real uptime from stored probes: good probes ÷ probes. Time the process was not running counts as downtime, found at the next start from the last
 * stored probe. A clock that went backwards adds nothing.
 */
export function createUptime(deps: { clock: Clock; store: UptimeStore; healthy(): boolean }): Uptime {
  const days = new Map<number, UptimeDay>();
  let cancel = () => {};
  let stopped = false;

  const dayOf = (at: number) => Math.floor(at / DAY_MS);
  const bucket = (day: number) => {
    const found = days.get(day) ?? { day, good: 0, total: 0 };
    days.set(day, found);
    return found;
  };
  const probe = async () => {
    const now = deps.clock.now();
    const today = bucket(dayOf(now));
    today.total += 1;
    if (deps.healthy()) today.good += 1;
    for (const day of days.keys()) if (day <= dayOf(now) - WINDOW_DAYS) days.delete(day);
    // A database that is away must not stop the counting: the next save writes the whole day.
    await deps.store.save({ ...today }, now).catch(() => {});
    if (!stopped) cancel = deps.clock.after(PROBE_MS, () => void probe());
  };

  return {
    async start() {
      const now = deps.clock.now();
      const loaded = await deps.store.load(dayOf(now) - WINDOW_DAYS + 1);
      for (const day of loaded.days) days.set(day.day, { ...day });
      for (let at = (loaded.lastProbeAt ?? now) + PROBE_MS; at < now; at += PROBE_MS) bucket(dayOf(at)).total += 1;
      cancel = deps.clock.after(PROBE_MS, () => void probe());
    },
    stop() {
      stopped = true;
      cancel();
    },
    summary() {
      const all = [...days.values()];
      const total = all.reduce((sum, day) => sum + day.total, 0);
      const good = all.reduce((sum, day) => sum + day.good, 0);
      const first = all.map((day) => day.day).sort((a, b) => a - b)[0];
      return {
        percent: total === 0 ? null : (100 * good) / total,
        windowDays: first === undefined ? 0 : Math.min(WINDOW_DAYS, dayOf(deps.clock.now()) - first + 1),
        since: first === undefined ? null : first * DAY_MS,
      };
    },
  };
}
