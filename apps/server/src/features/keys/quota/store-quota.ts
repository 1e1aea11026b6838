import type { Instant, QuotaWindow } from '@nwms/domain';
import { sql } from 'kysely';
import type { Part } from '../../../platform/db/types.ts';

interface QuotaColumns {
  subject: string;
  span: string;
  starts_at: number;
  granted: number;
  asked: number;
  given: number;
  cap: number;
  refused: number;
  used: number;
}
// A type, not an interface: only types have the index signature that the table map asks for.
type QuotaTables = { quota_windows: QuotaColumns };

/** Units one process asks for in one window of one allowance; below zero it gives units back. */
export interface QuotaAsk {
  subject: string;
  window: QuotaWindow;
  startsAt: Instant;
  units: number;
  /** No more than this is granted to all processes together. */
  limit: number;
  /** Requests refused since the last ask, for the count of the window. */
  refused: number;
  /** Units used since the last ask, less those given back. */
  used: number;
}

export interface QuotaRow {
  subject: string;
  window: QuotaWindow;
  startsAt: Instant;
  /** To all processes together. */
  granted: number;
  /** Of the ask this row answers. */
  given: number;
  refused: number;
  /** By all processes, as far as they told: at most a second old. */
  used: number;
}

/** Rows per statement: far below what either engine binds. */
const CHUNK = 200;

const rowOf = (row: QuotaColumns): QuotaRow => ({
  subject: row.subject,
  window: row.span as QuotaWindow,
  startsAt: Number(row.starts_at),
  granted: Number(row.granted),
  given: Number(row.given),
  refused: Number(row.refused),
  used: Number(row.used),
});

/*
 * One row per allowance and window, overwritten when a later window begins. Each statement grants as much of what is asked as still fits, under
 * the row's lock, and says how much that was; a window that is over is never opened again, whatever clock asks. `excluded` is the ask:
 * `asked` units under the limit `cap`.
 */
const FITS = sql`case when excluded.asked < excluded.cap - quota_windows.granted then excluded.asked
  when excluded.cap > quota_windows.granted then excluded.cap - quota_windows.granted else 0 end`;
const GIVEN = sql<number>`case
  when excluded.starts_at > quota_windows.starts_at then excluded.given
  when excluded.asked < 0 then
    case when excluded.starts_at < quota_windows.starts_at then 0
      when excluded.asked < -quota_windows.granted then -quota_windows.granted else excluded.asked end
  else ${FITS} end`;
const GRANTED = sql<number>`case when excluded.starts_at > quota_windows.starts_at then excluded.given else quota_windows.granted + (${GIVEN}) end`;
const REFUSED = sql<number>`case when excluded.starts_at > quota_windows.starts_at then excluded.refused
  when excluded.starts_at < quota_windows.starts_at then quota_windows.refused else quota_windows.refused + excluded.refused end`;
const USED = sql<number>`case when excluded.starts_at > quota_windows.starts_at then excluded.used
  when excluded.starts_at < quota_windows.starts_at then quota_windows.used else quota_windows.used + excluded.used end`;

/** Granted units in the `app` part. */
export function createQuotaStore(app: Part) {
  const db = app.withTables<QuotaTables>();
  return {
    /** Asks for all at once; one statement per chunk, each row granted exactly once or not at all. No subject and window twice. */
    async exchange(asks: readonly QuotaAsk[]): Promise<QuotaRow[]> {
      const order = (ask: QuotaAsk) => `${ask.subject} ${ask.window}`;
      // One order everywhere: two processes that ask for the same rows never wait for each other in a circle.
      const sorted = [...asks].sort((a, b) => (order(a) < order(b) ? -1 : 1));
      const rows: QuotaRow[] = [];
      for (let at = 0; at < sorted.length; at += CHUNK) {
        const answered = await db
          .insertInto('quota_windows')
          .values(sorted.slice(at, at + CHUNK).map(columnsOf))
          .onConflict((conflict) =>
            conflict.columns(['subject', 'span']).doUpdateSet({
              given: GIVEN,
              granted: GRANTED,
              refused: REFUSED,
              used: USED,
              starts_at: sql<number>`case when excluded.starts_at > quota_windows.starts_at then excluded.starts_at else quota_windows.starts_at end`,
              cap: sql<number>`excluded.cap`,
            }),
          )
          .returningAll()
          .execute();
        rows.push(...answered.map(rowOf));
      }
      return rows;
    },
    async read(subjects: readonly string[]): Promise<QuotaRow[]> {
      const rows: QuotaRow[] = [];
      for (let at = 0; at < subjects.length; at += CHUNK) {
        const found = await db
          .selectFrom('quota_windows')
          .selectAll()
          .where('subject', 'in', subjects.slice(at, at + CHUNK))
          .execute();
        rows.push(...found.map(rowOf));
      }
      return rows;
    },
    /** Removes windows that began before an instant: nobody used their allowance since. */
    async expire(before: Instant): Promise<void> {
      await db.deleteFrom('quota_windows').where('starts_at', '<', before).execute();
    },
    async remove(subjects: readonly string[], transaction: Part): Promise<void> {
      if (subjects.length === 0) return;
      await transaction.withTables<QuotaTables>().deleteFrom('quota_windows').where('subject', 'in', subjects).execute();
    },
  };
}

export type QuotaStore = ReturnType<typeof createQuotaStore>;

/** As the first row of its allowance and window: what fits under the limit is given. */
function columnsOf(ask: QuotaAsk): QuotaColumns {
  const given = Math.max(0, Math.min(ask.units, ask.limit));
  return {
    subject: ask.subject,
    span: ask.window,
    starts_at: ask.startsAt,
    granted: given,
    asked: ask.units,
    given,
    cap: ask.limit,
    refused: ask.refused,
    used: ask.used,
  };
}
