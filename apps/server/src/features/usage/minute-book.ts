import { startOfMinute } from '@nwms/domain';
import { cityName, endpointName, kindsOf, Tally } from './tally.ts';
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
  counts: readonly Count[];
}

/** Roll-ups and visitors that a batch changed, whole: writing them twice changes nothing. */
export interface MinuteChanges {
  rollups: RollupRow[];
  visitors: VisitorRow[];
}

interface OpenMinute {
  start: number;
  part: string;
  tallies: Map<string, { kind: string; name: string; principal: string; tally: Tally }>;
  visitors: Map<string, { visitor: string; scope: string; tally: VisitorTally }>;
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
  apply(batch: Batch, now: number, breathe: () => Promise<void>): Promise<MinuteChanges> {
    const touched = { rollups: new Set<string>(), visitors: new Set<string>() };
    const minuteOf = (at: number): OpenMinute => {
      const start = startOfMinute(at);
      const isLate = start + MINUTE_MS + LATE_AFTER_MS < now;
      const known = this.#open.get(start);
      const part = isLate ? batch.id : this.#part();
      if (known?.part === part) return known;
      const opened: OpenMinute = { start, part, tallies: new Map(), visitors: new Map() };
      this.#open.set(start, opened);
      return opened;
    };
    return this.#fill(batch, minuteOf, touched, breathe);
  }

  async #fill(
    batch: Batch,
    minuteOf: (at: number) => OpenMinute,
    touched: { rollups: Set<string>; visitors: Set<string> },
    breathe: () => Promise<void>,
  ): Promise<MinuteChanges> {
    const minutes = new Set<OpenMinute>();
    for (const row of batch.rows) {
      const minute = minuteOf(row.at);
      minutes.add(minute);
      for (const [kind, name] of kindsOf(row)) this.#tally(minute, kind, name, row.principal, touched.rollups).add(row);
      addVisitor(minute, row, touched.visitors);
      await breathe();
    }
    for (const { at, name, count } of batch.counts) {
      const minute = minuteOf(at);
      minutes.add(minute);
      this.#tally(minute, 'counter', name, 'anonymous', touched.rollups).requests += count;
    }
    return changesOf(minutes, touched, breathe);
  }

  #tally(minute: OpenMinute, kind: string, name: string, principal: string, touched: Set<string>): Tally {
    const key = `${minute.start} ${kind} ${principal} ${name}`;
    touched.add(key);
    const known = minute.tallies.get(key);
    if (known) return known.tally;
    const tally = new Tally(kind);
    minute.tallies.set(key, { kind, name, principal, tally });
    return tally;
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

function addVisitor(minute: OpenMinute, row: UsageRow, touched: Set<string>): void {
  const names = { endpoint: endpointName(row.method, row.endpoint), place: cityName(row) };
  // An account is asked for as a whole and by kind of caller; nobody has one kind only.
  const scopes = row.principal === 'anonymous' ? ['anonymous'] : ['all', row.principal];
  for (const scope of scopes) {
    const key = `${minute.start} ${scope} ${row.visitor}`;
    touched.add(key);
    let known = minute.visitors.get(key);
    if (!known) minute.visitors.set(key, (known = { visitor: row.visitor, scope, tally: new VisitorTally() }));
    known.tally.add(row, names);
  }
}

async function changesOf(
  minutes: ReadonlySet<OpenMinute>,
  touched: { rollups: ReadonlySet<string>; visitors: ReadonlySet<string> },
  breathe: () => Promise<void>,
): Promise<MinuteChanges> {
  const changes: MinuteChanges = { rollups: [], visitors: [] };
  for (const { start, part, tallies, visitors } of minutes) {
    const at = { size: MINUTE, start, part, rolled: 0 };
    for (const [key, { kind, name, principal, tally }] of tallies) {
      if (touched.rollups.has(key)) changes.rollups.push({ ...at, kind, name, principal, ...tally.encoded() });
      await breathe();
    }
    for (const [key, { visitor, scope, tally }] of visitors) {
      if (touched.visitors.has(key)) changes.visitors.push({ ...at, visitor, scope, ...tally.encoded() });
      await breathe();
    }
  }
  return changes;
}
