import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { AlertLog, LogEntry } from '../alerts/types.ts';
import { Audiences } from './audience.ts';
import { ParsedAlerts, PreviousEntries } from './before.ts';
import { EntryRun, type RunContext } from './entry-run.ts';
import { Pages } from './pages.ts';
import { Snapshots } from './snapshots.ts';
import type { Subscriber } from './subscriber.ts';
import { Turns } from './turns.ts';
import type { FreshnessNow, LiveBoard, LiveLimits } from './types.ts';

/** Bounds of one step of live delivery: entries, and bytes of alert text. */
const RUN_ENTRIES = 64;
const RUN_BYTES = 128 * 1024;

export interface HubDeps {
  clock: Clock;
  log: Log;
  alertLog: AlertLog;
  board: LiveBoard;
  freshness: FreshnessNow;
  limits: LiveLimits;
  /** Told how many entries were written to a reader. */
  streamed?: ((entries: number) => void) | undefined;
}

/**
 * Takes what the log commits to everyone who stands at its head. A subscriber is either live (written to from here) or pumping (reading
 * pages at its own pace); each knows its position, the number up to which it has everything. Only the entry that follows its position
 * is ever written to it, so neither a hole nor a repeat can arise between snapshot, replay and live (LV15), whatever commits meanwhile.
 */
export class Hub {
  readonly deps: HubDeps;
  readonly turns = new Turns();
  readonly audiences: Audiences;
  readonly pages: Pages;
  readonly snapshots: Snapshots;
  readonly #context: RunContext;
  readonly #live = new Set<Subscriber>();
  #queue: LogEntry[] = [];
  #announced = 0;
  #dispatching: Promise<void> | null = null;
  readonly #stopListening: () => void;

  constructor(deps: HubDeps) {
    this.deps = deps;
    this.#context = { epoch: () => deps.alertLog.epoch(), parsed: new ParsedAlerts(), previous: new PreviousEntries() };
    this.audiences = new Audiences(deps.board);
    this.pages = new Pages(deps.alertLog, this.#context);
    this.snapshots = new Snapshots({ ...deps, epoch: this.#context.epoch });
    this.#stopListening = deps.alertLog.onCommitted((batch) => this.#announce(batch.entries));
  }

  /** The newest number anybody can have. */
  head(): number {
    return Math.max(this.deps.alertLog.latestSeq(), this.#announced);
  }

  addLive(subscriber: Subscriber): void {
    this.#live.add(subscriber);
  }

  removeLive(subscriber: Subscriber): void {
    this.#live.delete(subscriber);
  }

  /** Resolves when everything announced so far was written. */
  async settled(): Promise<void> {
    while (this.#dispatching) await this.#dispatching;
  }

  close(): void {
    this.#stopListening();
  }

  #announce(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      if (entry.seq <= this.#announced) continue;
      this.#context.previous.note(entry);
      this.#queue.push(entry);
      this.#announced = entry.seq;
    }
    if (this.#queue.length > 0) this.#dispatching ??= this.#dispatch();
  }

  async #dispatch(): Promise<void> {
    // Other listeners of the commit, the board first of all, are done before anything goes out.
    await new Promise((run) => setImmediate(run));
    try {
      while (this.#queue.length > 0) await this.#deliver(this.#nextRun());
    } catch (error) {
      this.deps.log.error({ err: error }, 'live delivery failed; readers catch up from the log');
      this.#queue = [];
      for (const subscriber of this.#live) subscriber.catchUp();
    } finally {
      this.#dispatching = null;
    }
  }

  async #deliver(run: EntryRun): Promise<void> {
    for (const subscriber of this.#live) {
      if (!this.turns.take()) await this.turns.next();
      try {
        subscriber.offer(run);
      } catch (error) {
        subscriber.fail(error);
      }
    }
  }

  #nextRun(): EntryRun {
    let count = 0;
    let bytes = 0;
    let expected = this.#queue[0]?.seq;
    for (const entry of this.#queue) {
      // A log that announces out of order is read from the store instead: readers notice that their next entry is missing.
      if (entry.seq !== expected || count >= RUN_ENTRIES || (count > 0 && bytes + entry.alertJson.length > RUN_BYTES)) break;
      expected = entry.seq + 1;
      count += 1;
      bytes += entry.alertJson.length;
    }
    return new EntryRun(this.#queue.splice(0, count), this.#context);
  }
}
