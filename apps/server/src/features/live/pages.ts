import { invariant } from '../../platform/app-error.ts';
import type { AlertLog } from '../alerts/types.ts';
import { EntryRun, type RunContext } from './entry-run.ts';

/** Entries per page: a client that was away for minutes needs one or two. */
const PAGE_ENTRIES = 256;
/** Pages kept with their bytes (about 1 MB each). */
const PAGES_KEPT = 16;

/**
 * Reads of the log shared by all who resume: pages start at fixed numbers, so 10,000 clients with 10,000 different cursors ask the log
 * for the same few pages, and share the encoded bytes, too.
 */
export class Pages {
  readonly #log: AlertLog;
  readonly #context: RunContext;
  readonly #kept = new Map<number, EntryRun>();
  readonly #running = new Map<number, Promise<EntryRun>>();

  constructor(log: AlertLog, context: RunContext) {
    this.#log = log;
    this.#context = context;
  }

  /** A run that holds the entry after `after`, if it is still readable; else an empty or later one. Rejects when the log cannot be read. */
  async read(after: number): Promise<EntryRun> {
    const page = Math.floor(after / PAGE_ENTRIES);
    const kept = this.#kept.get(page);
    if (kept && this.#isWhole(page, kept)) return kept;
    let running = this.#running.get(page);
    if (!running) {
      running = this.#load(page).finally(() => this.#running.delete(page));
      this.#running.set(page, running);
    }
    const run = await running;
    // The page being joined may have been asked for before the entry was there.
    return run.last > after || this.#log.latestSeq() <= after || run.last >= endOf(page) ? run : this.#load(page);
  }

  #isWhole(page: number, run: EntryRun): boolean {
    return run.last >= endOf(page) || run.last >= this.#log.latestSeq();
  }

  async #load(page: number): Promise<EntryRun> {
    const entries = await this.#log.read(page * PAGE_ENTRIES, PAGE_ENTRIES);
    const within = entries.filter((entry) => entry.seq <= endOf(page));
    // A hole inside the log would be a silent loss for every reader: better to stop loudly.
    invariant(
      within.every((entry, index) => index === 0 || entry.seq === (within[index - 1]?.seq ?? 0) + 1),
      `log entries after ${page * PAGE_ENTRIES} are not consecutive`,
    );
    const run = new EntryRun(within, this.#context);
    this.#kept.delete(page);
    this.#kept.set(page, run);
    if (this.#kept.size > PAGES_KEPT) {
      const oldest = this.#kept.keys().next().value;
      if (oldest !== undefined) this.#kept.delete(oldest);
    }
    return run;
  }
}

const endOf = (page: number): number => (page + 1) * PAGE_ENTRIES;
