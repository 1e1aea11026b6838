import type { AlertLog, LogEntry } from '../types.ts';
import { ownTime } from '../wire-time.ts';
import { cursorText } from './log-cursor.ts';
import type { EntryFilter } from './entry-filter.ts';

/** Entries looked at per request; a rare filter gets `has_more` and a cursor that went on. */
const MAX_SCANNED = 20_000;
const PAGE = 500;

export interface Changes {
  entries: LogEntry[];
  /** Everything up to here was looked at. */
  seq: number;
  hasMore: boolean;
}

/** Up to `limit` passing entries after `after`. */
export async function readChanges(log: AlertLog, after: number, limit: number, filter: EntryFilter): Promise<Changes> {
  const entries: LogEntry[] = [];
  let seq = after;
  for (let scanned = 0; scanned < MAX_SCANNED;) {
    const page = await log.read(seq, PAGE);
    for (const entry of page) {
      if (await filter.passes(entry)) {
        if (entries.length === limit) return { entries, seq, hasMore: true };
        entries.push(entry);
      }
      seq = entry.seq;
    }
    scanned += page.length;
    if (page.length < PAGE) return { entries, seq, hasMore: false };
  }
  return { entries, seq, hasMore: seq < log.latestSeq() };
}

/** Wire text of one entry; the alert is ready text. */
export function encodeEntry(log: AlertLog, entry: LogEntry): string {
  const head = {
    seq: entry.seq,
    cursor: cursorText(log, entry.seq),
    at: ownTime(entry.at),
    kind: entry.kind,
    channels: entry.channels,
    event_id: entry.eventId,
    id: entry.messageId,
    version: entry.version,
    state: entry.state,
    is_active: entry.isActive,
    summary: entry.summary,
    diff: entry.diff,
  };
  return `${JSON.stringify(head).slice(0, -1)},"alert":${entry.alertJson}}`;
}
