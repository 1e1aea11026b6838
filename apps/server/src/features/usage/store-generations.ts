import { randomBytes } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Part } from '../../platform/db/types.ts';

/**
 * Which state of the stored rows an answer was made from. `running`: roll-ups of hours that no day has yet; `settled`: everything bigger or older. Every transaction
 * that changes such rows puts another number there, so an equal one, read in the same statement as other rows, says that nothing of them changed, whichever process wrote.
 */
export interface Generations {
  settled: number;
  running: number;
}

const NAMES = { settled: 'generation_settled', running: 'generation_running' } as const;
const NUMBER_BYTES = 6;

/**
 * Says that rows changed; `settled` includes those of running hours. The last statement of its transaction: whoever holds this row waits for no other, so no two
 * transactions wait for each other in a circle. The number is drawn: one that counts up would come again where a database goes back to an older copy of itself.
 */
export async function noteChange(database: Database, transaction: Part, what: keyof Generations): Promise<void> {
  const number = randomBytes(NUMBER_BYTES).readUIntBE(0, NUMBER_BYTES);
  await sql`insert into ${sql.raw(database.table('usage', 'usage_marks'))} (name, value) values (${NAMES[what]}, ${number})
    on conflict (name) do update set value = excluded.value`.execute(transaction);
}

/** The marks that hold them, as rows of a statement that has others too. */
export const generationRows = (database: Database): RawBuilder<unknown> =>
  sql`${sql.raw(database.table('usage', 'usage_marks'))} where name in (${sql.join(Object.values(NAMES))})`;

/** What such rows say; the number of a mark that is not there yet is 0. */
export function generationsOf(marks: readonly { name: string; value: number }[]): Generations {
  const of = (name: string) => Number(marks.find((mark) => mark.name === name)?.value ?? 0);
  return { settled: of(NAMES.settled), running: of(NAMES.running) };
}
