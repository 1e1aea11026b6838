import { Migrator, type Migration } from 'kysely/migration';
import type { Engine, Part } from './types.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type MigrationTables = { kysely_migration: { name: string } };

/** Brings one part to the newest schema: numbered steps in order, each once, never backwards. */
export async function migratePart(
  db: Part,
  steps: Record<string, Migration>,
  { schema, engine }: { schema: string | null; engine: Engine },
): Promise<void> {
  if (Object.keys(steps).length === 0) return;
  const inSchema = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      {
        async up(connection) {
          // A step over months of rows may take longer than any answer.
          await engine.allowLongWrites(connection as Part);
          await step.up(schema === null ? connection : connection.withSchema(schema));
        },
      },
    ]),
  );
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => inSchema },
    ...(schema === null ? {} : { migrationTableSchema: schema }),
  });
  const { error, results } = await migrator.migrateToLatest();
  if (error === undefined) return;
  const failed = results?.find((result) => result.status === 'Error')?.migrationName ?? 'unknown step';
  throw new Error(`The database could not be brought to the newest schema (${failed}).`, { cause: error });
}

/** For a process beside a running server, which alone may change the schema. */
export async function assertMigrated(db: Part, steps: Record<string, Migration>): Promise<void> {
  const rows = await db.withTables<MigrationTables>().selectFrom('kysely_migration').select('name').execute();
  const done = new Set(rows.map((row) => row.name));
  const isSame = done.size === Object.keys(steps).length && Object.keys(steps).every((name) => done.has(name));
  if (!isSame) throw new Error('The server that is running on this data is of another version. Use the same version, or stop it first.');
}
