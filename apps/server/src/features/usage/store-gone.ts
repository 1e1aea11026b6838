import type { Instant } from '@nwms/domain';
import { sql } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import type { Batch, MinuteChanges } from './minute-book.ts';
import { renameFigures } from './store-figures.ts';
import { noteChange } from './store-generations.ts';
import type { Traits } from './types.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type Tables = {
  gone_accounts: { user_id: string; name: string | null; at: number };
  account_totals: { user_id: string };
};

/** Accounts that are gone, and the names that lead nowhere under which their requests are counted. */
type Gone = ReadonlyMap<string, string>;

/** The row that batches with accounts share and a removal has to itself: a batch either knows of it, or is stored before it renames. */
const lockGone = (database: Database, transaction: Part, clause: string) =>
  sql`select value from ${sql.raw(database.table('usage', 'usage_marks'))} where name = 'gone'${sql.raw(clause)}`.execute(transaction);

const drawnName = () => `gone_${randomBase32()}`;

/** Which accounts of a batch are gone. Asked in its transaction, before anything of it is written: what is not gone now is renamed with the batch. */
export async function goneOf(database: Database, transaction: Part, { bundles }: Pick<Batch, 'bundles'>): Promise<Gone> {
  const ids = new Set<string>();
  for (const minute of bundles.values()) for (const { traits } of minute) if (traits.userId !== null) ids.add(traits.userId);
  if (ids.size === 0) return new Map();
  const { shareRow } = database.engine;
  // Two statements: the second sees what the first one waited for.
  if (shareRow !== '') await lockGone(database, transaction, shareRow);
  const rows = await transaction
    .withTables<Tables>()
    .selectFrom('gone_accounts')
    .select(['user_id', 'name'])
    .where('user_id', 'in', [...ids])
    .execute();
  return new Map(rows.map((row) => [row.user_id, row.name ?? drawnName()]));
}

/** Takes away what links removed accounts to their rows. What comes later still counts, each batch as a visitor of its own. */
export async function forgetNames(database: Database, before: Instant): Promise<void> {
  try {
    await database.usage
      .withTables<Tables>()
      .updateTable('gone_accounts')
      .set({ name: null })
      .where('at', '<', before)
      .where('name', 'is not', null)
      .execute();
  } catch (error) {
    throw databaseFault(error);
  }
}

/** A batch and its roll-ups without the accounts that are gone. The same name each time: a minute that grows stays one row. */
export function withoutGone(
  batch: Pick<Batch, 'id' | 'rows' | 'bundles'>,
  visitors: MinuteChanges['visitors'],
  gone: Gone,
): Pick<Batch, 'id' | 'rows' | 'bundles'> & Pick<MinuteChanges, 'visitors'> {
  const { id, rows, bundles } = batch;
  if (gone.size === 0) return { id, rows, bundles, visitors };
  const renamed = new Map<Traits, Traits>();
  const traitsOf = (traits: Traits): Traits => {
    const name = traits.userId === null ? undefined : gone.get(traits.userId);
    if (name === undefined) return traits;
    let known = renamed.get(traits);
    if (!known) renamed.set(traits, (known = { ...traits, userId: null, keyId: null, visitor: name, visitorNext: name }));
    return known;
  };
  return {
    id,
    rows: rows.map((row) => ({ ...row, traits: traitsOf(row.traits) })),
    bundles: new Map([...bundles].map(([at, minute]) => [at, minute.map((bundle) => ({ ...bundle, traits: traitsOf(bundle.traits) }))])),
    visitors: visitors.map((row) => {
      const name = row.user_id === null ? undefined : gone.get(row.user_id);
      return name === undefined ? row : { ...row, user_id: null, visitor: name, visitor_next: name };
    }),
  };
}

/** Holds up other roll-ups and deletions until this transaction ends: what one reads and writes again later, no other changes between. */
export async function oneAtATime(database: Database, transaction: Part): Promise<void> {
  const marks = sql.raw(database.table('usage', 'usage_marks'));
  await sql`select value from ${marks} where name = 'compaction'${sql.raw(database.engine.lockRow)}`.execute(transaction);
}

/** Rows of an account get a name that leads nowhere, those that are still on their way to the database too; what they counted stays counted. */
export async function unlink(database: Database, userId: string, at: number): Promise<void> {
  const table = (name: string) => sql.raw(database.table('usage', name));
  await database.usage.transaction().execute(async (transaction) => {
    await database.engine.allowLongWrites(transaction);
    // A roll-up that has read the name would write it again; a batch that is being written knows of no removal.
    await oneAtATime(database, transaction);
    await lockGone(database, transaction, database.engine.lockRow);
    const list = transaction.withTables<Tables>();
    await list
      .insertInto('gone_accounts')
      .values({ user_id: userId, name: drawnName(), at })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ name: sql<string>`coalesce(gone_accounts.name, excluded.name)`, at }),
      )
      .execute();
    const { name } = await list.selectFrom('gone_accounts').select('name').where('user_id', '=', userId).executeTakeFirstOrThrow();
    if (name === null) throw new Error('a removed account has no name');
    await renameFigures(database, transaction, userId, name);
    await sql`update ${table('requests')} set user_id = null, key_id = null, visitor = ${name}, visitor_next = ${name} where user_id = ${userId}`.execute(
      transaction,
    );
    await sql`update ${table('visitors')} set user_id = null, visitor = ${name}, visitor_next = ${name} where visitor = ${userId}`.execute(
      transaction,
    );
    await sql`delete from ${table('account_totals')} where user_id = ${userId}`.execute(transaction);
    await noteChange(database, transaction, 'settled');
  });
}

/** Accounts that rows name, some at a time: every row that names one was counted for it. */
export async function* namedAccounts(database: Database, atOnce: number): AsyncGenerator<string[]> {
  let after = '';
  for (;;) {
    const rows = await database.reads.usage
      .withTables<Tables>()
      .selectFrom('account_totals')
      .select('user_id')
      .distinct()
      .where('user_id', '>', after)
      .orderBy('user_id')
      .limit(atOnce)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map((row) => row.user_id);
    after = last.user_id;
  }
}
