import { type ImportedSpan, type Instant, PLACINGS } from '@nwms/domain';
import type { Kysely } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import type { ImportRequest, ImportSummary } from './types.ts';
import { basename } from 'node:path';

type ImportTables = {
  imports: { id: string; kind: string; file_name: string; finished_at: number; summary: string };
  /** `office` is '' for the whole country. */
  import_coverage: { code: string; office: string; from_at: number; to_at: number; areas: string };
};

/** Finished imports, and what they were declared to be complete for. */
export interface ImportStore {
  finish(
    request: Pick<ImportRequest, 'kind' | 'path'>,
    summary: ImportSummary,
    coverage: readonly ImportedSpan[],
    at: Instant,
  ): Promise<void>;
}

export function createImportStore(database: Database): ImportStore {
  return {
    async finish({ kind, path }, summary, coverage, at) {
      try {
        await database.log.transaction().execute(async (tx) => {
          const db = tx.withTables<ImportTables>();
          const row = { id: `imp_${randomBase32()}`, kind, file_name: basename(path), finished_at: at, summary: JSON.stringify(summary) };
          await db.insertInto('imports').values(row).execute();
          for (const span of coverage) await addSpan(db, span);
        });
      } catch (error) {
        throw databaseFault(error);
      }
    },
  };
}

/** Of two declarations for one time the one that places events better says more. */
async function addSpan(db: Kysely<ImportTables>, { code, office, from, to, areas }: ImportedSpan): Promise<void> {
  const key = { code, office: office ?? '', from_at: from, to_at: to };
  await db
    .insertInto('import_coverage')
    .values({ ...key, areas: 'none' })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .updateTable('import_coverage')
    .set({ areas })
    .where((e) => e.and(key))
    .where('areas', 'in', PLACINGS.slice(0, PLACINGS.indexOf(areas) + 1))
    .execute();
}

/** Everything that imports were declared to be complete for. */
export async function readImportedSpans(reads: Part): Promise<ImportedSpan[]> {
  const rows = await reads.withTables<ImportTables>().selectFrom('import_coverage').selectAll().execute();
  return rows.map((row) => ({
    code: row.code,
    office: row.office === '' ? null : row.office,
    from: row.from_at,
    to: row.to_at,
    areas: PLACINGS.find((placing) => placing === row.areas) ?? 'none',
  }));
}
