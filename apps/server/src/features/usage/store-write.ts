import { databaseFault } from '../../platform/db/faults.ts';
import { type BulkRow, type BulkTable, insertRows, replaceOnConflict, type SqlValue } from '../../platform/db/bulk.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import type { Batch, MinuteChanges } from './minute-book.ts';
import { addToAccounts } from './store-accounts.ts';
import { putFigures } from './store-figures.ts';
import { goneOf, withoutGone } from './store-gone.ts';
import { COUNTS, type Described, type RollupRow, type Traits, type VisitorRow } from './types.ts';
import { VISITOR_COLUMNS } from './visitor-columns.ts';

type BatchTables = { batches: { id: string; at: number } };

/** What requests have in common, and after it what each has of its own. */
export const TRAIT_COLUMNS = {
  endpoint: 'endpoint',
  method: 'method',
  status: 'status',
  error: 'error',
  principal: 'principal',
  key_id: 'keyId',
  user_id: 'userId',
  visitor: 'visitor',
  visitor_next: 'visitorNext',
  address: 'address',
  address_next: 'addressNext',
  country: 'country',
  region: 'region',
  city: 'city',
  browser: 'browser',
  os: 'os',
  device: 'device',
  agent: 'agent',
  cache: 'cache',
} as const satisfies Record<string, keyof Described>;
export const OWN_COLUMNS = ['id', 'at', 'ms', 'bytes', 'alerts', 'geographic', 'time_filtered', 'cost', 'request_id'];

export const ROLLUP_COLUMNS = [
  'size',
  'start',
  'kind',
  'name',
  'principal',
  'part',
  'rolled',
  ...COUNTS,
  'sketch',
  'addresses',
  'addresses_next',
] as const satisfies (keyof RollupRow)[];
const ROLLUP_KEY = ['size', 'start', 'kind', 'name', 'principal', 'part'];

const VISITOR_KEY = ['size', 'start', 'visitor', 'scope', 'part'];

/** Writes of the `usage` part. Throw `AppError` where the database is away or full. */
export interface UsageWriter {
  /** Rows, roll-ups and visitors of one batch in one transaction. `known`: it was stored before, and nothing was written. */
  write(batch: Batch, changes: MinuteChanges, at: number): Promise<'stored' | 'known'>;
}

export function createUsageWriter(database: Database, pause: () => Promise<void>): UsageWriter {
  return {
    async write(batch, changes, at) {
      try {
        return await database.usage.transaction().execute(async (transaction) => {
          const told = await transaction
            .withTables<BatchTables>()
            .insertInto('batches')
            .values({ id: batch.id, at })
            .onConflict((conflict) => conflict.column('id').doNothing())
            .executeTakeFirst();
          if (Number(told.numInsertedOrUpdatedRows ?? 0) === 0) return 'known';
          const named = withoutGone(batch, changes.visitors, await goneOf(database, transaction, batch));
          await insertRows(transaction, database.engine.kind, requestTable(database), requestValues(named), pause);
          await putRollups(database, transaction, changes.rollups, pause);
          await putVisitors(database, transaction, named.visitors, pause);
          await addToAccounts(transaction, named.bundles);
          return 'stored';
        });
      } catch (error) {
        throw databaseFault(error);
      }
    },
  };
}

const requestTable = (database: Database): BulkTable => ({
  name: database.table('usage', 'requests'),
  columns: [...Object.keys(TRAIT_COLUMNS), ...OWN_COLUMNS],
});

/** Values of rows; those of traits are one list for all rows that have them, which then travels once. */
function requestValues({ id, rows }: Pick<Batch, 'id' | 'rows'>): BulkRow[] {
  const shared = new Map<Traits, SqlValue[]>();
  const traitValues = (traits: Traits) => {
    let values = shared.get(traits);
    if (!values) shared.set(traits, (values = Object.values(TRAIT_COLUMNS).map((member) => traits[member])));
    return values;
  };
  return rows.map(({ traits, at, ms, bytes, alerts, geographic, timeFiltered, cost, requestId }, n) => [
    traitValues(traits),
    `${id}.${n}`,
    at,
    ms,
    bytes,
    alerts,
    Number(geographic),
    Number(timeFiltered),
    cost,
    requestId,
  ]);
}

/** Writes roll-ups over whatever is there under the same keys, in one fixed order. */
export async function putRollups(
  database: Database,
  transaction: Part,
  rows: readonly RollupRow[],
  pause: () => Promise<void>,
): Promise<void> {
  const table = {
    name: database.table('usage', 'rollups'),
    columns: ROLLUP_COLUMNS,
    suffix: replaceOnConflict(ROLLUP_KEY, ROLLUP_COLUMNS),
  };
  await insertRows(
    transaction,
    database.engine.kind,
    table,
    rows.map((row) => ROLLUP_COLUMNS.map((name) => row[name])),
    pause,
  );
}

export async function putVisitors(
  database: Database,
  transaction: Part,
  rows: readonly VisitorRow[],
  pause: () => Promise<void>,
): Promise<void> {
  const table = {
    name: database.table('usage', 'visitors'),
    columns: VISITOR_COLUMNS,
    suffix: replaceOnConflict(VISITOR_KEY, VISITOR_COLUMNS),
  };
  await insertRows(
    transaction,
    database.engine.kind,
    table,
    rows.map((row) => VISITOR_COLUMNS.map((name) => row[name])),
    pause,
  );
  await putFigures(database, transaction, rows, pause);
}
