import { fakeSockets } from '@nwms/client/fake-socket';
import { createLiveFeed } from '@nwms/client/live-feed';
import { describe, expect, test, vi } from 'vitest';
import { createLiveConnection } from '../api/live.ts';
import { createFeedStore } from '../features/live/feed-store.ts';
import { openFeed } from '../features/live/open-feed.ts';
import { followLive } from '../features/ticker/follow-live.ts';

/** The page's connection over sockets that the test plays; nothing in it waits. */
function scene() {
  const sockets = fakeSockets();
  const still = { now: () => 0, after: () => () => {} };
  const live = createLiveConnection('https://alerts.test/ws/alerts', async () => ({
    createLiveFeed: (options) => createLiveFeed({ ...options, WebSocket: sockets.WebSocket, clock: still, random: () => 0.5 }),
  }));
  const api = { get: async () => ({ body: { position: { cursor: 'e:5' } } }) as never };
  const accept = () => {
    sockets.last().open();
    sockets.last().receive({ type: 'ack', id: 'subscribe', channels: ['alerts'], from_cursor: 'e:5', recovered: null });
  };
  return { sockets, live, api, accept };
}

describe('LIVE-01, R-30: one connection for the whole page', () => {
  test('LIVE-01: the ticker and the feed share one socket, and each hears every alert of it', async () => {
    vi.useFakeTimers();
    const { sockets, live, api, accept } = scene();
    const refresh = vi.fn<() => void>();
    const stop = followLive({ live, api, refresh, random: () => 0 });
    const feed = createFeedStore({ live, now: () => 7 });
    await openFeed({ api: api as never, live }, new AbortController().signal);
    await vi.advanceTimersByTimeAsync(10_000);
    accept();
    expect(sockets.all).toHaveLength(1);
    const alert = { event_id: 'A', severity: 'Severe', sent: '2026-05-01T12:00:00Z', is_active: true };
    sockets.last().receive({ type: 'alert', kind: 'issued', seq: 6, cursor: 'e:6', at: '', channels: ['alerts'], alert });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(feed.view().rows.map((row) => [row.event_id, row.receivedAt])).toEqual([['A', 7]]);
    expect(refresh).toHaveBeenCalledTimes(1);
    stop();
    vi.useRealTimers();
  });

  test('LIVE-06: a screen sees its state, the attempt of how many, and the error; an open socket is not live before it is subscribed', async () => {
    const { sockets, live, accept } = scene();
    const seen: object[] = [];
    live.onStatus(() => void seen.push(live.status()));
    live.start('e:5');
    await vi.waitFor(() => expect(sockets.all).toHaveLength(1));
    sockets.last().open();
    expect(live.status().state).toBe('CONNECTING');
    accept();
    expect(live.status()).toEqual({ state: 'CONNECTED', attempt: 0, maxAttempts: 10, error: null });
    sockets.last().cut();
    expect(live.status()).toMatchObject({ state: 'RECONNECTING', attempt: 1, maxAttempts: 10 });
    live.stop();
    expect(live.status().state).toBe('DISCONNECTED');
    expect(seen.at(-1)).toEqual(live.status());
  });
});
