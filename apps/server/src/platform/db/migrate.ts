import { Migrator, type Migration } from 'kysely/migration';
import type { Part } from './types.ts';

/** Brings one part to the newest schema: numbered steps in order, each once, never backwards. */
export async function migratePart(db: Part, steps: Record<string, Migration>, schema: string | null): Promise<void> {
  if (Object.keys(steps).length === 0) return;
  const inSchema = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [
      name,
      { up: (connection) => step.up(schema === null ? connection : connection.withSchema(schema)) },
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
