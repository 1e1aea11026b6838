import { CompiledQuery } from 'kysely';
import type { Engine, Part } from './types.ts';

/**
 * For writing what can be made again: on SQLite a commit no longer waits for the disk, which is most of what small transactions cost. A
 * killed process loses nothing, a power cut the newest commits; the file stays whole (WAL with synchronous=NORMAL). Holds until the
 * database is closed. PostgreSQL keeps its own setting: it belongs to the server.
 */
export async function forgoDiskWaits(part: Part, engine: Engine): Promise<void> {
  if (engine.kind === 'sqlite') await part.executeQuery(CompiledQuery.raw('PRAGMA synchronous = NORMAL'));
}
