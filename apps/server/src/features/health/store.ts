import type { Part } from '../../platform/db/types.ts';
import type { UptimeStore } from './uptime.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type UptimeTables = {
  uptime_days: { day: number; good: number; total: number; last_probe_at: number };
};

/** Probes of the uptime figure, one row per day, on the `app` part. */
export function createUptimeStore(app: Part): UptimeStore {
  const db = app.withTables<UptimeTables>();
  return {
    async load(sinceDay) {
      const rows = await db.selectFrom('uptime_days').selectAll().where('day', '>=', sinceDay).orderBy('day').execute();
      return { days: rows.map(({ day, good, total }) => ({ day, good, total })), lastProbeAt: rows.at(-1)?.last_probe_at ?? null };
    },
    async save(day, lastProbeAt) {
      const row = { ...day, last_probe_at: lastProbeAt };
      await db
        .insertInto('uptime_days')
        .values(row)
        .onConflict((conflict) => conflict.column('day').doUpdateSet(row))
        .execute();
    },
  };
}
