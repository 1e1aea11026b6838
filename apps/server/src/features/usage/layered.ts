import { type Instant, MINUTE_MS, startOfMinute } from '@nwms/domain';
import type { BoundedCache } from '../../platform/bounded-cache.ts';
import { CLOSED, type Layer, OPEN, type Reach, RUNNING, SETTLED } from './segments.ts';
import { type Generations, minutesBefore } from './store-generations.ts';

/** What came of questions, while it is of use. */
export interface Kept extends Pick<BoundedCache<unknown>, 'get' | 'put'> {
  /** Now, of a clock that only goes forward. */
  nowMs(): number;
}

/** A question whose answer is added up from rows of layers, the lowest first. */
export interface LayeredQuestion<Row extends { layer: Layer }, State> {
  /** All that decides which rows there are and what becomes of them. */
  key: string;
  now: Instant;
  /** Rows within reach, and the state they are of: all of one moment. */
  read(reach: Reach): Promise<{ rows: readonly Row[]; generations: Generations }>;
  /** What comes of a state with further rows. The one given stays as it was; the new one may share with it. */
  add(base: State | null, rows: readonly Row[]): Promise<State>;
  /** Memory that all take together. */
  bytesOf(states: readonly State[]): number;
}

/** What came of rows up to a layer. */
interface States<State> {
  settled: State;
  /** The settled one with running hours. */
  running: State;
  /** The running one with closed minutes. */
  closed: State;
}

interface Entry<State> extends States<State> {
  /** When the settled state was read. */
  readAtMs: number;
  generations: Generations;
  /** Minutes before this one are closed. */
  closedTo: Instant;
}

/** However a record was changed (by hand, by a process of a version before), nothing is told longer than this after it changed. */
const TRUSTED_MS = 3_600_000;
/** A minute counts as closed so long after its end: batches are written within a second. What comes later is seen, and costs one more read. */
const CLOSED_AFTER_MS = MINUTE_MS;
/** So many more minutes are taken up at a time: each time costs what all names in memory cost. */
const TAKEN_UP_MS = 2 * MINUTE_MS;

/**
 * Adds up what is asked, and keeps what came of all but the last minutes. It is used again for as long as the record says that no other row changed: every read has the
 * state of the record with it, in one statement, so an answer is never made of rows of two moments. At most four reads: the record may change between them.
 */
export async function askInLayers<Row extends { layer: Layer }, State>(kept: Kept, question: LayeredQuestion<Row, State>): Promise<State> {
  const entry = kept.get(question.key) as Entry<State> | undefined;
  const known = entry && kept.nowMs() - entry.readAtMs < TRUSTED_MS ? entry : null;
  const closedTo = startOfMinute(question.now) - CLOSED_AFTER_MS;
  let lowest: Layer = known ? OPEN : SETTLED;
  for (;;) {
    const reach = reachOf(known, lowest, closedTo);
    const readAtMs = kept.nowMs();
    const { rows, generations } = await question.read(reach);
    const changed = known ? lowestChanged(known, generations) : SETTLED;
    if (changed < lowest) {
      lowest = changed;
      continue;
    }
    const of = (wanted: Layer) => rows.filter(({ layer }) => layer === wanted);
    if (known && lowest === OPEN && reach.closedFrom === reach.closedTo) return question.add(known.closed, of(OPEN));
    const states = await statesOf(question, known, lowest, of);
    const next = { ...states, generations, closedTo: reach.closedTo, readAtMs: lowest === SETTLED || !known ? readAtMs : known.readAtMs };
    kept.put(question.key, next, question.bytesOf([states.settled, states.running, states.closed]));
    return question.add(states.closed, of(OPEN));
  }
}

/** What is to be read where everything below a layer is known. */
function reachOf(known: Entry<unknown> | null, lowest: Layer, closedTo: Instant): Reach {
  if (!known || lowest !== OPEN) return { lowest, closedFrom: 0, closedTo };
  const closedFrom = known.closedTo;
  return closedTo - closedFrom < TAKEN_UP_MS ? { lowest, closedFrom, closedTo: closedFrom } : { lowest: CLOSED, closedFrom, closedTo };
}

/** The lowest layer of which something is not known any more. */
function lowestChanged({ generations: known, closedTo }: Entry<unknown>, now: Generations): Layer {
  if (now.settled !== known.settled) return SETTLED;
  if (now.running !== known.running) return RUNNING;
  return minutesBefore(now, closedTo) === minutesBefore(known, closedTo) ? OPEN : CLOSED;
}

/** What is known up to a layer, with rows of it and of those above. */
async function statesOf<Row, State>(
  { add }: { add(base: State | null, rows: readonly Row[]): Promise<State> },
  known: States<State> | null,
  lowest: Layer,
  of: (layer: Layer) => readonly Row[],
): Promise<States<State>> {
  const settled = known && lowest > SETTLED ? known.settled : await add(null, of(SETTLED));
  const running = known && lowest > RUNNING ? known.running : await add(settled, of(RUNNING));
  const closed = await add(known && lowest > CLOSED ? known.closed : running, of(CLOSED));
  return { settled, running, closed };
}
