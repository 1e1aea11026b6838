import { randomBytes } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Database, Part } from '../../platform/db/types.ts';
import { DAY, HOUR, MINUTE } from './types.ts';

/**
 * Which state of the stored rows an answer was made from. `running`: roll-ups of hours that no day has yet; `settled`: everything bigger or older. Every transaction
 * that changes such rows puts another number there, so an equal one, read in the same statement as other rows, says that nothing of them changed, whichever process wrote.
 */
export interface Generations {
  settled: string;
  running: string;
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

/** Sizes whose oldest row that no bigger size has yet belongs to a state. */
const OLDEST = [
  ['minutes', MINUTE],
  ['hours', HOUR],
  ['days', DAY],
] as const;

/**
 * What tells the state, as names and values of a statement that has other rows too. Beside the numbers: where the oldest rows are that no bigger size has, so that roll-ups of a
 * process of a version before, which notes nothing, are seen as well while processes are replaced.
 */
export function generationRows(database: Database): RawBuilder<unknown> {
  const [marks, rollups] = ['usage_marks', 'rollups'].map((name) => sql.raw(database.table('usage', name)));
  const oldest = OLDEST.map(
    ([name, size]) =>
      sql` union all select ${sql.lit(name)}, coalesce(min(start), -1) from ${rollups} where rolled = 0 and size = ${sql.lit(size)}`,
  );
  return sql`(select name, value from ${marks} where name in (${sql.join(Object.values(NAMES))})${sql.join(oldest, sql``)}) state`;
}

/** What such rows say; a mark that is not there yet says nothing. */
export function generationsOf(rows: readonly { name: string; value: number }[]): Generations {
  const of = (names: readonly string[]) => names.map((name) => rows.find((row) => row.name === name)?.value ?? '').join(' ');
  return { settled: of([NAMES.settled, 'hours', 'days']), running: of([NAMES.running, 'minutes']) };
}
