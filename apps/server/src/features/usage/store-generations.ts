import { randomBytes } from 'node:crypto';
import type { Instant } from '@nwms/domain';
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
  /** The minutes that no hour has yet, oldest first. */
  minutes: readonly MinuteState[];
}

/** What one minute says of itself. While no roll-up takes it, its parts only grow and only come, so an equal sum says that nothing of it changed. */
export interface MinuteState {
  start: Instant;
  written: number;
}

const NAMES = { settled: 'generation_settled', running: 'generation_running' } as const;
const NUMBER_BYTES = 6;

/**
 * Says that rows changed; `settled` includes those of running hours. The last statement of its transaction: whoever holds this row waits for no other, so no two
 * transactions wait for each other in a circle. The number is drawn: one that counts up would come again where a database goes back to an older copy of itself.
 */
export async function noteChange(database: Database, transaction: Part, what: keyof typeof NAMES): Promise<void> {
  const number = randomBytes(NUMBER_BYTES).readUIntBE(0, NUMBER_BYTES);
  await sql`insert into ${sql.raw(database.table('usage', 'usage_marks'))} (name, value) values (${NAMES[what]}, ${number})
    on conflict (name) do update set value = excluded.value`.execute(transaction);
}

/** Bigger sizes whose oldest row that no bigger size has yet belongs to a state. */
const OLDEST = [
  ['hours', HOUR],
  ['days', DAY],
] as const;
/** Begins the names of rows that tell of minutes. */
const MINUTE_NAME = 'minute ';

/**
 * What tells the state, as names and values of a statement that has other rows too. Beside the numbers: where the oldest rows are that no bigger size has, so that roll-ups of a
 * process of a version before, which notes nothing, are seen as well while processes are replaced. And how much was written to each minute: one row per caller and process
 * counts all requests of it, and one per name other things.
 */
export function generationRows(database: Database): RawBuilder<unknown> {
  const [marks, rollups] = ['usage_marks', 'rollups'].map((name) => sql.raw(database.table('usage', name)));
  const oldest = OLDEST.map(
    ([name, size]) =>
      sql` union all select ${sql.lit(name)}, coalesce(min(start), -1) from ${rollups} where rolled = 0 and size = ${sql.lit(size)}`,
  );
  // Every row of open minutes is some hundred times as many as those of these two kinds: `+ 0` keeps the index of open rows out of it.
  const minutes = sql`select ${MINUTE_NAME} || start, cast(sum(requests + 1) as bigint) from ${rollups} where kind in ('all', 'counter') and size = ${sql.lit(MINUTE)}
    and start >= (select min(start) from ${rollups} where rolled = 0 and size = ${sql.lit(MINUTE)}) and rolled + 0 = 0 group by start`;
  return sql`(select name, value from ${marks} where name in (${sql.join(Object.values(NAMES))})${sql.join(oldest, sql``)} union all ${minutes}) state`;
}

/** What such rows say; a mark that is not there yet says nothing. */
export function generationsOf(rows: readonly { name: string; value: number }[]): Generations {
  const of = (names: readonly string[]) => names.map((name) => rows.find((row) => row.name === name)?.value ?? '').join(' ');
  const minutes = rows
    .filter(({ name }) => name.startsWith(MINUTE_NAME))
    .map(({ name, value }): MinuteState => ({ start: Number(name.slice(MINUTE_NAME.length)), written: value }))
    .sort((a, b) => a.start - b.start);
  return { settled: of([NAMES.settled, 'hours', 'days']), running: `${of([NAMES.running])} ${minutes[0]?.start ?? ''}`, minutes };
}

/** What all minutes before this one say of themselves. */
export const minutesBefore = ({ minutes }: Generations, start: Instant): string =>
  minutes.flatMap((minute) => (minute.start < start ? [`${minute.start} ${minute.written}`] : [])).join(',');
