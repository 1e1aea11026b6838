import type { QueryClient } from '@tanstack/react-query';
import type { SlimAlert } from '@nwms/contract';
import { FRESHNESS_KEY } from '../api/use-freshness.ts';
import type { FreshnessNote } from '../lib/freshness.ts';
import type { LastKnown } from '../lib/last-known.ts';

export interface KeepDeps {
  queries: QueryClient;
  write: (known: LastKnown) => Promise<void>;
  after: (ms: number, run: () => void) => void;
}

/** The first list soon, later ones every other minute: a day of weather weighs half a megabyte. */
const FIRST_MS = 2_000;
const LATER_MS = 120_000;
const BOOK_KEY = ['alerts', 'book'] as const;
type Book = { rows: ReadonlyMap<string, { alert: SlimAlert }> };

/** Keeps the active alerts of the page's one book, with what was known of their age, whenever either was renewed. */
export function keepLastKnown({ queries, write, after }: KeepDeps): void {
  let isPlanned = false;
  let delayMs = FIRST_MS;
  const save = () => {
    isPlanned = false;
    const book = queries.getQueryData<Book>(BOOK_KEY);
    const note = queries.getQueryData<FreshnessNote>(FRESHNESS_KEY);
    // What nobody could vouch for while it was shown is not kept for later.
    if (!book || !note || note.freshness.status === 'unknown') return;
    delayMs = LATER_MS;
    const alerts = [...book.rows.values()].map((row) => row.alert).filter((alert) => alert.is_active);
    // No room, or storage forbidden: the page goes on, a start without a network then has nothing to show.
    write({ alerts, ...note }).catch(() => undefined);
  };
  const plan = () => {
    if (isPlanned) return;
    isPlanned = true;
    after(delayMs, save);
  };
  // The first list may have come before.
  plan();
  queries.getQueryCache().subscribe(({ type, query: { queryKey } }) => {
    const isBook = queryKey[0] === BOOK_KEY[0] && queryKey[1] === BOOK_KEY[1];
    if (type === 'updated' && (isBook || queryKey[0] === FRESHNESS_KEY[0])) plan();
  });
}
