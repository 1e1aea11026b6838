import { sql, type RawBuilder } from 'kysely';
import type { Database, Part } from '../../platform/db/types.ts';

/**
 * Which state of the stored rows an answer was made from. `running`: roll-ups of hours that no day has yet; `settled`: everything bigger or older. Every transaction that changes such
 * rows counts up in it, so an equal number, read in the same statement as other rows, says that nothing of them changed, whichever process wrote.
 */
export interface Generations {
  settled: number;
  running: number;
}
export const NO_GENERATION: Generations = { settled: 0, running: 0 };

const NAMES = { settled: 'generation_settled', running: 'generation_running' } as const;

/**
 * Says that rows changed; `settled` includes those of running hours. The last statement of its transaction: whoever holds this row waits for no other, so no two
 * transactions wait for each other in a circle.
 */
export async function countUp(database: Database, transaction: Part, what: keyof Generations): Promise<void> {
  await sql`insert into ${sql.raw(database.table('usage', 'usage_marks'))} (name, value) values (${NAMES[what]}, 1)
    on conflict (name) do update set value = usage_marks.value + 1`.execute(transaction);
}

/** The marks that hold them, as rows of a statement that has others too. */
export const generationRows = (database: Database): RawBuilder<unknown> =>
  sql`${sql.raw(database.table('usage', 'usage_marks'))} where name in (${sql.join(Object.values(NAMES))})`;

/** What such rows say; the number of a mark that is not there yet is 0. */
export function generationsOf(marks: readonly { name: string; value: number }[]): Generations {
  const of = (name: string) => Number(marks.find((mark) => mark.name === name)?.value ?? 0);
  return { settled: of(NAMES.settled), running: of(NAMES.running) };
}
