import type { ClientErrorReport } from '@nwms/contract';
import { scrub } from '../lib/scrub.ts';

type Kind = ClientErrorReport['errors'][number]['kind'];
export type CollectedError = ClientErrorReport['errors'][number];

/** BOOT-03. */
const KEPT = 10;
/** The collector of the server takes six reports per minute and address; a tab sends four at most. */
const GATHER_MS = 15_000;
const FIRST_GATHER_MS = 2_000;

export interface ErrorCollector {
  /** Notes an error and has it reported soon, together with its neighbours. */
  note(kind: Kind, error: unknown): void;
  /** The last ten, oldest first. */
  last(): readonly CollectedError[];
}

export interface CollectorDeps {
  now: () => number;
  /** Path of the page without its query. */
  page: () => string;
  after: (ms: number, run: () => void) => void;
  /** May fail; nobody is told, since a report about reports would never end. */
  send: (errors: CollectedError[]) => Promise<unknown>;
}

/** Keeps the last ten errors of the page, scrubbed, and reports them as non-fatal (ERR-03, BOOT-03, BOOT-04, R-41). */
export function createErrorCollector(deps: CollectorDeps): ErrorCollector {
  let kept: CollectedError[] = [];
  let unsent = new Set<CollectedError>();
  let planned = false;
  let sentOnce = false;

  const send = () => {
    planned = false;
    const errors = [...unsent].slice(-KEPT).map((error) => ({ ...error }));
    unsent = new Set();
    sentOnce = true;
    if (errors.length > 0) deps.send(errors).catch(() => {});
  };
  const plan = () => {
    if (planned) return;
    planned = true;
    deps.after(sentOnce ? GATHER_MS : FIRST_GATHER_MS, send);
  };

  return {
    note(kind, error) {
      // What was called off is not broken.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      const message = scrub(messageOf(error), 500);
      const known = kept.find((one) => one.kind === kind && one.message === message && one.page === deps.page());
      if (known) {
        known.count += unsent.has(known) ? 1 : 1 - known.count;
        unsent.add(known);
        return plan();
      }
      const stack = error instanceof Error && error.stack ? { stack: scrub(error.stack, 4000) } : {};
      const fresh: CollectedError = { kind, message, ...stack, page: deps.page(), at: new Date(deps.now()).toISOString(), count: 1 };
      kept = [...kept, fresh].slice(-KEPT);
      unsent.add(fresh);
      plan();
    },
    last: () => kept,
  };
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return `${error.name}: ${error.message}`;
  return typeof error === 'string' ? error : 'Something that is not an error was thrown';
}
