import { describe, expect, it } from 'vitest';
import { accept, alert, freshness, scene, snapshot, START, update } from './live-scene-fixture.ts';

describe('LV36: opening', () => {
  it('LV36, LIVE-03: subscribes to the three channels with snapshot on_gap, and with since when it has a cursor', () => {
    const fresh = scene();
    fresh.feed.connect();
    expect(fresh.sockets.last().url).toBe('wss://alerts.test/ws/alerts');
    expect(fresh.sockets.last().protocols).toEqual(['nwms.v1']);
    accept(fresh);
    expect(fresh.sockets.last().sent).toEqual([
      { type: 'subscribe', channels: ['alerts', 'severe_alerts', 'updates'], filter: null, snapshot: 'on_gap', id: 'subscribe' },
    ]);
    const known = scene({ cursor: 'e:7' });
    known.feed.connect();
    accept(known);
    expect(known.sockets.last().sent[0]).toMatchObject({ since: 'e:7', snapshot: 'on_gap' });
    expect(known.states).toEqual(['CONNECTING', 'CONNECTED']);
  });

  it('LV36, LIVE-03: pings every 45 s from the opening on, and stops on close', async () => {
    const { clock, sockets, feed } = scene();
    feed.connect();
    sockets.last().open();
    sockets.last().receive({ type: 'ack', id: 'subscribe', channels: [], from_cursor: 'e:1', recovered: null });
    const pings = () => sockets.last().sent.filter((message) => message['type'] === 'ping').length;
    for (let n = 0; n < 4; n += 1) {
      await clock.advance(25_000);
      sockets.last().receive({ type: 'heartbeat', cursor: 'e:1', freshness });
    }
    expect(pings()).toBe(2);
    feed.disconnect();
    await clock.advance(200_000);
    expect(pings()).toBe(2);
    expect(sockets.all).toHaveLength(1);
  });

  it('is subscribed only once the server confirmed it, and gives the connection up when it never does', async () => {
    const { clock, sockets, feed } = scene();
    feed.connect();
    sockets.last().open();
    expect(feed.status()).toMatchObject({ connection: 'CONNECTED', subscribed: false });
    await clock.advance(15_000);
    expect(feed.status().connection).toBe('RECONNECTING');
  });

  it('a refused subscription is an error, never a quiet connection', () => {
    const { sockets, feed } = scene();
    feed.connect();
    sockets.last().open();
    sockets.last().receive({
      type: 'error',
      id: 'subscribe',
      code: 'live.bad_filter',
      error: 'Filter not accepted',
      detail: 'ugc',
      fatal: false,
      retry_after_seconds: null,
    });
    expect(feed.status()).toMatchObject({ connection: 'DISCONNECTED', subscribed: false, error: 'Filter not accepted: ugc' });
  });
});

describe('LV37, LV38: coming back', () => {
  it('LV37, LIVE-02: ten attempts at 1, 2, 4 ... 30 s, then the error and DISCONNECTED', async () => {
    const { clock, sockets, feed, states } = scene();
    feed.connect();
    sockets.last().cut();
    for (const seconds of [1, 2, 4, 8, 16, 30, 30, 30, 30, 30]) {
      const before = sockets.all.length;
      await clock.advance(seconds * 1_000 - 1);
      expect(sockets.all).toHaveLength(before);
      await clock.advance(1);
      expect(sockets.all).toHaveLength(before + 1);
      sockets.last().cut();
    }
    expect(states).toEqual(['CONNECTING', ...Array.from({ length: 10 }, (_, n) => `RECONNECTING ${n + 1}`), 'DISCONNECTED']);
    expect(feed.status()).toMatchObject({ error: 'Max reconnection attempts reached', reconnect: { attempt: 10, maxAttempts: 10 } });
  });

  it('LV37: delays are jittered to 50 to 150 %, and after 1001 the first is 0 to 5 s', async () => {
    for (const [random, code, atLeast, atMost] of [
      [0, 1006, 500, 500],
      [0.9999, 1006, 1_499, 1_500],
      [0, 1001, 0, 0],
      [0.9999, 1001, 4_999, 5_000],
    ] as const) {
      const { clock, sockets, feed } = scene({ random: () => random });
      feed.connect();
      sockets.last().open();
      sockets.last().cut(code);
      await clock.advance(Math.max(0, atLeast - 1));
      expect(sockets.all.length).toBeLessThanOrEqual(atLeast > 0 ? 1 : 2);
      await clock.advance(atMost - atLeast + 2);
      expect(sockets.all).toHaveLength(2);
    }
  });

  it('LV38: after the tenth it tries every 30 to 60 s, shown as RECONNECTING only while trying, and at once when online or visible', async () => {
    const world = scene();
    const { clock, sockets, signals, feed } = world;
    feed.connect();
    sockets.last().cut();
    for (const seconds of [1, 2, 4, 8, 16, 30, 30, 30, 30, 30]) {
      await clock.advance(seconds * 1_000);
      sockets.last().cut();
    }
    expect(sockets.all).toHaveLength(11);
    await clock.advance(45_000);
    expect(feed.status()).toMatchObject({ connection: 'RECONNECTING', reconnect: { attempt: 10 } });
    sockets.last().cut();
    expect(feed.status().connection).toBe('DISCONNECTED');
    signals.online();
    expect(feed.status().connection).toBe('RECONNECTING');
    sockets.last().cut();
    signals.visible();
    accept(world);
    expect(feed.status()).toMatchObject({ connection: 'CONNECTED', error: null, reconnect: { attempt: 0 } });
    signals.visible();
    expect(sockets.all).toHaveLength(14);
  });

  it('LV38, LIVE-04: a manual reconnect disconnects, connects after 1 s, and starts counting anew', async () => {
    const world = scene();
    const { clock, sockets, feed, states } = world;
    feed.connect();
    accept(world);
    sockets.last().cut();
    feed.reconnect();
    expect(feed.status()).toMatchObject({ connection: 'DISCONNECTED', reconnect: { attempt: 0 } });
    await clock.advance(999);
    expect(sockets.all).toHaveLength(1);
    await clock.advance(1);
    accept(world);
    expect(states).toEqual(['CONNECTING', 'CONNECTED', 'RECONNECTING 1', 'DISCONNECTED', 'CONNECTING', 'CONNECTED']);
  });

  it.each([4400, 4403, 4401])('LV35: after %i nothing is retried without something new', async (code) => {
    const world = scene({ credential: () => 'same-token' });
    world.feed.connect();
    accept(world);
    world.sockets.last().cut(code);
    expect(world.feed.status().connection).toBe('DISCONNECTED');
    await world.clock.advance(600_000);
    expect(world.sockets.all).toHaveLength(1);
  });

  it('LV35: after 4401 another credential is tried, and after 4429 and 4503 not before the time the server names', async () => {
    let token = 'old';
    const signedIn = scene({ credential: () => token });
    signedIn.feed.connect();
    accept(signedIn);
    expect(signedIn.sockets.last().sent[0]).toEqual({ type: 'auth', token: 'old' });
    token = 'new';
    signedIn.sockets.last().cut(4401);
    await signedIn.clock.advance(1_000);
    expect(signedIn.sockets.all).toHaveLength(2);
    const throttled = scene();
    throttled.feed.connect();
    accept(throttled);
    throttled.sockets.last().cut(4429, 'code=live.rate; retry=20');
    throttled.signals.online();
    await throttled.clock.advance(19_999);
    expect(throttled.sockets.all).toHaveLength(1);
    await throttled.clock.advance(1);
    expect(throttled.sockets.all).toHaveLength(2);
  });

  it('LV29: a line that is silent for 70 s is dropped and opened again', async () => {
    const world = scene();
    world.feed.connect();
    accept(world);
    await world.clock.advance(69_999);
    expect(world.feed.status().connection).toBe('CONNECTED');
    await world.clock.advance(1);
    expect(world.feed.status().connection).toBe('RECONNECTING');
    expect(world.sockets.last().closedWith).toBe(1000);
  });
});

describe('LV23: keeping the place', () => {
  it('LV23: the newest cursor of any message is sent as since', async () => {
    const world = scene();
    world.feed.connect();
    accept(world);
    expect(world.feed.status().cursor).toBe('e:10');
    world.sockets.last().receive(alert(11));
    world.sockets.last().receive(update(12, 'E11', 'revised'));
    world.sockets.last().receive({ type: 'heartbeat', cursor: 'e:15', freshness });
    world.sockets.last().receive({ type: 'heartbeat', cursor: null, freshness });
    world.sockets.last().cut();
    await world.clock.advance(1_000);
    accept(world);
    expect(world.sockets.last().sent[0]).toMatchObject({ since: 'e:15' });
  });

  it('LV16, LV23: after a gap nothing counts as received until the last part of the snapshot', async () => {
    const world = scene({ cursor: 'old:5' });
    const snapshots: number[] = [];
    world.feed.onSnapshot((event) => snapshots.push(event.alerts.length));
    world.feed.connect();
    accept(world, 'e:20');
    world.sockets.last().receive({ type: 'gap', reason: 'epoch_changed', requested: 'old:5', oldest_cursor: 'e:0', cursor: 'e:20' });
    world.sockets.last().receive(snapshot(20, ['A', 'B'], 1, 2));
    world.sockets.last().cut();
    await world.clock.advance(1_000);
    accept(world);
    expect(world.sockets.last().sent[0]).toMatchObject({ snapshot: 'always' });
    expect(world.sockets.last().sent[0]).not.toHaveProperty('since');
    expect(snapshots).toEqual([]);
    world.sockets.last().receive(snapshot(21, ['A'], 1, 2));
    world.sockets.last().receive(snapshot(21, ['C'], 2, 2));
    expect(snapshots).toEqual([2]);
    expect(world.feed.status()).toMatchObject({ cursor: 'e:21', gap: { reason: 'epoch_changed' } });
    expect(world.feed.status().alerts.map((row) => row.event_id)).toEqual(['C', 'A']);
  });

  it('LV23: another filter discards the cursor and asks for a snapshot', () => {
    const world = scene({ cursor: 'e:3' });
    world.feed.connect();
    accept(world);
    world.feed.setFilter({ ugc: ['IA'] });
    expect(world.sockets.last().sent.at(-1)).toMatchObject({ type: 'subscribe', filter: { ugc: ['IA'] }, snapshot: 'always' });
    expect(world.feed.status().cursor).toBeNull();
    world.sockets.last().receive(alert(30));
    expect(world.feed.status().cursor).toBeNull();
    world.sockets.last().receive(snapshot(31, []));
    expect(world.feed.status()).toMatchObject({ cursor: 'e:31', alerts: [] });
  });
});

describe('LV39: the list', () => {
  it('LV39: alerts are prepended, newest first, one per event, with receivedAt; updates replace in place and ended ones stay', () => {
    const world = scene();
    world.feed.connect();
    accept(world);
    const socket = world.sockets.last();
    for (const message of [
      alert(1, 'A'),
      alert(2, 'B'),
      alert(3, 'C'),
      update(4, 'B', 'cancelled', { state: 'cancelled' }),
      alert(5, 'A'),
      update(6, 'unseen', 'revised'),
    ])
      socket.receive(message);
    expect(world.feed.status().alerts.map((row) => [row.event_id, row.kind, row.state, row.receivedAt])).toEqual([
      ['A', 'issued', 'in_force', START],
      ['C', 'issued', 'in_force', START],
      ['B', 'cancelled', 'cancelled', START],
    ]);
  });

  it('LV39: at most 50 rows; what is beyond, or came while paused, is counted', () => {
    const world = scene();
    world.feed.connect();
    accept(world);
    for (let n = 1; n <= 53; n += 1) world.sockets.last().receive(alert(n));
    expect(world.feed.status().alerts).toHaveLength(50);
    expect(world.feed.status().hidden).toBe(3);
    world.feed.pause();
    world.sockets.last().receive(alert(60));
    world.sockets.last().receive(update(61, 'E53', 'cancelled', { state: 'cancelled' }));
    expect(world.feed.status()).toMatchObject({ paused: true, hidden: 4 });
    expect(world.feed.status().alerts[0]).toMatchObject({ event_id: 'E53', state: 'cancelled' });
    world.feed.resume();
    expect(world.feed.status()).toMatchObject({ paused: false, hidden: 4 });
    expect(world.feed.status().alerts[0]?.event_id).toBe('E60');
    expect(world.feed.status().alerts).toHaveLength(50);
  });

  it('tells a change once, and keeps the same status object while nothing changes', () => {
    const world = scene();
    world.feed.connect();
    accept(world);
    let told = 0;
    world.feed.onStatus(() => (told += 1));
    world.sockets.last().receive(alert(1));
    expect(told).toBe(1);
    const before = world.feed.status();
    world.sockets.last().receive({ type: 'something new', more: true });
    world.sockets.last().receive('not an object' as never);
    expect(world.feed.status()).toEqual(before);
  });
});
