import { describe, expect, it } from 'vitest';
import { accept, alert, scene } from './live-scene-fixture.ts';

describe('the connection as screens see it', () => {
  it('API-49: the socket is secure when the page is, and plain when it is not', () => {
    for (const [page, socket] of [
      ['https://alerts.test/ws/alerts', 'wss://alerts.test/ws/alerts'],
      ['http://127.0.0.1:8080/ws/alerts', 'ws://127.0.0.1:8080/ws/alerts'],
    ] as const) {
      const { feed, sockets } = scene({ url: page });
      feed.connect();
      expect(sockets.last().url).toBe(socket);
    }
  });

  it('LIVE-01: passes through all five states, and closing on purpose is not retried', async () => {
    const world = scene();
    const { clock, sockets, feed, states } = world;
    expect(feed.status().connection).toBe('DISCONNECTED');
    feed.connect();
    accept(world);
    sockets.last().cut();
    await clock.advance(1_000);
    accept(world);
    feed.disconnect();
    await clock.advance(600_000);
    expect(states).toEqual(['CONNECTING', 'CONNECTED', 'RECONNECTING 1', 'CONNECTED', 'CLOSING', 'DISCONNECTED']);
    expect(sockets.all).toHaveLength(2);
  });

  it('LIVE-03: a successful opening sets attempts and delay back, so that the next drop waits one second again', async () => {
    const world = scene();
    const { clock, sockets, feed } = world;
    feed.connect();
    for (const seconds of [1, 2, 4]) {
      sockets.last().cut();
      await clock.advance(seconds * 1_000);
    }
    expect(feed.status().reconnect).toEqual({ attempt: 3, maxAttempts: 10 });
    accept(world);
    expect(feed.status().reconnect).toEqual({ attempt: 0, maxAttempts: 10 });
    sockets.last().cut();
    await clock.advance(999);
    expect(sockets.all).toHaveLength(4);
    await clock.advance(1);
    expect(sockets.all).toHaveLength(5);
  });

  it('LIVE-06: shows its state, whether it is subscribed, the error, the attempt of how many, and the alerts', async () => {
    const world = scene();
    const { feed, sockets, clock } = world;
    const shown = () => {
      const { connection, subscribed, error, reconnect, alerts } = feed.status();
      return { connection, subscribed, error, reconnect, alerts: alerts.map((row) => row.event_id) };
    };
    const reconnect = { attempt: 0, maxAttempts: 10 };
    expect(shown()).toEqual({ connection: 'DISCONNECTED', subscribed: false, error: null, reconnect, alerts: [] });
    feed.connect();
    accept(world);
    sockets.last().receive(alert(11));
    expect(shown()).toEqual({ connection: 'CONNECTED', subscribed: true, error: null, reconnect, alerts: ['E11'] });
    sockets.last().receive({ type: 'error', code: 'live.rate', error: 'Too many messages', fatal: false });
    sockets.last().cut();
    expect(shown()).toEqual({
      connection: 'RECONNECTING',
      subscribed: false,
      error: 'Too many messages',
      reconnect: { attempt: 1, maxAttempts: 10 },
      alerts: ['E11'],
    });
    await clock.advance(1_000);
    accept(world);
    expect(shown()).toMatchObject({ connection: 'CONNECTED', error: null, alerts: ['E11'] });
  });
});
