import type { Alert, AlertMessageOut, LiveAlert, SlimAlert, UpdateMessageOut } from '@nwms/contract';

/**
 * What this page holds of the alerts: one row per event, fed by two sources that overtake each other, REST lists and live entries.
 * Every row remembers the log position it is right for, so an older answer never undoes a newer entry.
 */
export interface BoardRow {
  alert: SlimAlert;
  /** Log position this row was told at. */
  seq: number;
  /** When this event first came up after the page had its first list; null for rows of that list. By this device's clock. */
  arrivedAtMs: number | null;
  /** When a live entry said it is over; such a row stays for a while so that its end is seen. By this device's clock. */
  endedAtMs: number | null;
}

export interface AlertBook {
  rows: ReadonlyMap<string, BoardRow>;
  epoch: string;
  /** Everything up to here is in the rows. */
  seq: number;
  /** Position of the newest complete list taken in. */
  listSeq: number;
  /** When the list or an entry last moved it, by this device's clock. */
  updatedAtMs: number;
}

export interface ListAnswer {
  alerts: readonly (SlimAlert | Alert)[];
  epoch: string;
  /** The lowest position of its pages. */
  seq: number;
}

/** How long a row counts as new. */
export const NEW_FOR_SECONDS = 20;
/** How long an ended row stays in a list of active ones. */
export const ENDED_STAYS_SECONDS = 120;

/** A complete list of active alerts: rows it does not name are gone, unless an entry after its position says otherwise. */
export function mergeList(book: AlertBook | undefined, list: ListAnswer, nowMs: number): AlertBook {
  const sameLog = book?.epoch === list.epoch;
  // What a newer list no longer names must not come back by an older one that took longer.
  if (sameLog && list.seq < book.listSeq) return book;
  const rows = new Map<string, BoardRow>();
  for (const alert of list.alerts) {
    const known = book?.rows.get(alert.event_id);
    if (known && sameLog && known.seq > list.seq) rows.set(alert.event_id, known);
    else
      rows.set(alert.event_id, {
        alert: slim(alert),
        seq: list.seq,
        arrivedAtMs: known ? known.arrivedAtMs : book ? nowMs : null,
        endedAtMs: null,
      });
  }
  for (const [eventId, row] of book?.rows ?? []) {
    if (rows.has(eventId)) continue;
    const newer = sameLog && row.seq > list.seq;
    if (newer || stillShown(row, nowMs)) rows.set(eventId, row);
  }
  const seq = sameLog ? Math.max(book.seq, list.seq) : list.seq;
  return { rows, epoch: list.epoch, seq, listSeq: list.seq, updatedAtMs: nowMs };
}

/**
 * Entries of the log, in their order. Those at or below what a row already holds change nothing, so repeats are harmless. The rows are copied
 * once for all of them: a copy for each made a burst on a busy day hold up the page.
 */
export function applyEntries(book: AlertBook, messages: readonly (AlertMessageOut | UpdateMessageOut)[], nowMs: number): AlertBook {
  let rows: Map<string, BoardRow> | null = null;
  let { seq } = book;
  let changed = false;
  for (const message of messages) {
    const alert = message.type === 'alert' ? message.alert : message.update.alert;
    const known = (rows ?? book.rows).get(alert.event_id);
    if (message.seq <= (known?.seq ?? seq)) continue;
    changed = true;
    seq = Math.max(seq, message.seq);
    // Over before it was ever shown here (late, or outside the list): nothing to end on screen.
    if (!known && !alert.is_active) continue;
    rows ??= new Map(book.rows);
    rows.set(alert.event_id, {
      alert: slim(alert),
      seq: message.seq,
      arrivedAtMs: known ? known.arrivedAtMs : nowMs,
      endedAtMs: alert.is_active ? null : (known?.endedAtMs ?? nowMs),
    });
  }
  return changed ? { ...book, rows: rows ?? book.rows, seq, updatedAtMs: nowMs } : book;
}

/** What is over and was shown long enough leaves the book; what arrived a while ago is not new any more. The same object when nothing changes. */
export function settle(book: AlertBook, nowMs: number): AlertBook {
  const rows = new Map<string, BoardRow>();
  let changed = false;
  for (const [eventId, row] of book.rows) {
    const gone = row.endedAtMs !== null && !stillShown(row, nowMs);
    const old = row.arrivedAtMs !== null && nowMs - row.arrivedAtMs > NEW_FOR_SECONDS * 1000;
    changed ||= gone || old;
    if (!gone) rows.set(eventId, old ? { ...row, arrivedAtMs: null } : row);
  }
  return changed ? { ...book, rows } : book;
}

const stillShown = (row: BoardRow, nowMs: number): boolean => row.endedAtMs !== null && nowMs - row.endedAtMs < ENDED_STAYS_SECONDS * 1000;

const HEAVY = ['description', 'instruction', 'geometry', 'zones', 'references', 'vtec', 'wea', 'areaDesc', 'geometry_omitted'] as const;

/** The row without what only the map and the detail need; hundreds of shapes would be held twice otherwise. */
function slim(alert: SlimAlert | LiveAlert): SlimAlert {
  const row: Record<string, unknown> = { ...alert };
  for (const name of HEAVY) delete row[name];
  return row as SlimAlert;
}
