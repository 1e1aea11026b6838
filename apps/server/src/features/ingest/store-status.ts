import type { Part } from '../../platform/db/types.ts';
import type { IngestStatus, IngestStatusStore } from './types.ts';

type StatusTables = {
  ingest_status: { id: number; term: number; beat: number; status: string };
};

/** There is one ingesting process, so there is one row. */
const ROW = 1;

/** What the ingesting process tells those that follow, on the `log` part. Throws the database's own errors. */
export function createIngestStatusStore(log: Part): IngestStatusStore {
  const db = log.withTables<StatusTables>();
  return {
    async save(term, beat, status) {
      const row = { term, beat, status: JSON.stringify(status) };
      await db
        .insertInto('ingest_status')
        .values({ id: ROW, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row).where('ingest_status.term', '<=', term))
        .execute();
    },
    async read() {
      const row = await db.selectFrom('ingest_status').selectAll().where('id', '=', ROW).executeTakeFirst();
      return row ? { term: row.term, beat: row.beat, status: JSON.parse(row.status) as IngestStatus } : null;
    },
  };
}
