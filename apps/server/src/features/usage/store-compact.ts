import { DAY_MS, HOUR_MS, startOfDay, startOfHour } from '@nwms/domain';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database, Part } from '../../platform/db/types.ts';
import { putRollups, putVisitors } from './store-write.ts';
import { Tally } from './tally.ts';
import { createTurns } from './turns.ts';
import { DAY, HOUR, MINUTE, type RollupRow, type VisitorRow } from './types.ts';
import { VisitorTally } from './visitor-tally.ts';

type Tables = { rollups: RollupRow; visitors: VisitorRow; usage_marks: { name: string; value: number } };

/** An hour is put together this long after its end: late batches are then rare, and each is still added later. */
const SETTLED_AFTER_MS = 5 * 60_000;
/** Visitors by hour are needed for the last 24 hours only. */
const VISITOR_HOURS_KEPT_MS = 3 * DAY_MS;

/** One step from a size to the next. `span`: of the bigger one. */
interface Step {
  from: typeof MINUTE | typeof HOUR;
  to: typeof HOUR | typeof DAY;
  spanMs: number;
  startOf(at: number): number;
}
const STEPS: readonly Step[] = [
  { from: MINUTE, to: HOUR, spanMs: HOUR_MS, startOf: startOfHour },
  { from: HOUR, to: DAY, spanMs: DAY_MS, startOf: startOfDay },
];

/**
 * Minutes become hours, hours become days: the oldest open stretch at a time, each in one transaction that also marks what went in. A
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
      await sql`select value from ${sql.raw(database.table('usage', 'usage_marks'))} where name = 'compaction'${sql.raw(database.engine.lockRow)}`.execute(
        transaction,
      );
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
      if (step.from === HOUR && (await hasOpenMinutes(transaction, from, from + step.spanMs))) return false;
      await database.engine.allowLongWrites(transaction);
      await rollUp(database, transaction, step, from, breathe);
      await rollVisitors(database, transaction, step, from, breathe);
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

async function hasOpenMinutes(transaction: Part, from: number, to: number): Promise<boolean> {
  const row = await transaction
    .withTables<Tables>()
    .selectFrom('rollups')
    .select('start')
    .where('rolled', '=', 0)
    .where('size', '=', MINUTE)
    .where('start', '>=', from)
    .where('start', '<', to)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function rollUp(database: Database, transaction: Part, step: Step, from: number, breathe: () => Promise<void>): Promise<void> {
  const db = transaction.withTables<Tables>();
  const to = from + step.spanMs;
  const open = await db
    .selectFrom('rollups')
    .selectAll()
    .where('rolled', '=', 0)
    .where('size', '=', step.from)
    .where('start', '>=', from)
    .where('start', '<', to)
    .execute();
  const before = await db.selectFrom('rollups').selectAll().where('size', '=', step.to).where('start', '=', from).execute();
  const merged = new Map<string, { row: Pick<RollupRow, 'kind' | 'name' | 'principal'>; tally: Tally }>();
  const takeUp = async (row: RollupRow) => {
    const key = `${row.kind} ${row.principal} ${row.name}`;
    let entry = merged.get(key);
    if (!entry) merged.set(key, (entry = { row, tally: new Tally(row.kind) }));
    entry.tally.merge(row);
    await breathe();
  };
  for (const row of open) await takeUp(row);
  const late = [...merged.values()].map(({ row, tally }) => ({ row, encoded: tally.encoded() }));
  for (const row of before) await takeUp(row);
  const wasRolled = before.some((row) => row.rolled === 1);
  await putRollups(
    database,
    transaction,
    [...merged.values()].map(({ row: { kind, name, principal }, tally }) => ({
      size: step.to,
      start: from,
      part: '',
      // An hour whose day is made stays part of it: the day takes the late rows up below.
      rolled: step.to === HOUR && wasRolled ? 1 : 0,
      kind,
      name,
      principal,
      ...tally.encoded(),
    })),
    breathe,
  );
  if (step.to === HOUR && wasRolled) await addToDay(database, transaction, from, late, breathe);
  await markRolled(transaction, 'rollups', step, from, to, new Set(open.map((row) => row.part)));
}

/** Late rows of an hour whose day was already made. */
async function addToDay(
  database: Database,
  transaction: Part,
  hour: number,
  late: readonly { row: Pick<RollupRow, 'kind' | 'name' | 'principal'>; encoded: ReturnType<Tally['encoded']> }[],
  breathe: () => Promise<void>,
): Promise<void> {
  const start = startOfDay(hour);
  const days = await transaction
    .withTables<Tables>()
    .selectFrom('rollups')
    .selectAll()
    .where('size', '=', DAY)
    .where('start', '=', start)
    .execute();
  const rows = late.map(({ row: { kind, name, principal }, encoded }) => {
    const tally = new Tally(kind);
    tally.merge(encoded);
    const known = days.find((day) => day.kind === kind && day.name === name && day.principal === principal);
    if (known) tally.merge(known);
    return { size: DAY, start, part: '', rolled: 0, kind, name, principal, ...tally.encoded() };
  });
  await putRollups(database, transaction, rows, breathe);
}

async function rollVisitors(database: Database, transaction: Part, step: Step, from: number, breathe: () => Promise<void>): Promise<void> {
  const db = transaction.withTables<Tables>();
  const to = from + step.spanMs;
  const open = await db
    .selectFrom('visitors')
    .selectAll()
    .where('rolled', '=', 0)
    .where('size', '=', step.from)
    .where('start', '>=', from)
    .where('start', '<', to)
    .execute();
  await putVisitors(database, transaction, await mergedVisitors(transaction, open, step.to, from, breathe), breathe);
  const dayMade =
    step.to === HOUR &&
    (await db.selectFrom('rollups').select('start').where('size', '=', DAY).where('start', '=', startOfDay(from)).limit(1).execute())
      .length > 0;
  if (dayMade) {
    await putVisitors(database, transaction, await mergedVisitors(transaction, open, DAY, startOfDay(from), breathe), breathe);
    await db.updateTable('visitors').set({ rolled: 1 }).where('size', '=', HOUR).where('start', '=', from).execute();
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
    .where('rolled', '=', 0)
    .where('size', '=', step.from)
    .where('start', '>=', from)
    .where('start', '<', to)
    .where('part', 'in', [...parts])
    .execute();
}
