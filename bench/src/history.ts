import { type BenchContext, type Benchmark, type Figure, figure, percentile } from './harness.ts';
import type { Copies } from './history-copies.ts';
import { type HistoryOptions, openHistory } from './history-databases.ts';
import { type Ask, askProduct, askSql, KINDS, type Kind, questions } from './history-questions.ts';
import { simulatedDay } from './seed-history.ts';

/** Times of one question, milliseconds: ours on both engines, and plain SQL. */
type Times = Record<'postgres' | 'sqlite' | 'sql', number>;

async function measure(context: BenchContext, options: HistoryOptions): Promise<Map<Kind, Times>> {
  const { onServer, embedded, client, span, close } = await openHistory(context, options);
  try {
    const asked = await questions(client, span, context.quick ? 41 : 101);
    return await timed(context, asked, { postgres: askProduct(onServer), sqlite: askProduct(embedded), sql: askSql(client) });
  } finally {
    await close();
  }
}

type Questions = Awaited<ReturnType<typeof questions>>;

/** The same rows. Of a timeline ours leaves out what was known but had not begun: the domain's rule, which the statement does not have. */
function isAnswer(kind: Kind, plain: readonly string[], ours: readonly string[]): boolean {
  if (!kind.startsWith('timeline') && kind !== 'the same day again') return plain.join() === ours.join();
  const all = new Set(plain);
  return ours.length > 0 === plain.length > 0 && ours.every((id) => all.has(id));
}

/** Every question to each in turn, so that drift of the machine hits all alike. Their answers must be the same. */
async function timed(context: BenchContext, asked: Questions, by: Record<keyof Times, Ask>): Promise<Map<Kind, Times>> {
  const result = new Map<Kind, Times>();
  for (const kind of KINDS) {
    const spent: Record<keyof Times, number[]> = { postgres: [], sqlite: [], sql: [] };
    let found = 0;
    for (const [n, question] of asked[kind].entries()) {
      const answers: string[][] = [];
      for (const who of ['sql', 'postgres', 'sqlite'] as const) {
        const begunAt = performance.now();
        const ids = await by[who](kind, question);
        // The first one of each pays for connections and plans.
        if (n > 0) spent[who].push(performance.now() - begunAt);
        found += ids.length;
        answers.push(ids.sort());
      }
      const [plain = [], onServer = [], embedded = []] = answers;
      if (!isAnswer(kind, plain, onServer) || onServer.join() !== embedded.join())
        throw new Error(`${kind}: other rows than plain SQL for ${JSON.stringify(question)}`);
    }
    context.log(`${kind}: ${Math.round(found / 3 / asked[kind].length)} rows in the mean`);
    const p95 = (values: number[]) => percentile(values, 0.95);
    result.set(kind, { postgres: p95(spent.postgres), sqlite: p95(spent.sqlite), sql: p95(spent.sql) });
  }
  return result;
}

async function run(context: BenchContext): Promise<Figure[]> {
  const most = context.quick ? 100_000 : 1_000_000;
  const keep = process.env['NWMS_BENCH_KEEP_DIR'] ?? null;
  let day: Promise<Copies> | undefined;
  const copies = async () => {
    day ??= simulatedDay();
    context.log(`a simulated day has ${(await day).messages} messages`);
    return day;
  };
  const few = await measure(context, { count: most / 10, keep, copies });
  const many = await measure(context, { count: most, keep, copies });
  return [...many].flatMap(([kind, { postgres, sqlite, sql }]) => {
    const before = few.get(kind);
    const shared = { unit: 'ms', note: 'p95' };
    return [
      figure({ name: `P10 ${kind}, PostgreSQL`, ours: postgres, yardstick: sql, target: { sign: '<=', ratio: 1.5 }, ...shared }),
      figure({ name: `P10 ${kind}, embedded`, ours: sqlite, yardstick: sql, target: { sign: '<=', ratio: 3 }, ...shared }),
      figure({
        ...shared,
        name: `P10 ${kind}, 10 × the history`,
        ours: postgres,
        yardstick: before?.postgres ?? Number.NaN,
        target: null,
        note: `PostgreSQL, against a tenth; embedded ${(sqlite / (before?.sqlite ?? Number.NaN)).toFixed(2)}, SQL ${(sql / (before?.sql ?? Number.NaN)).toFixed(2)}`,
      }),
    ];
  });
}

export const history: Benchmark = {
  name: 'P10',
  what: 'questions about three years of history against plain SQL with ideal indexes in PostgreSQL',
  run,
};
