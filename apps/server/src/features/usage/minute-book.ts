import { startOfMinute } from '@nwms/domain';
import type { Bundle } from './bundles.ts';
import { Tally } from './tally.ts';
import { type CounterName, MINUTE, type RollupRow, type UsageRow, type VisitorRow } from './types.ts';
import { VisitorTally } from './visitor-tally.ts';

/** A minute stays open this long after its end; what comes later is written as a part of its own. */
export const LATE_AFTER_MS = 60_000;
const MINUTE_MS = 60_000;

/** Things that are not requests, counted. */
export interface Count {
  at: number;
  name: CounterName;
  count: number;
}

export interface Batch {
  id: string;
  rows: readonly UsageRow[];
  /** The rows by minute, added up. */
  bundles: ReadonlyMap<number, readonly Bundle[]>;
  counts: readonly Count[];
}

/** Roll-ups and visitors that a batch changed, whole: writing them twice changes nothing. */
export interface MinuteChanges {
  rollups: RollupRow[];
  visitors: VisitorRow[];
}

interface Open<T> {
  /** The batch that changed it last. */
  batch: string;
  key: T;
}
interface OpenTally extends Open<{ kind: string; name: string; principal: string }> {
  tally: Tally;
}
interface OpenVisitor extends Open<{ visitor: string; scope: string }> {
  tally: VisitorTally;
}
interface OpenMinute {
  start: number;
  part: string;
  tallies: Map<string, OpenTally>;
  visitors: Map<string, OpenVisitor>;
}

/**
 * The open minutes of this process. Each minute is one part that only this process writes, over and over while it grows; so no stored row
 * is ever read to be changed, and a batch that is written again after a failure has no second effect.
 */
export class MinuteBook {
  readonly #writer: string;
  #generation = 0;
  #open = new Map<number, OpenMinute>();

  /** `writer`: unique to this start of this process. */
  constructor(writer: string) {
    this.#writer = writer;
  }

  /** Counts a batch once, and answers what is to be written. A batch that comes late is written as a part of its own. */
  async apply(batch: Batch, now: number, breathe: () => Promise<void>): Promise<MinuteChanges> {
    const minutes = new Set<OpenMinute>();
    for (const [start, bundles] of batch.bundles) {
      const minute = this.#minute(start, batch.id, now);
      minutes.add(minute);
      for (const bundle of bundles) {
        const { kinds, principal, scopes, visitor } = bundle.traits;
        for (const [kind, name] of kinds) tallyOf(minute, batch.id, { kind, name, principal }).add(bundle);
        for (const scope of scopes) visitorOf(minute, batch.id, { visitor, scope }).add(bundle);
        await breathe();
      }
    }
    for (const { at, name, count } of batch.counts) {
      const minute = this.#minute(startOfMinute(at), batch.id, now);
      minutes.add(minute);
      tallyOf(minute, batch.id, { kind: 'counter', name, principal: 'anonymous' }).requests += count;
    }
    return changesOf(minutes, batch.id, breathe);
  }

  #minute(start: number, batchId: string, now: number): OpenMinute {
    const isLate = start + MINUTE_MS + LATE_AFTER_MS < now;
    const known = this.#open.get(start);
    const part = isLate ? batchId : this.#part();
    if (known?.part === part) return known;
    const opened: OpenMinute = { start, part, tallies: new Map(), visitors: new Map() };
    this.#open.set(start, opened);
    return opened;
  }

  /**
   * What is open holds a batch of which nobody knows whether it is stored: from here on minutes are other parts, so that neither is what
   * was stored overwritten nor counted twice.
   */
  abandon(): void {
    this.#generation += 1;
    this.#open = new Map();
  }

  #part(): string {
    return `${this.#writer}.${this.#generation}`;
  }

  /** Forgets minutes that can no longer grow. Call it when the batch is stored. */
  close(now: number): void {
    for (const [start, minute] of this.#open)
      if (minute.part !== this.#part() || start + MINUTE_MS + LATE_AFTER_MS < now) this.#open.delete(start);
  }
}

function tallyOf({ tallies }: OpenMinute, batch: string, key: OpenTally['key']): Tally {
  const text = `${key.kind} ${key.principal} ${key.name}`;
  let one = tallies.get(text);
  if (!one) tallies.set(text, (one = { batch, key, tally: new Tally(key.kind) }));
  one.batch = batch;
  return one.tally;
}

function visitorOf({ visitors }: OpenMinute, batch: string, key: OpenVisitor['key']): VisitorTally {
  const text = `${key.scope} ${key.visitor}`;
  let one = visitors.get(text);
  if (!one) visitors.set(text, (one = { batch, key, tally: new VisitorTally() }));
  one.batch = batch;
  return one.tally;
}

/** What the batch touched of its minutes, whole. */
async function changesOf(minutes: ReadonlySet<OpenMinute>, batchId: string, breathe: () => Promise<void>): Promise<MinuteChanges> {
  const changes: MinuteChanges = { rollups: [], visitors: [] };
  for (const { start, part, tallies, visitors } of minutes) {
    const at = { size: MINUTE, start, part, rolled: 0 };
    for (const { batch, key, tally } of tallies.values()) {
      if (batch !== batchId) continue;
      changes.rollups.push({ ...at, ...key, ...tally.encoded() });
      await breathe();
    }
    for (const { batch, key, tally } of visitors.values()) {
      if (batch !== batchId) continue;
      changes.visitors.push({ ...at, ...key, ...tally.encoded() });
      await breathe();
    }
  }
  return changes;
}
