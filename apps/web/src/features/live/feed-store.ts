import { applyEntry, EMPTY_LIST, type FeedList, type FeedRow, pauseList, rebuild, resumeList } from '@nwms/client/feed-list';
import type { ServerMessage } from '@nwms/contract';
import type { LiveConnection } from '../../api/live.ts';
import { countTold, type FeedCounts, type Told } from './feed-counts.ts';

export interface FeedView {
  /** Newest first, at most 50, one per event. */
  rows: readonly FeedRow[];
  counts: FeedCounts;
  paused: boolean;
  /** First issues since the pause began, those beyond 50 among them (LIVE-12). */
  pending: number;
  /** Told of since the feed was opened or cleared, but pushed out of the rows by newer ones. */
  beyond: number;
  /** When the place in the log was lost and the list was built anew, by this device's clock; null: never. */
  rebuiltAtMs: number | null;
}

/** LIVE-05 to LIVE-12: the list of the Real-Time Alert Feed over the page's one connection. It goes on while other screens are open. */
export interface FeedStore {
  /** The same object until something changed. */
  view(): FeedView;
  subscribe(listener: () => void): () => void;
  pause(): void;
  resume(): void;
  clear(): void;
  stop(): void;
}

export interface FeedStoreDeps {
  live: Pick<LiveConnection, 'onMessage' | 'onSnapshot'>;
  now: () => number;
}

export function createFeedStore({ live, now }: FeedStoreDeps): FeedStore {
  let list: FeedList = EMPTY_LIST;
  let told: Told = new Map();
  let waiting: ReadonlySet<string> = new Set();
  /** A snapshot belongs here only after a gap; the one other screens start with is not news. */
  let gap = false;
  let rebuiltAtMs: number | null = null;
  const listeners = new Set<() => void>();
  let view = look();

  function look(): FeedView {
    const counts = countTold(told, waiting);
    return {
      rows: list.rows,
      counts,
      paused: list.paused,
      pending: waiting.size,
      beyond: Math.max(0, counts.total - list.rows.length),
      rebuiltAtMs,
    };
  }
  const tell = () => {
    view = look();
    for (const listener of listeners) listener();
  };
  const take = (message: ServerMessage) => {
    if (message.type === 'gap') gap = true;
    if (message.type !== 'alert' && message.type !== 'update') return;
    const { event_id: id, severity } = message.type === 'alert' ? message.alert : message.update.alert;
    const before = list;
    list = applyEntry(list, message, now());
    // An update counts only where the event was told of; it may change how severe that was.
    if (message.type === 'alert' || told.has(id)) {
      const known = told.has(id);
      if (!known || told.get(id) !== severity) told = new Map(told).set(id, severity);
      if (!known && list.paused) waiting = new Set(waiting).add(id);
    }
    if (list !== before || message.type === 'alert') tell();
  };
  const stops = [
    live.onMessage(take),
    live.onSnapshot(({ alerts }) => {
      if (!gap) return;
      gap = false;
      list = rebuild(list, alerts, now());
      told = new Map(alerts.map((alert) => [alert.event_id, alert.severity]));
      waiting = new Set();
      rebuiltAtMs = now();
      tell();
    }),
  ];
  return {
    view: () => view,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    pause() {
      list = pauseList(list);
      tell();
    },
    resume() {
      list = resumeList(list);
      waiting = new Set();
      tell();
    },
    clear() {
      list = { ...EMPTY_LIST, paused: list.paused };
      told = new Map();
      waiting = new Set();
      rebuiltAtMs = null;
      tell();
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}
