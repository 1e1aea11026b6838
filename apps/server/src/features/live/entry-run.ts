import type { LogEntry } from '../alerts/types.ts';
import { maskOf, type Audience, type SharedFilter } from './audience.ts';
import { type ParsedAlerts, passes, type PreviousEntries } from './before.ts';
import { encode, entryMessage, type Encoding } from './frames.ts';

/** Encodings kept per run; with more distinct audiences than this the rest are made again for each reader. */
const AUDIENCES_KEPT = 64;

/** What a run needs to know to turn entries into bytes. */
export interface RunContext {
  epoch: () => string;
  parsed: ParsedAlerts;
  previous: PreviousEntries;
}

/** The bytes of one audience: all its messages of the run in one buffer, and where each entry's bytes end. */
interface Encoded {
  bytes: Buffer;
  ends: Float64Array;
  /** How many of the entries up to and with each are for the audience. */
  counts: Uint32Array;
}

export interface Slice {
  /** Null when none of these entries is for the audience. */
  bytes: Buffer | null;
  /** Entries in `bytes`. */
  count: number;
  /** The reader has everything up to here once `bytes` are sent. */
  through: number;
}

/** Consecutive log entries with the bytes made of them: each message is encoded once per encoding, each filter asked once per entry. */
export class EntryRun {
  readonly entries: readonly LogEntry[];
  readonly first: number;
  readonly last: number;
  readonly #context: RunContext;
  readonly #frames: Record<Encoding, (Buffer | undefined)[]> = { ws: [], sse: [] };
  readonly #filters = new Map<SharedFilter, (boolean | undefined)[]>();
  readonly #encoded = new Map<Audience, Encoded>();

  /** `entries`: at least one, without holes, ascending. */
  constructor(entries: readonly LogEntry[], context: RunContext) {
    this.entries = entries;
    this.first = entries[0]?.seq ?? 0;
    this.last = entries.at(-1)?.seq ?? 0;
    this.#context = context;
  }

  /** What follows `after`, up to `upTo`, for an audience: at most `maxBytes` of it, but never less than one message. */
  slice(after: number, upTo: number, audience: Audience, maxBytes = Infinity): Slice {
    const from = Math.max(0, after - this.first + 1);
    const end = Math.min(this.entries.length, upTo - this.first + 1);
    if (from >= end) return { bytes: null, count: 0, through: after };
    const { bytes, ends, counts } = this.#encodedFor(audience);
    const start = from === 0 ? 0 : (ends[from - 1] ?? 0);
    let to = end;
    if ((ends[end - 1] ?? 0) - start > maxBytes) {
      to = from + 1;
      while ((ends[to - 1] ?? 0) === start) to += 1;
      while (to < end && (ends[to] ?? 0) - start <= maxBytes) to += 1;
    }
    const stop = ends[to - 1] ?? 0;
    const whole = start === 0 && stop === bytes.length;
    const count = (counts[to - 1] ?? 0) - (from === 0 ? 0 : (counts[from - 1] ?? 0));
    return { bytes: stop === start ? null : whole ? bytes : bytes.subarray(start, stop), count, through: this.first + to - 1 };
  }

  #encodedFor(audience: Audience): Encoded {
    const kept = this.#encoded.get(audience);
    if (kept) return kept;
    const frames: Buffer[] = [];
    const ends = new Float64Array(this.entries.length);
    const counts = new Uint32Array(this.entries.length);
    let total = 0;
    this.entries.forEach((entry, index) => {
      if (this.#isFor(entry, index, audience)) {
        const frame = this.#frame(entry, index, audience.encoding);
        frames.push(frame);
        total += frame.length;
      }
      ends[index] = total;
      counts[index] = frames.length;
    });
    const bytes = frames.length === 1 ? (frames[0] as Buffer) : Buffer.concat(frames, total);
    const encoded = { bytes, ends, counts };
    if (this.#encoded.size < AUDIENCES_KEPT) this.#encoded.set(audience, encoded);
    return encoded;
  }

  #isFor(entry: LogEntry, index: number, { mask, filter }: Audience): boolean {
    if (!entry.countable || !(mask & maskOf(entry.channels))) return false;
    if (!filter) return true;
    let results = this.#filters.get(filter);
    if (!results) this.#filters.set(filter, (results = []));
    return (results[index] ??= passes(entry, filter, this.#context.parsed, this.#context.previous));
  }

  #frame(entry: LogEntry, index: number, encoding: Encoding): Buffer {
    return (this.#frames[encoding][index] ??= encode(encoding, entryMessage(entry, this.#context.epoch())));
  }
}
