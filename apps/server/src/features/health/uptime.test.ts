import { fakeClock } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { createUptime, type UptimeDay, type UptimeStore } from './uptime.ts';

const NOON = Date.UTC(2026, 10, 21, 12);

function memoryStore(): UptimeStore & { days: Map<number, UptimeDay>; lastProbeAt: number | null } {
  const store = {
    days: new Map<number, UptimeDay>(),
    lastProbeAt: null as number | null,
    load: async (sinceDay: number) => ({
      days: [...store.days.values()].filter((day) => day.day >= sinceDay),
      lastProbeAt: store.lastProbeAt,
    }),
    save: async (day: UptimeDay, at: number) => {
      store.days.set(day.day, day);
      store.lastProbeAt = at;
    },
  };
  return store;
}

describe('uptime', () => {
  it('is unknown before the first probe, never 100', async () => {
    const clock = fakeClock(NOON);
    const uptime = createUptime({ clock, store: memoryStore(), healthy: () => true });
    await uptime.start();
    expect(uptime.summary()).toMatchObject({ percent: null });
  });

  it('counts probes that found the service unhealthy', async () => {
    const clock = fakeClock(NOON);
    let healthy = true;
    const uptime = createUptime({ clock, store: memoryStore(), healthy: () => healthy });
    await uptime.start();
    await clock.advance(30_000 * 3);
    healthy = false;
    await clock.advance(30_000);
    expect(uptime.summary().percent).toBe(75);
  });

  it('counts the time between two runs as downtime', async () => {
    const store = memoryStore();
    const first = fakeClock(NOON);
    const before = createUptime({ clock: first, store, healthy: () => true });
    await before.start();
    await first.advance(30_000 * 10);
    before.stop();
    const second = fakeClock(first.now() + 30_000 * 10);
    const after = createUptime({ clock: second, store, healthy: () => true });
    await after.start();
    expect(after.summary().percent).toBeGreaterThan(50);
    expect(after.summary().percent).toBeLessThan(54);
  });

  it('keeps counting while the store fails', async () => {
    const clock = fakeClock(NOON);
    const store = { ...memoryStore(), save: async () => Promise.reject(new Error('away')) };
    const uptime = createUptime({ clock, store, healthy: () => true });
    await uptime.start();
    await clock.advance(60_000);
    expect(uptime.summary().percent).toBe(100);
  });
});
