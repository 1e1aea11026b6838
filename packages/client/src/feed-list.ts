import type { LiveAlert, ServerMessage } from '@nwms/contract';
import type { Kind } from '@nwms/domain';

/** A row of the live list: the alert as last told. An ended one stays, with its state, until newer ones push it out. */
export interface FeedRow extends LiveAlert {
  /** Our own clock when the last message about it came, epoch milliseconds. */
  receivedAt: number;
  /** What the last message told. */
  kind: Kind | 'snapshot';
}

export interface FeedList {
  /** Newest first, at most 50, one per event. */
  rows: readonly FeedRow[];
  /** First issues that came and are not in `rows`: held back by pause, or pushed out by newer ones. */
  hidden: number;
  paused: boolean;
  /** First issues that came while paused, newest first; they move into `rows` when the pause ends. */
  waiting: readonly FeedRow[];
}

/** LV39. */
export const MAX_ROWS = 50;
export const EMPTY_LIST: FeedList = { rows: [], hidden: 0, paused: false, waiting: [] };

/** LV39 for one alert or update message. The same list comes back when nothing changed. */
export function applyEntry(list: FeedList, message: Extract<ServerMessage, { type: 'alert' | 'update' }>, receivedAt: number): FeedList {
  const alert = message.type === 'alert' ? message.alert : message.update.alert;
  const row: FeedRow = { ...alert, receivedAt, kind: message.kind };
  const same = (other: FeedRow) => other.event_id === row.event_id;
  if (message.type === 'update') {
    // A pause holds back what is new; what is on the screen must not go on claiming to be in force.
    if (!list.rows.some(same) && !list.waiting.some(same)) return list;
    const replace = (rows: readonly FeedRow[]) => rows.map((other) => (same(other) ? row : other));
    return { ...list, rows: replace(list.rows), waiting: replace(list.waiting) };
  }
  if (list.paused) {
    const known = list.waiting.some(same) || list.rows.some(same);
    const waiting = [row, ...list.waiting.filter((other) => !same(other))].slice(0, MAX_ROWS);
    return { ...list, waiting, rows: list.rows.map((other) => (same(other) ? row : other)), hidden: list.hidden + (known ? 0 : 1) };
  }
  return prepend(list, [row]);
}

function prepend(list: FeedList, fresh: readonly FeedRow[]): FeedList {
  const ids = new Set(fresh.map((row) => row.event_id));
  const all = [...fresh, ...list.rows.filter((row) => !ids.has(row.event_id))];
  return { ...list, rows: all.slice(0, MAX_ROWS), hidden: list.hidden + Math.max(0, all.length - MAX_ROWS) };
}

export const pauseList = (list: FeedList): FeedList => (list.paused ? list : { ...list, paused: true });

/** What waited comes in; what the pause had hidden is shown again and no longer counted as hidden. */
export function resumeList(list: FeedList): FeedList {
  if (!list.paused) return list;
  const known = new Set(list.rows.map((row) => row.event_id));
  const held = list.waiting.filter((row) => !known.has(row.event_id)).length;
  return prepend({ ...list, paused: false, waiting: [], hidden: Math.max(0, list.hidden - held) }, list.waiting);
}

/** After a gap, or at the start: the list is rebuilt from all active alerts. Rows known before keep their time of arrival. */
export function rebuild(list: FeedList, alerts: readonly LiveAlert[], receivedAt: number): FeedList {
  const before = new Map([...list.rows, ...list.waiting].map((row) => [row.event_id, row]));
  const rows = alerts
    .map((alert): FeedRow => ({ ...alert, kind: 'snapshot', receivedAt: before.get(alert.event_id)?.receivedAt ?? receivedAt }))
    .sort((a, b) => (a.sent < b.sent ? 1 : a.sent > b.sent ? -1 : a.event_id < b.event_id ? -1 : 1));
  return { ...list, rows: rows.slice(0, MAX_ROWS), waiting: [], hidden: Math.max(0, rows.length - MAX_ROWS) };
}
