import { QueryClient } from '@tanstack/react-query';
import type { SnapshotEvent } from '@nwms/client/feed-types';
import type { Freshness, LiveAlert, ServerMessage } from '@nwms/contract';
import { expect, test } from 'vitest';
import { apiOver } from '../../api/call-fixture.ts';
import type { LiveConnection } from '../../api/live.ts';
import type { FreshnessNote } from '../../lib/freshness.ts';
import type { AlertBook } from './alert-book.ts';
import { alertFixture } from './alert-fixture.ts';
import { createAlertSync, KEYS } from './alert-sync.ts';

const fresh: Freshness = {
  data_as_of: '2026-05-01T13:00:00Z',
  upstream_age_seconds: 5,
  status: 'simulated',
  reason: null,
  feed: 'simulator',
  simulated: true,
};

/** The sync over answers and messages the test gives. Timers of the sync run when the test says. */
function setUp(answers: (() => Response)[]) {
  const queries = new QueryClient();
  const asked: Request[] = [];
  const started: (string | null)[] = [];
  const timers: (() => void)[] = [];
  let onMessage: (message: ServerMessage) => void = () => {};
  let onSnapshot: (snapshot: SnapshotEvent) => void = () => {};
  const live: LiveConnection = {
    start: (cursor) => void started.push(cursor),
    stop: () => {},
    reconnect: () => {},
    status: () => ({ state: 'CONNECTED', attempt: 0, maxAttempts: 10, error: null }),
    onStatus: () => () => {},
    onMessage: (listener) => ((onMessage = listener), () => {}),
    onSnapshot: (listener) => ((onSnapshot = listener), () => {}),
  };
  const fetchStub = async (url: string | URL | Request, init?: RequestInit) => {
    asked.push(new Request(url as string, init));
    const answer = answers.shift();
    if (!answer) throw new TypeError('no network');
    return answer();
  };
  const sync = createAlertSync({
    api: apiOver(fetchStub as typeof fetch, { baseUrl: 'http://x.invalid' }),
    queries,
    live,
    now: () => 1,
    every: () => () => {},
    after: (_delay, run) => void timers.push(run),
  });
  const ids = () => [...(queries.getQueryData<AlertBook>(KEYS.book)?.rows.keys() ?? [])];
  const note = () => queries.getQueryData<FreshnessNote>(KEYS.freshness)?.freshness;
  const settle = () => timers.splice(0).forEach((run) => run());
  return {
    sync,
    asked,
    started,
    ids,
    note,
    settle,
    queries,
    send: (m: ServerMessage) => onMessage(m),
    snapshot: (s: SnapshotEvent) => onSnapshot(s),
  };
}

const listAnswer =
  (seq: number, ...alerts: LiveAlert[]) =>
  () =>
    Response.json(
      { alerts, next_cursor: null, freshness: fresh, position: { epoch: 'e', seq, cursor: `e:${seq}` } },
      { headers: { ETag: 'W/"1"', 'NWMS-Data-Status': 'simulated', 'NWMS-Data-Age': '7', 'NWMS-Data-As-Of': '2026-05-01T13:00:01Z' } },
    );

test('the live feed goes on from the position of the first list, so that nothing falls between them', async () => {
  const { sync, started, ids } = setUp([listAnswer(7, alertFixture({ event_id: 'A' }))]);
  await sync.refresh();
  expect([ids(), started]).toEqual([['A'], ['e:7']]);
});

test('a list that fails starts the live feed with a snapshot, and is still told as a failure', async () => {
  const { sync, started, ids, snapshot } = setUp([]);
  await expect(sync.refresh()).rejects.toThrow('Network error - API server unavailable');
  expect([started, ids()]).toEqual([[null], []]);
  snapshot({ alerts: [alertFixture({ event_id: 'B' })], cursor: 'e:9', freshness: fresh });
  expect(ids()).toEqual(['B']);
});

test('an unchanged list keeps the rows and renews the freshness, simulated stays simulated when it goes stale', async () => {
  const unchanged = () => new Response(null, { status: 304, headers: { 'NWMS-Data-Status': 'stale', 'NWMS-Data-Age': '400' } });
  const { sync, asked, ids, note } = setUp([listAnswer(7, alertFixture({ event_id: 'A' })), unchanged]);
  await sync.refresh();
  await sync.refresh();
  expect(asked[1]?.headers.get('If-None-Match')).toBe('W/"1"');
  expect(ids()).toEqual(['A']);
  expect(note()).toMatchObject({ status: 'stale', upstream_age_seconds: 400, simulated: true });
});

test('the headers of an answer are newer than the object in its body', async () => {
  const { sync, note } = setUp([listAnswer(7)]);
  await sync.refresh();
  expect(note()?.upstream_age_seconds).toBe(7);
});

test('an empty snapshot of a server that has loaded nothing yet takes nothing away', async () => {
  const { sync, ids, note, snapshot } = setUp([listAnswer(7, alertFixture({ event_id: 'A' }))]);
  await sync.refresh();
  snapshot({ alerts: [], cursor: 'f:0', freshness: { ...fresh, status: 'unknown', reason: 'starting' } });
  expect(ids()).toEqual(['A']);
  expect(note()?.status).toBe('unknown');
});

test('entries of one burst are taken in together', async () => {
  const { sync, ids, send, settle } = setUp([listAnswer(7, alertFixture({ event_id: 'A' }))]);
  await sync.refresh();
  for (const [index, event_id] of ['B', 'C'].entries())
    send({
      type: 'alert',
      seq: 8 + index,
      cursor: `e:${8 + index}`,
      at: '',
      kind: 'issued',
      channels: ['alerts'],
      alert: alertFixture({ event_id }),
    });
  expect(ids()).toEqual(['A']);
  settle();
  expect(ids()).toEqual(['A', 'B', 'C']);
});

test('ALRT-13: pages of a long list are all read, and the lowest position counts', async () => {
  const page = (seq: number, next: string | null, id: string) => () =>
    Response.json({
      alerts: [alertFixture({ event_id: id })],
      next_cursor: next,
      freshness: fresh,
      position: { epoch: 'e', seq, cursor: `e:${seq}` },
    });
  const { sync, ids, queries, asked } = setUp([page(7, 'next', 'A'), page(9, null, 'B')]);
  await sync.refresh();
  expect(ids()).toEqual(['A', 'B']);
  expect(asked[1]?.url).toContain('cursor=next');
  expect(queries.getQueryData<AlertBook>(KEYS.book)?.listSeq).toBe(7);
});

test('entries that overtake the first list, because the connection was open before, are not lost', async () => {
  const { sync, send, settle, ids } = setUp([listAnswer(7, alertFixture({ event_id: 'A' }))]);
  send({ type: 'alert', seq: 8, cursor: 'e:8', at: '', kind: 'issued', channels: ['alerts'], alert: alertFixture({ event_id: 'B' }) });
  settle();
  await sync.refresh();
  expect(ids()).toEqual(['A', 'B']);
});
