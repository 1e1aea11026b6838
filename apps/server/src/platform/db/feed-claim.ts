import type { Part } from './types.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type AppTables = {
  meta: { key: string; value: string };
};

/** Real, simulated and replayed alerts never share a database: the first feed that uses it owns it. */
export async function claimFeed(app: Part, feed: string): Promise<void> {
  const db = app.withTables<AppTables>();
  await db
    .insertInto('meta')
    .values({ key: 'feed', value: feed })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const owner = await db.selectFrom('meta').select('value').where('key', '=', 'feed').executeTakeFirstOrThrow();
  if (owner.value === feed) return;
  throw new Error(
    `This database holds alerts of the feed "${owner.value}" and can't be used for "${feed}". Give this feed its own database (DATABASE_URL) or folder (DATA_DIR).`,
  );
}

/** When the simulated or replayed world of this database began: kept with its alerts, so that a restart and every process see the same storms. */
export async function keptStart(app: Part, now: number): Promise<number> {
  const db = app.withTables<AppTables>();
  await db
    .insertInto('meta')
    .values({ key: 'world_started_at', value: String(now) })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute();
  const kept = await db.selectFrom('meta').select('value').where('key', '=', 'world_started_at').executeTakeFirstOrThrow();
  return Number(kept.value);
}
