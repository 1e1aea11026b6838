import { DAY_MS, startOfDay } from '@nwms/domain';
import { type BenchContext, type Benchmark, type Figure, figure, median, percentile } from './harness.ts';
import { createUsageAsk } from './usage-ask.ts';
import { type FilledUsage, openFilledUsage, USAGE_DAYS } from './usage-databases.ts';
import { USAGE_QUESTIONS } from './usage-questions.ts';

/** Times of one question, milliseconds. */
interface Times {
  few: number[];
  many: number[];
  sql: number[];
}
/** A question that takes the yardstick minutes is not asked it again and again. */
const SQL_MOST_MS = 40_000;

/** Asks both records and the yardstick in turn, so that drift of the machine hits all. */
async function measure(context: BenchContext, operation: string, { few, many }: { few: FilledUsage; many: FilledUsage }): Promise<Times> {
  const [rounds, asks] = context.quick ? [1, 5] : [3, 7];
  const times: Times = { few: [], many: [], sql: [] };
  const timed = async (into: number[], run: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await run();
    into.push(performance.now() - startedAt);
  };
  const question = { days_back: USAGE_DAYS };
  const [ofFew, ofMany] = [few, many].map(({ database, now }) => {
    const ask = createUsageAsk(database, now);
    return () => ask(operation, question);
  });
  if (!ofFew || !ofMany) throw new Error('two records are compared');
  const from = startOfDay(many.now) - (USAGE_DAYS - 1) * DAY_MS;
  const plain = async () => {
    for (const statement of USAGE_QUESTIONS[operation] ?? []) await many.client.query(statement, [from]);
  };
  // Both warm.
  for (const run of [ofFew, ofMany]) await run();
  for (let round = 0; round < rounds; round += 1) {
    for (let n = 0; n < asks; n += 1) {
      await timed(times.few, ofFew);
      await timed(times.many, ofMany);
    }
    if (times.sql.reduce((sum, ms) => sum + ms, 0) < SQL_MOST_MS) await timed(times.sql, plain);
  }
  return times;
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
        const [ours, sql] = [percentile(times.many, 0.95), percentile(times.sql, 0.95)];
        figures.push(
          figure({
            name: `P9 ${operation}, 90 days of ${most / 1e6} M`,
            unit: 'ms',
            ours,
            yardstick: sql,
            ratio: sql / ours,
            target: { sign: '>=', ratio: 20 },
            note: 'p95; ratio: times faster than SQL over raw rows',
          }),
          figure({
            name: `P9 ${operation}, against a tenth of the requests`,
            unit: 'ms',
            ours: median(times.many),
            yardstick: median(times.few),
            target: { sign: '<=', ratio: 1.5 },
            note: 'medians',
          }),
        );
        context.log(`${operation}: ${Math.round(ours)} ms, SQL ${Math.round(sql)} ms`);
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
