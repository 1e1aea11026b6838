import { logEntryOf } from './rows.ts';
import { alertTables } from './tables.ts';
import type { LogEntry } from '../types.ts';
import type { Part } from '../../../platform/db/types.ts';

/** Entries per page; pages begin at multiples of it, so that readers at different places share them. */
const PAGE_ENTRIES = 500;
/** Pages kept; 8 pages of entries with shapes are about 50 MB at worst. */
const PAGES_KEPT = 8;

/**
 * Older entries, read from the store in whole pages that all readers share: ten thousand clients that resume from near the same
 * place cost a handful of queries (C5).
 */
export interface LogPages {
  /** Entries with seq > after and <= `latestSeq`, ascending, at most `limit`. */
  read(after: number, limit: number, latestSeq: number): Promise<LogEntry[]>;
}

export function createLogPages(reads: Part): LogPages {
  const db = alertTables(reads);
  const pages = new Map<number, Promise<LogEntry[]>>();

  const fetchPage = async (page: number, latestSeq: number): Promise<LogEntry[]> => {
    const rows = await db
      .selectFrom('log')
      .selectAll()
      .where('seq', '>', page * PAGE_ENTRIES)
      .where('seq', '<=', Math.min((page + 1) * PAGE_ENTRIES, latestSeq))
      .orderBy('seq')
      .execute();
    return rows.map(logEntryOf);
  };
  const pageOf = (page: number, latestSeq: number): Promise<LogEntry[]> => {
    const known = pages.get(page);
    if (known) {
      pages.delete(page);
      pages.set(page, known);
      return known;
    }
    const fetched = fetchPage(page, latestSeq);
    pages.set(page, fetched);
    const forget = () => {
      if (pages.get(page) === fetched) pages.delete(page);
    };
    // A page that is not full yet will grow: it serves those who ask now, and is read again later.
    void fetched.then((entries) => entries.length < PAGE_ENTRIES && forget(), forget);
    for (const oldest of pages.keys()) {
      if (pages.size <= PAGES_KEPT) break;
      pages.delete(oldest);
    }
    return fetched;
  };
  return {
    async read(after, limit, latestSeq) {
      const found: LogEntry[] = [];
      let page = Math.floor(after / PAGE_ENTRIES);
      while (found.length < limit && page * PAGE_ENTRIES < latestSeq) {
        const entries = await pageOf(page, latestSeq);
        for (const entry of entries) if (entry.seq > after && entry.seq <= latestSeq && found.length < limit) found.push(entry);
        page += 1;
        // Numbers have no holes: a page that does not reach its end is the last one.
        if ((entries.at(-1)?.seq ?? 0) < page * PAGE_ENTRIES) break;
      }
      return found;
    },
  };
}
