import type { Clock } from '../../platform/clock.ts';
import type { SharedFilter } from './audience.ts';
import { cursorText } from './cursor.ts';
import { encode, type Encoding } from './frames.ts';
import type { FreshnessNow, LiveBoard } from './types.ts';

/** LV14: rows and bytes of one part. */
const PART_ROWS = 100;
const PART_BYTES = 256 * 1024;
/** Ready snapshots are shared by all who ask within this: alerts move by the clock, and freshness ages. */
const SHARE_MS = 1_000;
const SNAPSHOTS_KEPT = 8;

export interface ReadySnapshot {
  seq: number;
  parts: readonly Buffer[];
}

export interface SnapshotDeps {
  board: LiveBoard;
  clock: Clock;
  epoch: () => string;
  freshness: FreshnessNow;
}

/** LV14 snapshots as ready frames, made once for everyone who asks the same within a second. */
export class Snapshots {
  readonly #deps: SnapshotDeps;
  readonly #kept = new Map<string, ReadySnapshot & { madeAtMs: number }>();

  constructor(deps: SnapshotDeps) {
    this.#deps = deps;
  }

  /** Current to `atLeast` or later, provided the board is. */
  of(filter: SharedFilter | null, encoding: Encoding, atLeast: number): ReadySnapshot {
    const key = `${encoding} ${filter?.key ?? ''}`;
    const kept = this.#kept.get(key);
    const nowMs = this.#deps.clock.monotonicMs();
    if (kept && kept.seq >= atLeast && nowMs - kept.madeAtMs < SHARE_MS) return kept;
    const { seq, alerts } = this.#deps.board.snapshot(filter?.matches ?? null);
    const made = { seq, parts: this.#encode(seq, alerts, encoding), madeAtMs: nowMs };
    this.#kept.delete(key);
    this.#kept.set(key, made);
    if (this.#kept.size > SNAPSHOTS_KEPT) {
      const oldest = this.#kept.keys().next().value;
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return made;
  }

  #encode(seq: number, alerts: readonly string[], encoding: Encoding): Buffer[] {
    const cursor = cursorText(this.#deps.epoch(), seq);
    const freshness = JSON.stringify(this.#deps.freshness());
    const groups = partsOf(alerts);
    return groups.map((rows, index) => {
      const head = { type: 'snapshot', part: index + 1, parts: groups.length, cursor, total: alerts.length };
      const json = `${JSON.stringify(head).slice(0, -1)},"alerts":[${rows.join(',')}],"freshness":${freshness}}`;
      // Only who has the last part has the whole (LV23).
      return encode(encoding, { type: 'snapshot', id: index + 1 === groups.length ? cursor : null, json });
    });
  }
}

/** An empty snapshot is one part without rows. */
function partsOf(alerts: readonly string[]): string[][] {
  const parts: string[][] = [[]];
  let bytes = 0;
  for (const alert of alerts) {
    const size = Buffer.byteLength(alert) + 1;
    const part = parts.at(-1) as string[];
    if (part.length > 0 && (part.length >= PART_ROWS || bytes + size > PART_BYTES)) {
      parts.push([alert]);
      bytes = size;
    } else {
      part.push(alert);
      bytes += size;
    }
  }
  return parts;
}
