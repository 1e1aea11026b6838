import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { alerts, type ReplyOf } from '@nwms/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorld, message, vtec, type World } from '../../../test/alerts-world.ts';
import { EPOCH } from '../../../test/memory-log.ts';
import { conforms } from '../../../test/conforms.ts';
import { installFastPath } from '../../platform/http/fast-path.ts';

const T0 = Date.parse('2026-05-21T19:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const KEY = 'KDMX.SV.W.0106';

let world: World;
beforeEach(async () => {
  world = await createWorld({ at: T0 });
});
afterEach(() => world.close());

const storm = (options: Parameters<typeof message>[0] = {}) =>
  message({ vtec: vtec('NEW', KEY, T0, T0 + HOUR), id: 'urn:oid:first', sent: T0, ends: T0 + HOUR, ...options }, world.clock.now());
const cancel = (at: number) =>
  message(
    { vtec: vtec('CAN', KEY, T0, T0 + HOUR), id: 'urn:oid:cancel', sent: at, ends: T0 + HOUR, properties: { messageType: 'Cancel' } },
    at,
  );

interface List {
  alerts: { id: string; event_id: string; state: string }[];
  total: number;
  next_cursor: string | null;
  freshness: { status: string; reason: string | null };
  warnings: { code: string }[];
}

describe('how far an answer can be relied on', () => {
  it('is 503 data.unavailable while nothing was ever loaded, never an empty list', async () => {
    const cold = await createWorld({ at: T0, start: false });
    cold.freshness.data_as_of = null;
    for (const url of [
      '/alerts',
      '/alerts/stats',
      '/alerts/near?lat=41&lon=-93',
      '/alerts/within?bbox=1,2,3,4',
      '/alerts/changes',
      '/intelligence/weather-insights/breaking-news-ticker',
    ]) {
      expect((await cold.get<{ error: string }>(url)).body.error).toBe('data.unavailable');
    }
    await cold.alerts.start();
    expect((await cold.get('/alerts')).status).toBe(503);
    await cold.close();
  });

  it('an empty list of unknown data says so in body and headers, at once', async () => {
    expect((await world.get<List>('/alerts')).body).toMatchObject({ alerts: [], freshness: { status: 'live' } });
    Object.assign(world.freshness, { status: 'unknown', reason: 'poll_failing' });
    const { body, headers } = await world.get<List>('/alerts');
    expect(body).toMatchObject({ alerts: [], freshness: { status: 'unknown', reason: 'poll_failing' } });
    expect(headers).toMatchObject({ 'nwms-data-status': 'unknown', 'nwms-data-reason': 'poll_failing' });
  });
});

describe('validators', () => {
  it('an unchanged list is 304 while its age moves; the headers stay exact', async () => {
    world.apply([storm()]);
    const first = await world.get('/alerts?active_only=true');
    const etag = String(first.headers['etag']);
    expect(etag).toMatch(/^W\//);
    await world.clock.advance(20_000);
    world.freshness.upstream_age_seconds = 32;
    const second = await world.get('/alerts?active_only=true', { 'if-none-match': `"other", ${etag}` });
    expect([second.status, second.text]).toEqual([304, '']);
    expect(second.headers).toMatchObject({ 'nwms-data-age': '32', etag, 'cache-control': 'no-cache' });
    expect(second.headers['content-length']).toBeUndefined();
  });

  it('moves with every log entry and every clock transition', async () => {
    world.apply([storm()]);
    const tags = new Set<unknown>();
    const note = async () => tags.add((await world.get('/alerts?active_only=true')).headers['etag']);
    await note();
    await world.clock.advance(45 * MINUTE);
    await note();
    world.apply([cancel(world.clock.now())]);
    await note();
    expect(tags.size).toBe(3);
  });

  it('differs between questions', async () => {
    const tags = ['/alerts', '/alerts?limit=5', '/alerts?detail=slim', '/alerts/stats'].map(
      async (url) => (await world.get(url)).headers['etag'],
    );
    expect(new Set(await Promise.all(tags)).size).toBe(4);
  });

  it('compresses large answers as asked, with the same content', async () => {
    world.apply([storm()]);
    const plain = await world.get('/alerts');
    const zipped = await world.app.inject({ method: 'GET', url: '/api/v1/alerts', headers: { 'accept-encoding': 'gzip' } });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(zipped.rawPayload).toString()).toBe(plain.text);
  });
});

describe('list', () => {
  it('pages by cursor through everything once', async () => {
    const all = Array.from({ length: 7 }, (_, n) =>
      storm({ vtec: vtec('NEW', `KDMX.SV.W.000${n + 1}`, T0, T0 + HOUR), id: `urn:oid:${n}` }),
    );
    world.apply(all);
    const seen: string[] = [];
    let url = '/alerts?limit=3';
    for (let page = 0; page < 3; page += 1) {
      const { body, headers } = await world.get<List>(url);
      seen.push(...body.alerts.map((alert) => alert.event_id));
      expect(body.total).toBe(7);
      if (body.next_cursor === null) break;
      expect(headers['link']).toContain(encodeURIComponent(body.next_cursor));
      url = `/alerts?limit=3&cursor=${body.next_cursor}`;
    }
    expect(new Set(seen).size).toBe(7);
    expect(seen).toHaveLength(7);
  });

  it('as known then: at answers with the state and the messages of that instant', async () => {
    world.apply([storm()]);
    await world.clock.advance(10 * MINUTE);
    world.apply([cancel(world.clock.now())]);
    await world.clock.advance(10 * MINUTE);
    const now = (await world.get<List>('/alerts')).body;
    const then = (await world.get<List>(`/alerts?at=${new Date(T0 + MINUTE).toISOString()}`)).body;
    expect(now.alerts[0]).toMatchObject({ state: 'cancelled' });
    expect(then.alerts[0]).toMatchObject({ state: 'in_force', id: 'urn:oid:first' });
    expect(then.freshness).toMatchObject({ status: 'live', reason: 'as_of_query' });
  });

  it('says what a typo hides instead of answering "none"', async () => {
    const { body } = await world.get<List>('/alerts?event=Tornado%20Wraning&ugc=XQ&family=tornado');
    expect(body.warnings.map((warning) => warning.code).sort()).toEqual(['event_unknown', 'zone_unknown']);
  });

  it('says which active alerts an area question cannot place', async () => {
    world.apply([storm()]);
    const { body } = await world.get<List>('/alerts?bbox=-100,30,-90,45');
    expect(body).toMatchObject({ total: 0, warnings: [{ code: 'shape_unknown' }] });
  });

  it.each([
    ['/alerts?limit=1001', 'request.invalid'],
    ['/alerts?state=IA', 'request.unknown_parameter'],
    ['/alerts?offset=1&cursor=abc', 'request.invalid'],
    ['/alerts?cursor=abc', 'query.cursor_invalid'],
    ['/alerts?at=2027-01-01', 'request.invalid'],
    ['/alerts?from=2020-01-01&to=2026-01-01', 'query.window_too_large'],
    ['/alerts?severity=worst', 'request.invalid'],
    ['/alerts?lat=41', 'request.invalid'],
  ])('refuses %s', async (url, code) => {
    const { status, body } = await world.get<{ error: string; fields?: unknown[] }>(url);
    expect([status, body.error]).toEqual([400, code]);
  });

  it('offers what to use instead of parameters of other services (DOCS-08)', async () => {
    const { body } = await world.get<{ detail: string }>('/alerts?state=IA');
    expect(body.detail).toContain('ugc=IA');
  });

  it('406 names what is offered', async () => {
    const { status, body } = await world.get<{ detail: string }>('/alerts', { accept: 'image/png' });
    expect(status).toBe(406);
    expect(body.detail).toContain('application/json');
  });
});

describe('one alert', () => {
  it('answers event id, message id and superseded message id, with every documented member', async () => {
    world.apply([storm()]);
    await world.clock.advance(10 * MINUTE);
    world.apply([storm({ vtec: vtec('CON', KEY, null, T0 + HOUR), id: 'urn:oid:second', sent: world.clock.now() })]);
    for (const [id, expected] of [
      [`${KEY}.2026`, 'urn:oid:second'],
      ['urn:oid:second', 'urn:oid:second'],
      ['urn:oid:first', 'urn:oid:first'],
    ]) {
      const { body } = await world.get<{ id: string; state: string; superseded_by: string | null }>(`/alerts/${encodeURIComponent(id!)}`);
      expect(body.id).toBe(expected);
      conforms(alerts.AlertDetail, body);
    }
    const { body: first } = await world.get('/alerts/urn:oid:first');
    expect(first).toMatchObject({ state: 'superseded', superseded_by: 'urn:oid:second' });
    const raw = await world.get<{ raw: unknown }>('/alerts/urn:oid:first?include=raw');
    expect(raw.body.raw).toEqual({ raw: 'urn:oid:first' });
    expect((await world.get<{ error: string }>('/alerts/urn:oid:none')).body.error).toBe('alert.not_found');
  });

  it('tells its whole life, oldest first', async () => {
    world.apply([storm()]);
    await world.clock.advance(10 * MINUTE);
    world.apply([cancel(world.clock.now())]);
    const { body } = await world.get<alerts.AlertHistory>(`/alerts/${KEY}.2026/history`);
    conforms(alerts.AlertHistory, body);
    expect(body.versions.map((version) => version.kind)).toEqual(['issued', 'cancelled']);
  });

  it('lists the registry of types', async () => {
    const { body } = await world.get<ReplyOf<typeof alerts.alertTypes>>('/alerts/types');
    conforms(alerts.AlertTypes, body);
    expect(body.types.length).toBeGreaterThan(100);
    const { etag } = (await world.app.inject({ url: '/api/v1/alerts/types' })).headers;
    const known = await world.app.inject({ url: '/api/v1/alerts/types', headers: { 'if-none-match': String(etag) } });
    expect([known.statusCode, known.body, known.headers.etag]).toEqual([304, '', etag]);
  });
});

describe('changes', () => {
  const since = (seq: number, more = '') =>
    world.get<alerts.AlertChanges & { error?: string }>(`/alerts/changes?since=${EPOCH}:${seq}${more}`);

  it('tells every entry after the cursor, in order, and where to go on', async () => {
    expect((await world.get<alerts.AlertChanges>('/alerts/changes')).body).toMatchObject({ changes: [], cursor: `${EPOCH}:0` });
    world.apply([storm()]);
    await world.clock.advance(MINUTE);
    world.apply([cancel(world.clock.now())]);
    const { body } = await since(0);
    conforms(alerts.AlertChanges, body);
    expect(body.changes.map((change) => [change.seq, change.kind])).toEqual([
      [1, 'issued'],
      [2, 'cancelled'],
    ]);
    const page = await since(0, '&limit=1');
    expect(page.body).toMatchObject({ cursor: `${EPOCH}:1`, has_more: true });
    expect((await since(1)).body.changes.map((change) => change.seq)).toEqual([2]);
  });

  it('tells that an alert left the filter, not only that it entered', async () => {
    world.apply([storm({ ugc: ['IAC153', 'IAC169'], same: ['019153', '019169'] })]);
    await world.clock.advance(MINUTE);
    const part = {
      vtec: vtec('CAN', KEY, T0, T0 + HOUR),
      id: 'urn:oid:part',
      sent: world.clock.now(),
      ugc: ['IAC169'],
      same: ['019169'],
      ends: T0 + HOUR,
    };
    world.apply([message({ ...part, properties: { messageType: 'Cancel' } }, world.clock.now())]);
    expect(world.alerts.board.rows()[0]?.alert.ugc).toEqual(['IAC153']);
    expect((await since(0, '&ugc=IAC169')).body.changes.map((change) => change.seq)).toEqual([1, 2]);
    // The same when the version before is not part of what is read.
    expect((await since(1, '&ugc=IAC169')).body.changes.map((change) => change.seq)).toEqual([2]);
    expect((await since(0, '&ugc=NE')).body).toMatchObject({ changes: [], cursor: `${EPOCH}:2` });
  });

  it('waits for the first entry that passes, and no longer than asked', async () => {
    const waiting = since(0, '&wait=30&ugc=IA');
    await world.clock.advance(5_000);
    world.apply([storm()]);
    expect((await waiting).body.changes.map((change) => change.seq)).toEqual([1]);
    const inVain = since(1, '&wait=10');
    await world.clock.advance(10_000);
    expect((await inVain).body).toMatchObject({ changes: [], cursor: `${EPOCH}:1` });
  });

  it.each([
    ['nonsense', 400, 'query.cursor_invalid'],
    [`${EPOCH}:99`, 400, 'query.cursor_invalid'],
    ['zzzzzzzz:0', 410, 'feed.epoch_changed'],
  ])('refuses %s', async (cursor, expectedStatus, code) => {
    const { status, body } = await world.get<{ error: string }>(`/alerts/changes?since=${cursor}`);
    expect([status, body.error]).toEqual([expectedStatus, code]);
  });

  it('says where to go on when the position is gone', async () => {
    expect((await world.get('/alerts/changes?since=zzzzzzzz:0')).body).toMatchObject({
      latest_cursor: `${EPOCH}:0`,
      oldest_cursor: `${EPOCH}:0`,
    });
  });
});

describe('ticker', () => {
  it('is empty only when nothing is active; otherwise even a minor alert fills it', async () => {
    const url = '/intelligence/weather-insights/breaking-news-ticker';
    expect((await world.get<alerts.Ticker>(url)).body).toMatchObject({ breaking_alerts: [], total_active: 0 });
    world.apply([storm({ event: 'Wind Advisory', properties: { severity: 'Minor', headline: null } })]);
    const { body } = await world.get<alerts.Ticker>(url);
    conforms(alerts.Ticker, body);
    expect(body.total_active).toBe(1);
    expect(body.breaking_alerts[0]?.headline).toMatch(/^Wind Advisory: Polk/);
    await world.clock.advance(HOUR);
    expect((await world.get<alerts.Ticker>(url)).body.breaking_alerts).toEqual([]);
  });
});

describe('fast path', () => {
  it('sends what the framework sends, and steps aside for everything it cannot know', async () => {
    world.apply([storm()]);
    let served = 0;
    await world.app.listen({ host: '127.0.0.1', port: 0 });
    installFastPath(world.app, {
      find: (request) => world.alerts.ready(request),
      requestId: () => 'req_fast',
      served: () => (served += 1),
    });
    const base = `http://127.0.0.1:${(world.app.server.address() as AddressInfo).port}/api/v1/alerts`;
    const ask = async (headers: Record<string, string> = {}, query = '?active_only=true') => {
      const reply = await fetch(base + query, { headers: { accept: '*/*', 'accept-encoding': 'identity', ...headers } });
      const names = [...reply.headers].filter(([name]) => !['x-request-id', 'date'].includes(name));
      return { status: reply.status, text: await reply.text(), names, etag: reply.headers.get('etag') ?? '' };
    };
    const slow = await ask();
    expect(served).toBe(0);
    expect(await ask()).toEqual(slow);
    expect(await ask({}, '?active_only=true&_t=123')).toEqual(slow);
    expect(served).toBe(2);
    expect(await ask({ 'if-none-match': slow.etag })).toMatchObject({ status: 304, text: '' });
    expect(served).toBe(3);
    await ask({ origin: 'https://elsewhere.example' });
    await ask({ authorization: 'Bearer x' });
    await ask({ 'x-api-key': 'x' });
    await ask({ accept: 'application/json' });
    expect(served).toBe(3);
    world.apply([cancel(world.clock.now() + 1)]);
    expect((await ask()).text).not.toBe(slow.text);
    expect(served).toBe(3);
  });
});
