import type { QueryClient } from '@tanstack/react-query';
import type { SnapshotEvent } from '@nwms/client/feed-types';
import type { AlertMessageOut, Freshness, ServerMessage, UpdateMessageOut } from '@nwms/contract';
import type { Answer, Api } from '../../api/call.ts';
import type { LiveConnection } from '../../api/live.ts';
import { FRESHNESS_KEY } from '../../api/use-freshness.ts';
import type { FreshnessNote } from '../../lib/freshness.ts';
import { type AlertBook, applyEntries, mergeList, settle } from './alert-book.ts';
import { loadList } from './load-alerts.ts';
import { type ShapeBook, shapesFromEntries } from './shape-book.ts';

export const KEYS = {
  book: ['alerts', 'book'],
  shapes: ['alerts', 'shapes'],
  freshness: FRESHNESS_KEY,
  /** The act of refetching; its data is only when it was done. */
  refresh: ['alerts', 'refresh'],
  stats: ['alerts', 'stats'],
} as const;

/** How often rows that are over or no longer new are looked for. */
const SETTLE_SECONDS = 10;
/** A poll brings its entries in one burst: they are shown together. */
const GATHER_MS = 80;
/** Entries kept for a list that is still on its way. */
const MOST_WAITING = 5_000;

export interface AlertSync {
  /** Fetches the list and merges it; connects the live feed from its position the first time. @throws ApiError */
  refresh(signal?: AbortSignal): Promise<number>;
  stop(): void;
}

export interface AlertSyncDeps {
  api: Api;
  queries: QueryClient;
  live: LiveConnection;
  now: () => number;
  /** Repeats until the returned function is called. */
  every: (seconds: number, run: () => void) => () => void;
  after: (delayMs: number, run: () => void) => void;
}

/**
 * Keeps the one book of alerts in the query cache. Every change is a synchronous reduction of what is there, so that lists,
 * snapshots and live entries may arrive in any order.
 */
export function createAlertSync(deps: AlertSyncDeps): AlertSync {
  const { queries, live, now } = deps;
  let etag: string | null = null;
  const waiting: (AlertMessageOut | UpdateMessageOut)[] = [];

  const note = (body: Freshness | null, headers: Answer<unknown>['freshness'] = null) =>
    queries.setQueryData<FreshnessNote>(KEYS.freshness, (old) => {
      // The headers, all there is on a 304, name no feed; what was told before holds.
      const base = body ?? old?.freshness;
      if (base) return { freshness: { ...base, ...headers }, receivedAtMs: now() };
      if (!headers) return undefined;
      const simulated = headers.status === 'simulated';
      return { freshness: { ...headers, feed: simulated ? 'simulator' : 'nws', simulated }, receivedAtMs: now() };
    });
  const change = (reduce: (book: AlertBook | undefined) => AlertBook | undefined) => queries.setQueryData<AlertBook>(KEYS.book, reduce);

  const takeSnapshot = ({ alerts, cursor, freshness }: SnapshotEvent) => {
    note(freshness);
    // A server that has loaded nothing yet sends an empty snapshot. It says nothing: what is known here stays.
    if (alerts.length === 0 && freshness.status === 'unknown') return;
    const [epoch, seq] = splitCursor(cursor);
    change((book) => mergeList(book, { alerts, epoch, seq }, now()));
    if (waiting.length > 0) takeEntries();
    queries.setQueryData<ShapeBook>(KEYS.shapes, (shapes) => shapes && shapesFromEntries(shapes, alerts));
  };

  const takeEntries = () => {
    // The shared connection may have been open before: entries that overtake the first list wait for it.
    if (!queries.getQueryData(KEYS.book)) return void waiting.splice(0, waiting.length - MOST_WAITING);
    const entries = waiting.splice(0);
    const alerts = entries.map((entry) => (entry.type === 'alert' ? entry.alert : entry.update.alert));
    change((book) => book && applyEntries(book, entries, now()));
    queries.setQueryData<ShapeBook>(KEYS.shapes, (shapes) => shapes && shapesFromEntries(shapes, alerts));
    for (const { event_id } of alerts) void queries.invalidateQueries({ queryKey: ['alerts', 'detail', event_id] });
  };

  const take = (message: ServerMessage) => {
    switch (message.type) {
      case 'alert':
      case 'update':
        waiting.push(message);
        if (waiting.length === 1) deps.after(GATHER_MS, takeEntries);
        return;
      case 'heartbeat': {
        const before = queries.getQueryData<FreshnessNote>(KEYS.freshness)?.freshness.status;
        note(message.freshness);
        const recovered = before === 'unknown' && message.freshness.status !== 'unknown';
        const book = queries.getQueryData<AlertBook>(KEYS.book);
        if (recovered || (book && book.epoch !== message.epoch)) void queries.invalidateQueries({ queryKey: KEYS.refresh });
        return;
      }
      default:
    }
  };

  const stops = [
    live.onMessage(take),
    live.onSnapshot(takeSnapshot),
    deps.every(SETTLE_SECONDS, () => change((book) => book && settle(book, now()))),
  ];
  return {
    async refresh(signal) {
      try {
        const loaded = await loadList(deps.api, { detail: 'slim', active_only: true }, etag, signal);
        etag = loaded.etag;
        const { list } = loaded;
        if (list) change((book) => mergeList(book, list, now()));
        if (waiting.length > 0) takeEntries();
        note(loaded.freshness, loaded.headers);
        live.start(list?.cursor ?? null);
      } catch (error) {
        // The live feed may work where the list does not; its snapshot then fills the book.
        if (!signal?.aborted) live.start(null);
        throw error;
      }
      return now();
    },
    stop() {
      for (const stop of stops) stop();
      live.stop();
    },
  };
}

/** "epoch:seq" */
function splitCursor(cursor: string): [string, number] {
  const at = cursor.lastIndexOf(':');
  return [cursor.slice(0, at), Number(cursor.slice(at + 1))];
}
