import type { AlertList } from '@nwms/contract';
import type { Api } from '../../api/call.ts';
import type { LiveConnection } from '../../api/live.ts';

/** The first paint comes first; a screen that opens the shared connection itself has done so by then. */
const START_AFTER_MS = 3_000;
/** Changes come in bursts: the list is asked for once per burst, and tabs do not all ask at the same moment. */
const GATHER_MS = 1_500;
const SPREAD_MS = 1_500;

export interface FollowDeps {
  live: Pick<LiveConnection, 'status' | 'start' | 'onMessage' | 'onSnapshot'>;
  api: Pick<Api, 'get'>;
  refresh: () => void;
  random: () => number;
}

/**
 * Renews the ticker within seconds of a change by listening to the page's one live connection, and opens that connection where no
 * screen has done so: from the log's present position, since the bar needs no snapshot of every alert. Returns how to stop.
 */
export function followLive({ live, api, refresh, random }: FollowDeps): () => void {
  let gathering: ReturnType<typeof setTimeout> | null = null;
  let lastStatus: string | null = null;
  const stop = new AbortController();
  const changed = () => {
    gathering ??= setTimeout(
      () => {
        gathering = null;
        refresh();
      },
      GATHER_MS + random() * SPREAD_MS,
    );
  };
  const stops = [
    live.onSnapshot(changed),
    live.onMessage((message) => {
      if (message.type === 'alert' || message.type === 'update') changed();
      if (message.type !== 'heartbeat') return;
      if (lastStatus !== null && lastStatus !== message.freshness.status) changed();
      lastStatus = message.freshness.status;
    }),
  ];
  const starting = setTimeout(() => void start(), START_AFTER_MS);

  async function start(): Promise<void> {
    if (live.status().state !== 'DISCONNECTED' || live.status().error !== null) return;
    try {
      const query = { limit: 1, active_only: true, detail: 'slim' };
      const { body } = await api.get<AlertList>('/alerts', { query, signal: stop.signal });
      if (body && !stop.signal.aborted) live.start(body.position.cursor);
    } catch {
      // The five-minute refetch goes on; nothing is claimed that depends on the connection.
    }
  }

  return () => {
    stop.abort();
    clearTimeout(starting);
    if (gathering) clearTimeout(gathering);
    for (const end of stops) end();
  };
}
