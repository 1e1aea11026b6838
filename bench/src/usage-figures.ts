import { DAY_MS, startOfDay } from '@nwms/domain';
import { noteChange } from '@nwms/server/features/usage/store-generations';
import { type BenchContext, type Benchmark, type Figure, figure, median, percentile } from './harness.ts';
import { createUsageAsk } from './usage-ask.ts';
import { type FilledUsage, openFilledUsage, USAGE_DAYS } from './usage-databases.ts';
import { USAGE_QUESTIONS } from './usage-questions.ts';

/** Times of one question, milliseconds. */
interface Times {
  /** Of a tenth of the requests, and of all: as dashboards ask, again and again. */
  few: number[];
  many: number[];
  /** Asked for the first time, when nothing of it is kept. */
  fewFirst: number[];
  manyFirst: number[];
  /** The first time after a roll-up of minutes, which comes every ten of them. */
  manyRolled: number[];
  sql: number[];
}
/** A question that takes the yardstick minutes is not asked it again and again. */
const SQL_MOST_MS = 40_000;

/** What is asked for the first time is asked again so much later: then as many minutes are open as are on average. */
const BETWEEN_MS = 60_000;

/** One record, asked by a process that keeps what it can. */
function createAsker({ database, now }: FilledUsage, operation: string) {
  const question = { days_back: USAGE_DAYS };
  let at = now;
  let ask = createUsageAsk(database, () => at);
  return {
    first() {
      at = now - BETWEEN_MS;
      ask = createUsageAsk(database, () => at);
      return ask(operation, question);
    },
    again() {
      at = now;
      return ask(operation, question);
    },
    rolled: () => database.usage.transaction().execute((transaction) => noteChange(database, transaction, 'running')),
  };
}

/** Asks both records and the yardstick in turn, so that drift of the machine hits all. */
async function measure(context: BenchContext, operation: string, { few, many }: { few: FilledUsage; many: FilledUsage }): Promise<Times> {
  const [rounds, asks] = context.quick ? [1, 5] : [3, 7];
  const times: Times = { few: [], many: [], fewFirst: [], manyFirst: [], manyRolled: [], sql: [] };
  const timed = async (into: number[], run: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await run();
    into.push(performance.now() - startedAt);
  };
  const [ofFew, ofMany] = [createAsker(few, operation), createAsker(many, operation)];
  const from = startOfDay(many.now) - (USAGE_DAYS - 1) * DAY_MS;
  const plain = async () => {
    for (const statement of USAGE_QUESTIONS[operation] ?? []) await many.client.query(statement, [from]);
  };
  // The databases are warm before anything is measured.
  for (const { first } of [ofFew, ofMany]) await first();
  for (let round = 0; round < rounds; round += 1) {
    for (let n = 0; n < asks; n += 1) {
      await timed(times.fewFirst, ofFew.first);
      await timed(times.manyFirst, ofMany.first);
      await timed(times.few, ofFew.again);
      await timed(times.many, ofMany.again);
      await ofMany.rolled();
      await timed(times.manyRolled, ofMany.again);
    }
    if (times.sql.reduce((sum, ms) => sum + ms, 0) < SQL_MOST_MS) await timed(times.sql, plain);
  }
  return times;
}

/** What is told of one question: as dashboards ask it, and beside it the first time. */
function figuresOf(operation: string, millions: number, times: Times): Figure[] {
  const sql = percentile(times.sql, 0.95);
  const faster = (what: string, of: readonly number[], target: Figure['target']) => {
    const ours = percentile(of, 0.95);
    const note = 'p95; ratio: times faster than SQL over raw rows';
    return figure({
      name: `P9 ${operation}, 90 days of ${millions} M${what}`,
      unit: 'ms',
      ours,
      yardstick: sql,
      ratio: sql / ours,
      target,
      note,
    });
  };
  const growth = (what: string, many: readonly number[], few: readonly number[], target: Figure['target']) =>
    figure({
      name: `P9 ${operation}, against a tenth of the requests${what}`,
      unit: 'ms',
      ours: median(many),
      yardstick: median(few),
      target,
      note: 'medians',
    });
  return [
    faster('', times.many, { sign: '>=', ratio: 20 }),
    faster(', first time', times.manyFirst, null),
    faster(', after a roll-up', times.manyRolled, null),
    growth('', times.many, times.few, { sign: '<=', ratio: 1.5 }),
    growth(', first time', times.manyFirst, times.fewFirst, null),
  ];
}

async function run(context: BenchContext): Promise<Figure[]> {
  // NWMS_BENCH_REQUESTS: where there is no time or room for ten million. NWMS_BENCH_KEEP: filled once, read again and again.
  const most = Number(process.env['NWMS_BENCH_REQUESTS'] ?? (context.quick ? 200_000 : 10_000_000));
  const keep = process.env['NWMS_BENCH_KEEP'];
  const few = await openFilledUsage(most / 10, keep, context.log);
  try {
    const many = await openFilledUsage(most, keep, context.log);
    try {
      const figures: Figure[] = [];
      for (const operation of Object.keys(USAGE_QUESTIONS)) {
        const times = await measure(context, operation, { few, many });
        figures.push(...figuresOf(operation, most / 1e6, times));
        const [again, first, rolled, plain] = [times.many, times.manyFirst, times.manyRolled, times.sql].map((of) =>
          percentile(of, 0.95).toFixed(1),
        );
        context.log(`${operation}: ${again} ms, first ${first} ms, after a roll-up ${rolled} ms, SQL ${plain} ms`);
      }
      return figures;
    } finally {
      await many.close();
    }
  } finally {
    await few.close();
  }
}

export const usageFigures: Benchmark = {
  name: 'P9',
  what: 'usage figures over 90 days against the same questions as SQL over raw rows (PostgreSQL)',
  run,
};
