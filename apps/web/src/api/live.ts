import type { ServerMessage } from '@nwms/contract';
import type { ConnectionState, LiveFeed, SnapshotEvent } from '@nwms/client/feed-types';
import type { createLiveFeed } from '@nwms/client/live-feed';

/** The module that makes feeds. */
interface FeedModule {
  createLiveFeed: typeof createLiveFeed;
}

export interface LiveStatus {
  state: ConnectionState;
  attempt: number;
  maxAttempts: number;
  error: string | null;
}

/** The one live connection of the page, shared by every screen. */
export interface LiveConnection {
  /** Connects once; `cursor` is where delivery goes on from, without one a snapshot comes first. */
  start(cursor: string | null): void;
  stop(): void;
  /** LV38: disconnect, connect after 1 s, counters reset. */
  reconnect(): void;
  /** The same object until something changed. */
  status(): LiveStatus;
  onStatus(listener: () => void): () => void;
  onMessage(listener: (message: ServerMessage) => void): () => void;
  onSnapshot(listener: (snapshot: SnapshotEvent) => void): () => void;
}

const IDLE: LiveStatus = { state: 'DISCONNECTED', attempt: 0, maxAttempts: 0, error: null };

/** The feed itself is loaded when the first screen starts it: a page that only shows words does without. */
export function createLiveConnection(url: string, load = (): Promise<FeedModule> => import('@nwms/client/live-feed')): LiveConnection {
  const onStatus = new Set<() => void>();
  const onMessage = new Set<(message: ServerMessage) => void>();
  const onSnapshot = new Set<(snapshot: SnapshotEvent) => void>();
  let known = IDLE;
  let feed: LiveFeed | null = null;
  let loading: Promise<void> | null = null;
  /** What was asked for while the feed was being loaded: the last wish counts. */
  let wanted = false;

  const tell = (next: LiveStatus) => {
    const isSame = (name: keyof LiveStatus) => next[name] === known[name];
    if (isSame('state') && isSame('attempt') && isSame('maxAttempts') && isSame('error')) return;
    known = next;
    for (const listener of onStatus) listener();
  };
  const read = (given: LiveFeed) => {
    const { connection, subscribed, reconnect, error } = given.status();
    // An open socket that is not subscribed yet would look like calm weather.
    tell({ state: connection === 'CONNECTED' && !subscribed ? 'CONNECTING' : connection, ...reconnect, error });
  };
  const ready = async () => {
    const module = await load();
    const made = module.createLiveFeed({ url, start: 'snapshot' });
    made.onStatus(() => read(made));
    made.onMessage((message) => onMessage.forEach((listener) => listener(message)));
    made.onSnapshot((snapshot) => onSnapshot.forEach((listener) => listener(snapshot)));
    feed = made;
  };
  /** Runs with the feed, as soon as it is there. A file that cannot be loaded is asked for again by the next start. */
  const withFeed = (run: (given: LiveFeed) => void) => {
    if (feed) return run(feed);
    loading ??= ready();
    loading.then(
      () => feed && run(feed),
      () => {
        loading = null;
        tell({ ...IDLE, error: 'The live connection could not be loaded' });
      },
    );
  };
  const listen = <T>(all: Set<T>, listener: T) => {
    all.add(listener);
    return () => void all.delete(listener);
  };

  return {
    start(cursor) {
      wanted = true;
      if (!feed) tell({ ...IDLE, state: 'CONNECTING' });
      withFeed((given) => {
        if (!wanted) return;
        if (cursor !== null) given.setCursor(cursor);
        given.connect();
        read(given);
      });
    },
    stop() {
      wanted = false;
      if (feed) feed.disconnect();
      else tell(IDLE);
    },
    reconnect() {
      wanted = true;
      withFeed((given) => wanted && given.reconnect());
    },
    status: () => known,
    onStatus: (listener) => listen(onStatus, listener),
    onMessage: (listener) => listen(onMessage, listener),
    onSnapshot: (listener) => listen(onSnapshot, listener),
  };
}
