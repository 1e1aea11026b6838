/** A feed on a fake clock and sockets that the test plays. Imported by tests only. */
import type { ServerMessage } from '@nwms/contract';
import { fakeClock } from '@nwms/testkit';
import { fakeSockets } from './fake-socket.ts';
import type { FeedEnvironment, LiveFeedOptions } from './feed-types.ts';
import { createLiveFeed } from './live-feed.ts';

export const START = Date.parse('2026-11-21T09:00:00Z');
export const freshness = {
  data_as_of: '2026-11-21T09:00:00Z',
  upstream_age_seconds: 0,
  status: 'live',
  reason: null,
  feed: 'nws',
  simulated: false,
} as const;

export function scene(options: Partial<LiveFeedOptions> = {}) {
  const clock = fakeClock(START);
  const sockets = fakeSockets();
  const signals: { online: () => void; visible: () => void } = { online: () => {}, visible: () => {} };
  const environment: FeedEnvironment = {
    onOnline: (run) => ((signals.online = run), () => (signals.online = () => {})),
    onVisible: (run) => ((signals.visible = run), () => (signals.visible = () => {})),
  };
  const feed = createLiveFeed({
    url: 'https://alerts.test/ws/alerts',
    clock,
    random: () => 0.5,
    WebSocket: sockets.WebSocket,
    environment,
    ...options,
  });
  const states: string[] = [];
  feed.onStatus(() => {
    const { connection, reconnect } = feed.status();
    const line = connection === 'RECONNECTING' ? `${connection} ${reconnect.attempt}` : connection;
    if (states.at(-1) !== line) states.push(line);
  });
  return { clock, sockets, signals, feed, states };
}
export type Scene = ReturnType<typeof scene>;

export function accept({ sockets }: Scene, from = 'e:10'): void {
  sockets.last().open();
  sockets.last().receive({ type: 'ack', id: 'subscribe', channels: ['alerts'], from_cursor: from, recovered: null });
}
export const alert = (seq: number, eventId = `E${seq}`, more: object = {}): ServerMessage =>
  ({
    type: 'alert',
    seq,
    cursor: `e:${seq}`,
    at: '',
    kind: 'issued',
    channels: ['alerts'],
    alert: { event_id: eventId, sent: `t${seq}`, state: 'in_force', ...more },
  }) as unknown as ServerMessage;
export const update = (seq: number, eventId: string, kind: string, more: object = {}): ServerMessage =>
  ({
    type: 'update',
    seq,
    cursor: `e:${seq}`,
    at: '',
    kind,
    channels: ['updates'],
    update: { kind, event_id: eventId, alert: { event_id: eventId, sent: `t${seq}`, ...more } },
  }) as unknown as ServerMessage;
export const snapshot = (seq: number, ids: string[], part = 1, parts = 1): ServerMessage =>
  ({
    type: 'snapshot',
    part,
    parts,
    cursor: `e:${seq}`,
    total: ids.length,
    alerts: ids.map((id) => ({ event_id: id, sent: `t${id}` })),
    freshness,
  }) as unknown as ServerMessage;
