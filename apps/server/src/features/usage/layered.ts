import type { Kept } from './kept.ts';
import { type Layer, OPEN, RUNNING, SETTLED } from './segments.ts';
import type { Generations } from './store-generations.ts';

/** A question whose answer is added up from rows of layers, the lowest first. */
export interface LayeredQuestion<Row extends { layer: Layer }, State> {
  /** All that decides which rows there are and what becomes of them. */
  key: string;
  /** Rows of this layer and those above it, and the state they are of: all of one moment. */
  read(lowest: Layer): Promise<{ rows: readonly Row[]; generations: Generations }>;
  /** What comes of a state with further rows. The one given stays as it was; the new one may share with it. */
  add(base: State | null, rows: readonly Row[]): Promise<State>;
  /** Memory that both take together. */
  bytesOf(settled: State, running: State): number;
}

interface Entry<State> {
  /** When the settled state was read. */
  readAtMs: number;
  generations: Generations;
  settled: State;
  /** The settled one with running hours. */
  running: State;
}

/** However a record was changed (by hand, by a process of a version before), nothing is told longer than this after it changed. */
const TRUSTED_MS = 3_600_000;

/**
 * Adds up what is asked, and keeps what came of all but the open minutes. It is used again for as long as the record says that no other row changed: every read has the
 * state of the record with it, in one statement, so an answer is never made of rows of two moments. At most three reads: the record may change between them.
 */
export async function askInLayers<Row extends { layer: Layer }, State>(kept: Kept, question: LayeredQuestion<Row, State>): Promise<State> {
  const known = kept.get(question.key) as Entry<State> | undefined;
  if (known && kept.nowMs() - known.readAtMs < TRUSTED_MS) {
    const open = await question.read(OPEN);
    if (isSame(open.generations, known.generations)) return question.add(known.running, open.rows);
    if (open.generations.settled === known.generations.settled) {
      const above = await question.read(RUNNING);
      if (above.generations.settled === known.generations.settled) return keep(kept, question, known, above);
    }
  }
  const readAtMs = kept.nowMs();
  const all = await question.read(SETTLED);
  const settled = await question.add(
    null,
    all.rows.filter(({ layer }) => layer === SETTLED),
  );
  return keep(kept, question, { settled, readAtMs }, all);
}

async function keep<Row extends { layer: Layer }, State>(
  kept: Kept,
  question: LayeredQuestion<Row, State>,
  { settled, readAtMs }: Pick<Entry<State>, 'settled' | 'readAtMs'>,
  { rows, generations }: { rows: readonly Row[]; generations: Generations },
): Promise<State> {
  const of = (wanted: Layer) => rows.filter(({ layer }) => layer === wanted);
  const running = await question.add(settled, of(RUNNING));
  const entry: Entry<State> = { readAtMs, generations, settled, running };
  kept.put(question.key, entry, question.bytesOf(settled, running));
  return question.add(running, of(OPEN));
}

const isSame = (a: Generations, b: Generations) => a.settled === b.settled && a.running === b.running;
