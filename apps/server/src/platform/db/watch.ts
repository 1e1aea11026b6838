import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Database } from './types.ts';

const PROBE_MS = 3_000;
/** A database that did not answer for this long counts as down, though the answer may still come: connections have longer limits. */
const LATE_MS = 2_000;

/** Measures a round trip to the database now and then, so that health answers from memory. */
export function watchDatabase(database: Database, clock: Clock): { state(): { ok: boolean; latencyMs: number | null }; stop(): void } {
  let state: { ok: boolean; latencyMs: number | null } = { ok: true, latencyMs: null };
  let stopped = false;
  let cancel = () => {};
  const probe = async () => {
    const startedMs = clock.monotonicMs();
    const cancelLate = clock.after(LATE_MS, () => (state = { ok: false, latencyMs: null }));
    try {
      await sql`select 1`.execute(database.log);
      state = { ok: true, latencyMs: clock.monotonicMs() - startedMs };
    } catch {
      // The figure itself is the report: health says down.
      state = { ok: false, latencyMs: null };
    } finally {
      cancelLate();
    }
    if (!stopped) cancel = clock.after(PROBE_MS, () => void probe());
  };
  void probe();
  return {
    state: () => state,
    stop() {
      stopped = true;
      cancel();
    },
  };
}
