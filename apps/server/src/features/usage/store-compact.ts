import { DAY_MS, MINUTE_MS, startOfDay, startOfHour, startOfTenDays } from '@nwms/domain';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import { noteChange } from './store-generations.ts';
import { oneAtATime } from './store-gone.ts';
import { putRollups, putVisitors } from './store-write.ts';
import { Tally } from './tally.ts';
import { createTurns } from './turns.ts';
import { DAY, HOUR, MINUTE, TEN_DAYS, type RollupRow, type VisitorRow } from './types.ts';
import { VisitorTally } from './visitor-tally.ts';

type Tables = { rollups: RollupRow; visitors: VisitorRow; usage_marks: { name: string; value: number } };

/** A stretch is put together this long after its end: late batches are then rare, and each is still added later. */
export const SETTLED_AFTER_MS = 5 * MINUTE_MS;
/** Minutes go into the running hour so many at a time: every answer reads those that are in none. */
const MINUTES_SPAN_MS = 10 * MINUTE_MS;
const startOfMinutes = (at: number) => Math.floor(at / MINUTES_SPAN_MS) * MINUTES_SPAN_MS;
/** What is older is in an hour, as soon as the job has run. */
export const inHoursBefore = (now: number) => startOfMinutes(now - SETTLED_AFTER_MS);
/** Visitors by hour are needed for the last 24 hours only. */
const VISITOR_HOURS_KEPT_MS = 3 * DAY_MS;

/** One step from a size to the next: what is taken up at a time, and where it goes. */
interface Step {
  from: typeof MINUTE | typeof HOUR | typeof DAY;
  to: typeof HOUR | typeof DAY | typeof TEN_DAYS;
  spanMs: number;
  startOf(at: number): number;
  goesTo(start: number): number;
}
const same = (start: number) => start;
const STEPS: readonly Step[] = [
  { from: MINUTE, to: HOUR, spanMs: MINUTES_SPAN_MS, startOf: startOfMinutes, goesTo: startOfHour },
  { from: HOUR, to: DAY, spanMs: DAY_MS, startOf: startOfDay, goesTo: same },
  // Each day as soon as it is whole: ten days at once would be a long transaction, and the running ten days are asked for, too.
  { from: DAY, to: TEN_DAYS, spanMs: DAY_MS, startOf: startOfDay, goesTo: startOfTenDays },
];

/**
 * Minutes become hours, some minutes at a time, hours days, days stretches of ten days (days stay, for windows that begin within ten): the oldest open stretch at a time, each in one transaction that also marks what went in. A
 * stretch that was put together before and got late rows takes them up, and so does the day it is already part of. Of several processes
 * one works at a time.
 */
export function createCompactor(deps: { database: Database; clock: Clock }): { run(signal: AbortSignal): Promise<number> } {
  const { database, clock } = deps;
  const breathe = createTurns(clock);
  const one = async (step: Step): Promise<boolean> => {
    const now = clock.now();
    return database.usage.transaction().execute(async (transaction) => {
      const db = transaction.withTables<Tables>();
      await oneAtATime(database, transaction);
      const { start } = await db
        .selectFrom('rollups')
        .select((e) => e.fn.min<number | null>('start').as('start'))
        .where('rolled', '=', 0)
        .where('size', '=', step.from)
        .executeTakeFirstOrThrow();
      if (start === null) return false;
      const from = step.startOf(Number(start));
      if (from + step.spanMs + SETTLED_AFTER_MS > now) return false;
      // A day is put together when all its hours are.
      if (await hasOpenBelow(transaction, step.from, from, from + step.spanMs)) return false;
      await database.engine.allowLongWrites(transaction);
      const isSettled = await rollUp(database, transaction, step, from, breathe);
      await rollVisitors(database, transaction, step, from, breathe);
      await noteChange(database, transaction, isSettled ? 'settled' : 'running');
      return true;
    });
  };
  return {
    async run(signal) {
      let done = 0;
      try {
        for (const step of STEPS) while (!signal.aborted && (await one(step))) done += 1;
      } catch (error) {
        throw databaseFault(error);
      }
      return done;
    },
  };
}

/** Whether the stretch still has rows of a smaller size than this that are in no bigger one. */
async function hasOpenBelow(transaction: Part, size: number, from: number, to: number): Promise<boolean> {
  if (size === MINUTE) return false;
  const row = await transaction
    .withTables<Tables>()
    .selectFrom('rollups')
    .select('start')
    .where('rolled', '=', 0)
    .where('size', 'in', [MINUTE, HOUR, DAY].slice(0, size))
    .where('start', '>=', from)
    .where('start', '<', to)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Rows of a size that are in no bigger one yet. Written out, as the index of these rows is found by it. */
const isOpen = (size: Step['from']) => sql<boolean>`rolled = 0 and size = ${sql.lit(size)} and size < ${sql.lit(TEN_DAYS)}`;

/** What the bigger size does not have yet. */
async function openRows<T extends 'rollups' | 'visitors'>(
  transaction: Part,
  table: T,
  step: Step,
  { from, to }: { from: number; to: number },
): Promise<Tables[T][]> {
  const rows = await transaction
    .withTables<Tables>()
    // The two have the columns that are asked for in common.
    .selectFrom(table as 'rollups')
    .selectAll()
    .where(isOpen(step.from))
    .where('start', '>=', from)
    .where('start', '<', to)
    .execute();
  return rows as Tables[T][];
}

/** Answers whether more than an hour of a running day changed. */
async function rollUp(database: Database, transaction: Part, step: Step, from: number, breathe: () => Promise<void>): Promise<boolean> {
  const db = transaction.withTables<Tables>();
  const to = from + step.spanMs;
  const start = step.goesTo(from);
  const open = await openRows(transaction, 'rollups', step, { from, to });
  const before = await db.selectFrom('rollups').selectAll().where('size', '=', step.to).where('start', '=', start).execute();
  const merged = new Map<string, Merged>();
  const takeUp = async (row: RollupRow) => {
    const key = keyOf(row);
    let entry = merged.get(key);
    if (!entry) merged.set(key, (entry = { row, tally: new Tally(row.kind) }));
    entry.tally.merge(row);
    await breathe();
  };
  for (const row of open) await takeUp(row);
  const late = [...merged.values()].map(({ row, tally }) => ({ row, encoded: tally.encoded() }));
  for (const row of before) await takeUp(row);
  const wasRolled = before.some((row) => row.rolled === 1);
  // What is part of the next size already stays so: that takes the late rows up below.
  await putMerged(database, transaction, { size: step.to, start, rolled: wasRolled ? 1 : 0 }, [...merged.values()], breathe);
  if (wasRolled) await addLate(database, transaction, step, start, late, breathe);
  await markRolled(transaction, 'rollups', step, from, to, new Set(open.map((row) => row.part)));
  return step.from !== MINUTE || wasRolled;
}

interface Merged {
  row: Pick<RollupRow, 'kind' | 'name' | 'principal'>;
  tally: Tally;
}
const keyOf = ({ kind, name, principal }: Merged['row']) => `${kind} ${principal} ${name}`;

function putMerged(
  database: Database,
  transaction: Part,
  at: { size: number; start: number; rolled: number },
  merged: readonly Merged[],
  breathe: () => Promise<void>,
): Promise<void> {
  const rows = merged.map(({ row: { kind, name, principal }, tally }) => ({ ...at, part: '', kind, name, principal, ...tally.encoded() }));
  return putRollups(database, transaction, rows, breathe);
}

/** Late rows of a stretch that was part of the next size already: that takes them up, and so does every one after it that has that. */
async function addLate(
  database: Database,
  transaction: Part,
  step: Step,
  from: number,
  late: readonly { row: Merged['row']; encoded: ReturnType<Tally['encoded']> }[],
  breathe: () => Promise<void>,
): Promise<void> {
  let start = from;
  for (const next of STEPS.slice(STEPS.indexOf(step) + 1)) {
    start = next.goesTo(next.startOf(start));
    const rows = await transaction
      .withTables<Tables>()
      .selectFrom('rollups')
      .selectAll()
      .where('size', '=', next.to)
      .where('start', '=', start)
      .execute();
    const known = new Map(rows.map((row) => [keyOf(row), row]));
    const merged = late.map(({ row, encoded }): Merged => {
      const tally = new Tally(row.kind);
      tally.merge(encoded);
      const before = known.get(keyOf(row));
      if (before) tally.merge(before);
      return { row, tally };
    });
    const isRolled = rows.some((row) => row.rolled === 1);
    await putMerged(database, transaction, { size: next.to, start, rolled: isRolled ? 1 : 0 }, merged, breathe);
    if (!isRolled) return;
  }
}

async function rollVisitors(database: Database, transaction: Part, step: Step, from: number, breathe: () => Promise<void>): Promise<void> {
  const db = transaction.withTables<Tables>();
  const to = from + step.spanMs;
  const open = await openRows(transaction, 'visitors', step, { from, to });
  let start = step.goesTo(from);
  await putVisitors(database, transaction, await mergedVisitors(transaction, open, step.to, start, breathe), breathe);
  // Late rows of a stretch that bigger ones have already: each takes them up.
  let size: number = step.to;
  for (const next of STEPS.slice(STEPS.indexOf(step) + 1)) {
    const bigger = next.goesTo(next.startOf(start));
    if (!(await isPartOf(transaction, size, start))) break;
    await putVisitors(database, transaction, await mergedVisitors(transaction, open, next.to, bigger, breathe), breathe);
    await db.updateTable('visitors').set({ rolled: 1 }).where('size', '=', size).where('start', '=', start).execute();
    [size, start] = [next.to, bigger];
  }
  await markRolled(transaction, 'visitors', step, from, to, new Set(open.map((row) => row.part)));
  // Visitors by minute have no reader once the hour is there.
  await db
    .deleteFrom('visitors')
    .where('size', '=', MINUTE)
    .where('rolled', '=', 1)
    .where('start', '>=', from)
    .where('start', '<', to)
    .execute();
  if (step.to === DAY)
    await db
      .deleteFrom('visitors')
      .where('size', '=', HOUR)
      .where('rolled', '=', 1)
      .where('start', '<', from - VISITOR_HOURS_KEPT_MS)
      .execute();
}

/** Whether roll-ups of a stretch are part of the next size. */
async function isPartOf(transaction: Part, size: number, start: number): Promise<boolean> {
  const row = await transaction
    .withTables<Tables>()
    .selectFrom('rollups')
    .select('start')
    .where('size', '=', size)
    .where('start', '=', start)
    .where('rolled', '=', 1)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The open rows put together with what the bigger stretch has. */
async function mergedVisitors(
  transaction: Part,
  open: readonly VisitorRow[],
  size: number,
  start: number,
  breathe: () => Promise<void>,
): Promise<VisitorRow[]> {
  if (open.length === 0) return [];
  const db = transaction.withTables<Tables>();
  const before = await db.selectFrom('visitors').selectAll().where('size', '=', size).where('start', '=', start).execute();
  const changed = new Set(open.map((row) => `${row.scope} ${row.visitor}`));
  const merged = new Map<string, { row: VisitorRow; tally: VisitorTally }>();
  for (const row of [...before, ...open]) {
    const key = `${row.scope} ${row.visitor}`;
    if (!changed.has(key)) continue;
    let entry = merged.get(key);
    if (!entry) merged.set(key, (entry = { row, tally: new VisitorTally() }));
    entry.tally.merge(row);
    await breathe();
  }
  return [...merged.values()].map(({ row: { visitor, scope }, tally }) => ({
    size,
    start,
    part: '',
    rolled: 0,
    visitor,
    scope,
    ...tally.encoded(),
  }));
}

/** Marks what was read; a part that came meanwhile is not among them. */
async function markRolled(
  transaction: Part,
  table: 'rollups' | 'visitors',
  step: Step,
  from: number,
  to: number,
  parts: ReadonlySet<string>,
): Promise<void> {
  if (parts.size === 0) return;
  await transaction
    .withTables<Tables>()
    .updateTable(table)
    .set({ rolled: 1 })
    .where(isOpen(step.from))
    .where('start', '>=', from)
    .where('start', '<', to)
    .where('part', 'in', [...parts])
    .execute();
}
