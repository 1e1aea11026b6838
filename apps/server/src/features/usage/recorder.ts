import { AppError } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { randomBase32 } from '../../platform/http/request-id.ts';
import type { Log } from '../../platform/log.ts';
import { bundlesOf } from './bundles.ts';
import { MinuteBook, type Batch, type Count } from './minute-book.ts';
import type { UsageWriter } from './store-write.ts';
import { createTurns } from './turns.ts';
import type { CounterName, FinishedRequest, UsageRow } from './types.ts';

/** A batch is written this long after its first request at the latest. */
const FLUSH_MS = 800;
/** Requests per batch; a fuller buffer is written at once. */
const BATCH_ROWS = 4_000;
/** Requests kept while they cannot be written (a minute at 800 a second); further ones are dropped and counted. */
const MAX_WAITING = 50_000;
/** The wait after a failed write, doubled up to the second. */
const RETRY_FIRST_MS = 250;
const RETRY_CAP_MS = 5_000;
/** A batch the database refuses for what it says, not for how it is: given up after so many tries, so that the rest is not lost with it. */
const REFUSED_TRIES = 3;
const HOUR_MS = 3_600_000;
/** Looking at the clock after each would cost more than the row does. */
const ROWS_PER_BREATH = 128;

export interface RecorderDeps {
  clock: Clock;
  log: Log;
  writer: UsageWriter;
  identify(request: FinishedRequest): UsageRow | Promise<UsageRow>;
  /** Told of every batch, before it is written: figures of this minute come from memory. */
  seen(batch: Batch): void;
  limits?: { maxWaiting?: number };
}

/** Requests on their way to the database: a bounded buffer, batches of at most a second, drops that are counted. */
export interface Recorder {
  /** Begins the parts of everything this start of the process wrote. */
  readonly name: string;
  /** Costs one push. Never waits, never throws. */
  record(request: FinishedRequest): void;
  count(name: CounterName, count: number): void;
  /** Lost since the start, and in the last 60 minutes. */
  losses(): { total: number; lastHour: number };
  waiting(): number;
  /** Everything recorded so far is stored, or could not be: then it rejects. */
  flush(): Promise<void>;
  /** The last batches are written, once; nothing is recorded any more. */
  stop(): Promise<void>;
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { clock, log, writer } = deps;
  const maxWaiting = deps.limits?.maxWaiting ?? MAX_WAITING;
  const name = randomBase32(12);
  const book = new MinuteBook(name);
  const breathe = createTurns(clock);
  let waiting: FinishedRequest[] = [];
  let counts = new Map<CounterName, number>();
  let stuck: { batch: Batch; tries: number } | null = null;
  let batches = 0;
  /** Requests taken in, and those of them that are stored or lost. */
  let taken = 0;
  let settled = 0;
  let lost: { at: number; count: number }[] = [];
  let lostInAll = 0;
  let failures = 0;
  let timer: { cancel(): void } | null = null;
  let turn: Promise<void> = Promise.resolve();
  let stopped = false;

  const lose = (count: number) => {
    lostInAll += count;
    const last = lost.at(-1);
    // One entry a second at most, an hour of them at most.
    if (last && clock.monotonicMs() - last.at < 1_000) last.count += count;
    else lost.push({ at: clock.monotonicMs(), count });
  };
  const schedule = (delayMs: number) => {
    if (stopped || timer) return;
    const cancel = clock.after(delayMs, () => {
      timer = null;
      // A failure is told and tried again where it happens.
      void next().catch(() => {});
    });
    timer = { cancel };
  };
  const takeBatch = async (): Promise<Batch | null> => {
    const requests = waiting.slice(0, BATCH_ROWS);
    const counted = counts;
    if (requests.length === 0 && counted.size === 0) return null;
    waiting = waiting.slice(BATCH_ROWS);
    counts = new Map();
    const rows: UsageRow[] = [];
    for (const [n, request] of requests.entries()) {
      const row = deps.identify(request);
      rows.push(row instanceof Promise ? await row : row);
      if (n % ROWS_PER_BREATH === ROWS_PER_BREATH - 1) await breathe();
    }
    batches += 1;
    const at = clock.now();
    const batch: Batch = {
      id: `${name}-${batches}`,
      rows,
      bundles: await bundlesOf(rows, breathe),
      counts: [...counted].map(([counter, count]): Count => ({ at, name: counter, count })),
    };
    deps.seen(batch);
    return batch;
  };
  /** Writes one batch, the one that failed before first and under its old name. Answers its rows; null: there is nothing. */
  const writeOne = async (): Promise<number | null> => {
    const current = stuck ?? { batch: await takeBatch(), tries: 0 };
    if (!current.batch) return null;
    const { batch } = current;
    const tries = current.tries + 1;
    stuck = { batch, tries };
    try {
      const changes = await book.apply(batch, clock.now(), breathe);
      if ((await writer.write(batch, changes, clock.now())) === 'known') book.abandon();
      else book.close(clock.now());
      stuck = null;
      settled += batch.rows.length;
      failures = 0;
      return batch.rows.length;
    } catch (error) {
      book.abandon();
      failures += 1;
      if (!(error instanceof AppError) && tries >= REFUSED_TRIES) {
        log.error({ err: error, rows: batch.rows.length }, 'A batch of usage records was given up');
        lose(batch.rows.length);
        settled += batch.rows.length;
        stuck = null;
      }
      throw error;
    }
  };
  const unschedule = () => {
    timer?.cancel();
    timer = null;
  };
  /** Writes what is there now, one round at a time; what comes meanwhile waits for its own, or every request would be a batch. */
  const round = async (before: Promise<void>) => {
    await before;
    let left = taken - settled;
    try {
      for (;;) {
        const written = await writeOne();
        left -= written ?? 0;
        if (written === null || left <= 0) break;
      }
      if (waiting.length > 0) schedule(waiting.length >= BATCH_ROWS ? 0 : FLUSH_MS);
    } catch (error) {
      if (failures === 1) log.warn({ err: error }, 'Usage records wait: they cannot be written now');
      schedule(Math.min(RETRY_CAP_MS, RETRY_FIRST_MS * 2 ** Math.min(10, failures - 1)));
      throw error;
    }
  };
  const next = (): Promise<void> => {
    const run = round(turn);
    turn = run.catch(() => {});
    return run;
  };

  return {
    name,
    record(request) {
      if (stopped || waiting.length >= maxWaiting) return lose(1);
      waiting.push(request);
      taken += 1;
      if (waiting.length === BATCH_ROWS && failures === 0) {
        unschedule();
        schedule(0);
      } else schedule(FLUSH_MS);
    },
    count(counter, count) {
      counts.set(counter, (counts.get(counter) ?? 0) + count);
      schedule(FLUSH_MS);
    },
    losses() {
      lost = lost.filter(({ at }) => clock.monotonicMs() - at < HOUR_MS);
      return { total: lostInAll, lastHour: lost.reduce((sum, { count }) => sum + count, 0) };
    },
    waiting: () => waiting.length + (stuck?.batch.rows.length ?? 0),
    flush: next,
    async stop() {
      unschedule();
      // One more failure is told by the count of what is lost with the process.
      await next().catch((error: unknown) => {
        log.error({ err: error, rows: waiting.length + (stuck?.batch.rows.length ?? 0) }, 'Usage records are lost with this process');
      });
      stopped = true;
      unschedule();
    },
  };
}
