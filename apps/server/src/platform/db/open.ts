import { Kysely } from 'kysely';
import { faultable } from './faultable.ts';
import { assertMigrated, migratePart } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { PARTS, type Database, type DatabaseConfig, type DatabaseOptions, type EngineParts, type Part, type PartName } from './types.ts';

/**
 * Opens the three parts and brings them to the newest schema. Throws when the place is in use by another process, when the
 * server would not keep acknowledged data (B4), or when a migration fails.
 */
export async function openDatabase(config: DatabaseConfig, options: DatabaseOptions): Promise<Database> {
  const parts =
    config.kind === 'sqlite' ? openSqlite(config.dir, options.beside ?? false) : await openPostgres(config.url, config.usageUrl);
  const { around } = options;
  try {
    for (const part of PARTS) {
      const plain = new Kysely<object>({ dialect: parts.dialects[part] }) as Part;
      const steps = options.migrations[part];
      await (parts.isAlone
        ? migratePart(plain, steps, { schema: parts.schemaOf(part), engine: parts.engine })
        : assertMigrated(plain, steps));
    }
    if (options.beside) parts.share();
  } catch (error) {
    await parts.close();
    throw error;
  }
  const build = (dialects: EngineParts['dialects']) =>
    mapParts((part) => {
      const dialect = around ? faultable(dialects[part], around) : dialects[part];
      const db = new Kysely<object>({ dialect }) as Part;
      const schema = parts.schemaOf(part);
      return schema === null ? db : db.withSchema(schema);
    });
  return {
    ...build(parts.dialects),
    reads: build(parts.readDialects),
    engine: parts.engine,
    isShared: !parts.isAlone,
    table: (part, name) => {
      const schema = parts.schemaOf(part);
      return schema === null ? `"${name}"` : `"${schema}"."${name}"`;
    },
    close: () => parts.close(),
  };
}

function mapParts<T>(make: (part: PartName) => T): Record<PartName, T> {
  return Object.fromEntries(PARTS.map((part) => [part, make(part)])) as Record<PartName, T>;
}
