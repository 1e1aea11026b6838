import type { LiveAlert, ServerMessage } from '@nwms/contract';
import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { LiveStatus } from '../../api/live.ts';
import { createFeedStore, type FeedStore } from './feed-store.ts';
import { connectionWords, emptyWords, pausedWords } from './feed-words.ts';

let send: (message: ServerMessage) => void;
let snapshot: (alerts: LiveAlert[]) => void;
let now = 0;
let feed: FeedStore;
beforeEach(() => {
  now = 1_000;
  feed = createFeedStore({
    now: () => now,
    live: {
      onMessage: (listener) => ((send = listener), () => {}),
      onSnapshot: (listener) => ((snapshot = (alerts) => listener({ alerts, cursor: 'e:1', freshness: {} as never })), () => {}),
    },
  });
});

const alert = (event_id: string, over: Partial<LiveAlert> = {}) =>
  ({ event_id, severity: 'Severe', is_active: true, state: 'in_force', sent: '2026-05-01T12:00:00Z', ...over }) as LiveAlert;
const issued = (event_id: string, over: Partial<LiveAlert> = {}) =>
  send({ type: 'alert', kind: 'issued', seq: 1, alert: alert(event_id, over) } as ServerMessage);
const updated = (event_id: string, over: Partial<LiveAlert> = {}) =>
  send({ type: 'update', kind: 'revised', seq: 2, update: { alert: alert(event_id, over) } } as ServerMessage);
const ids = () => feed.view().rows.map((row) => row.event_id);

describe('the list of the feed', () => {
  test('LIVE-05: newest first, at most 50, with the time they came; older ones are counted, not forgotten', () => {
    for (let at = 0; at < 60; at += 1) {
      now = at;
      issued(`e${at}`);
    }
    expect(ids()).toEqual(Array.from({ length: 50 }, (_, at) => `e${59 - at}`));
    expect(feed.view().rows[0]?.receivedAt).toBe(59);
    expect([feed.view().counts.total, feed.view().beyond]).toEqual([60, 10]);
    feed.clear();
    expect([ids(), feed.view().counts.total, feed.view().beyond]).toEqual([[], 0, 0]);
  });
  test('LIVE-10: counters follow what was told, by the severity it has now', () => {
    issued('a', { severity: 'Extreme' });
    issued('b', { severity: 'Severe' });
    issued('c', { severity: 'Minor' });
    issued('a', { severity: 'Extreme' });
    expect(feed.view().counts).toEqual({ total: 3, severeOrExtreme: 2, extreme: 1 });
    updated('b', { severity: 'Extreme' });
    updated('never told of', { severity: 'Extreme' });
    expect(feed.view().counts).toEqual({ total: 3, severeOrExtreme: 2, extreme: 2 });
  });
  test('LIVE-12: a pause holds back what is new, says how many, and its end shows all of them', () => {
    issued('before');
    feed.pause();
    issued('one');
    issued('two');
    issued('two');
    expect([ids(), feed.view().pending, feed.view().counts.total]).toEqual([['before'], 2, 1]);
    expect(pausedWords(feed.view().pending)).toBe('Feed is paused. 2 new alerts pending.');
    feed.resume();
    expect([ids(), feed.view().pending, feed.view().counts.total]).toEqual([['two', 'one', 'before'], 0, 3]);
  });
  test('what ended while paused does not go on claiming to be in force', () => {
    issued('a');
    feed.pause();
    updated('a', { is_active: false, state: 'cancelled' });
    expect(feed.view().rows[0]?.is_active).toBe(false);
  });
  test('the snapshot other screens begin with is not news; after a gap the list is built from it, and says so', () => {
    snapshot([alert('old')]);
    expect([ids(), feed.view().rebuiltAtMs]).toEqual([[], null]);
    issued('a');
    send({ type: 'gap' } as ServerMessage);
    now = 5_000;
    snapshot([alert('b'), alert('c', { sent: '2026-05-01T13:00:00Z' })]);
    expect([ids(), feed.view().rebuiltAtMs, feed.view().counts.total]).toEqual([['c', 'b'], 5_000, 2]);
  });
  test('whatever comes in whatever order: one row per event, total = shown + beyond, pending never below what waits', () => {
    const step = fc.oneof(
      fc.record({ what: fc.constantFrom('issued', 'updated'), id: fc.nat(70), severity: fc.constantFrom(...SEVERITIES) }),
      fc.record({ what: fc.constantFrom('pause', 'resume', 'clear') }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        feed.clear();
        feed.resume();
        for (const each of steps) {
          if ('id' in each) (each.what === 'issued' ? issued : updated)(`e${each.id}`, { severity: each.severity });
          else feed[each.what as 'pause' | 'resume' | 'clear']();
          const view = feed.view();
          expect(new Set(view.rows.map((row) => row.event_id)).size).toBe(view.rows.length);
          expect(view.rows.length).toBeLessThanOrEqual(50);
          expect(view.counts.total).toBe(view.rows.length + view.beyond);
          expect(view.paused ? 0 : view.pending).toBe(0);
        }
      }),
    );
  });
});

test('LIVE-08, LIVE-13: words of the connection and of the empty list', () => {
  const status = (state: LiveStatus['state']): LiveStatus => ({ state, attempt: 3, maxAttempts: 10, error: null });
  expect(
    (['CONNECTED', 'CONNECTING', 'RECONNECTING', 'DISCONNECTED', 'CLOSING'] as const).map((state) => connectionWords(status(state))),
  ).toEqual(['Live', 'Connecting...', 'Reconnecting... (3/10)', 'Disconnected', 'Disconnected']);
  expect([emptyWords(status('CONNECTED')), emptyWords(status('RECONNECTING'))]).toEqual([
    'Waiting for real-time alerts...',
    'Connect to start receiving alerts',
  ]);
});
