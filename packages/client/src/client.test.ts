import { ALL_ROUTES, type AlertList } from '@nwms/contract';
import { afterEach, describe, expect, it } from 'vitest';
import { ApiError } from './errors.ts';
import { createClient } from './client.ts';
import { EtagCache } from './etag-cache.ts';
import { type AnswerFacts, queryText, type Fetch } from './call.ts';
import { ROUTES } from './routes.ts';

interface Seen {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
}
const seen: Seen[] = [];
afterEach(() => void seen.splice(0));

/** Answers in order; the last one again and again. */
function scripted(...answers: (Response | Error | ((signal: AbortSignal) => Promise<Response>))[]): Fetch {
  let next = 0;
  return async (url, { method, headers, body, signal }) => {
    seen.push({ url, method, headers, body });
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    if (answer instanceof Error) throw answer;
    if (typeof answer === 'function') return answer(signal);
    return (answer as Response).clone();
  };
}
const json = (body: unknown, headers: Record<string, string> = {}, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers } });
const freshness = {
  data_as_of: '2026-11-21T09:00:00Z',
  upstream_age_seconds: 5,
  status: 'live',
  reason: null,
  feed: 'nws',
  simulated: false,
};
const list = (more: object = {}): object => ({ alerts: [], total: 0, truncated: false, warnings: [], freshness, ...more });
const client = (fetch: Fetch, more: object = {}) => createClient({ baseUrl: 'https://alerts.test/', fetch, ...more });
const failed = (promise: Promise<unknown>): Promise<ApiError> =>
  promise.then(
    () => Promise.reject(new Error('did not fail')),
    (error: ApiError) => error,
  );

describe('calls', () => {
  it('every route of the SDK is the contract route of that name', () => {
    for (const [operation, { method, path }] of Object.entries(ROUTES)) {
      expect(ALL_ROUTES.find((route) => route.operation === operation)).toMatchObject({ method, path });
    }
  });

  it('puts lists, path parameters and bodies where the contract has them', async () => {
    const api = client(scripted(json({})));
    await api.alerts.list({ event: ['Flood Warning', 'Tornado Warning'], active_only: true, limit: 0 });
    await api.alerts.get('urn:oid:2.49.0.1/840', { include: ['raw'] });
    await api.alerts.withinShape({ geometry: { type: 'Polygon', coordinates: [] }, active_only: true });
    await api.alerts.ticker({ limit: 5 });
    await api.health.upstream();
    expect(seen.map(({ method, url, body }) => [method, url.replace('https://alerts.test', ''), body])).toEqual([
      ['GET', '/api/v1/alerts?event=Flood+Warning&event=Tornado+Warning&active_only=true&limit=0', undefined],
      ['GET', '/api/v1/alerts/urn%3Aoid%3A2.49.0.1%2F840?include=raw', undefined],
      ['POST', '/api/v1/alerts/within', '{"geometry":{"type":"Polygon","coordinates":[]},"active_only":true}'],
      ['GET', '/api/v1/intelligence/weather-insights/breaking-news-ticker?limit=5', undefined],
      ['GET', '/api/v1/health/upstream', undefined],
    ]);
    expect(queryText({ a: undefined, b: null, c: '', d: [] })).toBe('');
  });

  it('sends the credential as a header, never in the URL, and asks for it before every call', async () => {
    let token: string | null = 'nws_one';
    const api = client(scripted(json({})), { credential: () => token });
    await api.alerts.types();
    token = null;
    await api.alerts.types();
    expect(seen.map(({ headers }) => headers['Authorization'])).toEqual(['Bearer nws_one', undefined]);
    expect(seen.some(({ url }) => url.includes('nws_one'))).toBe(false);
  });

  it('keeps the validator per URL and answers a 304 with the body kept, at the freshness the server states now', async () => {
    const api = client(
      scripted(
        json(list({ total: 0 }), { ETag: 'W/"1"', 'NWMS-Data-Status': 'live', 'X-Request-Id': 'req_1' }),
        new Response(null, {
          status: 304,
          headers: {
            'NWMS-Data-Status': 'unknown',
            'NWMS-Data-Reason': 'poll_failing',
            'NWMS-Data-Age': '4000',
            'NWMS-Data-As-Of': '2026-11-21T08:00:00Z',
          },
        }),
      ),
    );
    const about: AnswerFacts[] = [];
    const first = await api.alerts.list({}, { onAnswer: (facts) => about.push(facts) });
    const second = await api.alerts.list({}, { onAnswer: (facts) => about.push(facts) });
    expect(about).toEqual([
      { status: 200, notModified: false, etag: 'W/"1"', requestId: 'req_1' },
      { status: 304, notModified: true, etag: 'W/"1"', requestId: null },
    ]);
    expect(seen.map(({ headers }) => headers['If-None-Match'])).toEqual([undefined, 'W/"1"']);
    expect(first.freshness.status).toBe('live');
    expect(second.freshness).toEqual({
      ...freshness,
      status: 'unknown',
      reason: 'poll_failing',
      upstream_age_seconds: 4000,
      data_as_of: '2026-11-21T08:00:00Z',
    });
    expect(second.alerts).toBe(first.alerts);
  });

  it('another credential or another URL never sees a kept answer, and only so many are kept', async () => {
    let token = 'a';
    const api = client(scripted(json({}, { ETag: '"x"' })), { credential: () => token, keptAnswers: 2 });
    await api.alerts.types();
    token = 'b';
    await api.alerts.types();
    await api.alerts.stats();
    token = 'a';
    await api.alerts.types();
    expect(seen.map(({ headers }) => headers['If-None-Match'])).toEqual([undefined, undefined, undefined, undefined]);
    const cache = new EtagCache(2);
    for (const url of ['a', 'b', 'a', 'c']) cache.set(url, { etag: url, value: url });
    expect([cache.size, cache.get('b'), cache.get('a')?.value]).toEqual([2, undefined, 'a']);
  });
});

describe('failures', () => {
  it('are told by the error alone', async () => {
    let told = 0;
    await failed(client(scripted(json({ error: 'data.unavailable' }, {}, 503))).alerts.list({}, { onAnswer: () => (told += 1) }));
    expect(told).toBe(0);
  });

  it('an error body becomes an ApiError with code, detail, fields, retry and request id', async () => {
    const problem = {
      error: 'quota.minute_exceeded',
      message: 'Rate limit exceeded',
      detail: 'Slow down.',
      request_id: 'req_1',
      retry_after_seconds: 12,
      status: 429,
    };
    const error = await failed(client(scripted(json(problem, { 'Content-Type': 'application/problem+json' }, 429))).alerts.list());
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 429,
      code: 'quota.minute_exceeded',
      message: 'Rate limit exceeded',
      detail: 'Slow down.',
      requestId: 'req_1',
      retryAfterSeconds: 12,
      retryable: true,
    });
    const bad = await failed(
      client(
        scripted(json({ error: 'request.invalid', fields: [{ name: 'bbox', reason: 'format', message: 'x' }] }, {}, 400)),
      ).alerts.list(),
    );
    expect(bad).toMatchObject({ retryable: false, fields: [{ name: 'bbox' }] });
  });

  it.each([
    ['client.network', scripted(new TypeError('fetch failed')), {}],
    [
      'client.timeout',
      scripted((signal) => new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))),
      { timeoutMs: 20 },
    ],
    ['client.bad_reply', scripted(new Response('<html>Hotel Wi-Fi</html>', { headers: { 'Content-Type': 'text/html' } })), {}],
    ['client.bad_reply', scripted(new Response('{"alerts":[', { headers: { 'Content-Type': 'application/json' } })), {}],
    ['http.502', scripted(new Response('<html>bad gateway</html>', { status: 502 })), {}],
  ])('%s: told apart, and worth another try', async (code, fetch, more) => {
    expect(await failed(client(fetch, more).alerts.list())).toMatchObject({ code, retryable: true });
  });

  it('a body that stops half-way runs into the timeout, too', async () => {
    const stuck = new Response(new ReadableStream({ start: (stream) => stream.enqueue(Buffer.from('{"alerts":[')) }), {
      headers: { 'Content-Type': 'application/json' },
    });
    const error = await failed(
      client(
        async (_url, { signal }) => {
          const { promise, reject } = Promise.withResolvers<string>();
          signal.addEventListener('abort', () => reject(signal.reason as Error));
          return Object.assign(stuck, { text: () => promise });
        },
        { timeoutMs: 20 },
      ).alerts.list(),
    );
    expect(error.code).toBe('client.timeout');
  });

  it('a call that was called off says so and is not worth another try', async () => {
    const stop = new AbortController();
    const call = failed(
      client(scripted((signal) => new Promise((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason))))).alerts.list(
        {},
        { signal: stop.signal },
      ),
    );
    stop.abort();
    expect(await call).toMatchObject({ code: 'client.aborted', retryable: false });
  });
});

describe('activeAlerts', () => {
  const ask = (answer: Response | Error) => client(scripted(answer)).activeAlerts({ ugc: ['IA'] });

  it('says none only when the service vouches for an empty answer', async () => {
    expect(await ask(json(list()))).toMatchObject({ kind: 'none', asOf: freshness.data_as_of, simulated: false });
    expect(seen[0]?.url).toContain('active_only=true');
    expect(await ask(json(list({ freshness: { ...freshness, status: 'simulated', simulated: true } })))).toMatchObject({
      kind: 'none',
      simulated: true,
    });
  });

  it.each([
    ['upstream_frozen', json(list({ freshness: { ...freshness, status: 'stale', reason: 'upstream_frozen' } }))],
    ['never_polled', json(list({ freshness: { ...freshness, status: 'unknown', reason: 'never_polled', data_as_of: null } }))],
    ['live', json(list({ freshness: { ...freshness, data_as_of: null } }))],
    ['zone_unknown', json(list({ warnings: [{ code: 'zone_unknown', message: 'ZZC001' }] }))],
    ['coverage_gap', json(list({ warnings: [{ code: 'coverage_gap', message: 'no data' }] }))],
    ['truncated', json(list({ total: 3 }))],
    ['client.bad_reply', json({ alerts: [] })],
    ['client.bad_reply', new Response('<html></html>', { headers: { 'Content-Type': 'text/html' } })],
    ['client.network', new TypeError('fetch failed')],
    ['data.unavailable', json({ error: 'data.unavailable' }, {}, 503)],
    ['quota.minute_exceeded', json({ error: 'quota.minute_exceeded' }, {}, 429)],
  ])('an empty or failed answer that proves nothing is unknown: %s', async (reason, answer) => {
    expect(await ask(answer)).toMatchObject({ kind: 'unknown', reason });
  });

  it('headers of an answer that say unknown beat a body that says live', async () => {
    expect(await ask(json(list(), { 'NWMS-Data-Status': 'unknown', 'NWMS-Data-Reason': 'poll_failing' }))).toMatchObject({
      kind: 'unknown',
      reason: 'poll_failing',
    });
  });

  it('known alerts stay known when the data ages, and say that there may be others', async () => {
    const rows = { alerts: [{ id: 'a' }], total: 1 } as unknown as AlertList;
    expect(await ask(json(list(rows)))).toMatchObject({ kind: 'alerts', total: 1, current: true });
    expect(await ask(json(list({ ...rows, freshness: { ...freshness, status: 'unknown' } })))).toMatchObject({
      kind: 'alerts',
      current: false,
    });
  });

  it('a mistake of the caller is thrown, for it says nothing about the weather', async () => {
    expect(await failed(ask(json({ error: 'request.invalid' }, {}, 400)))).toMatchObject({ code: 'request.invalid' });
    expect(await failed(ask(json({ error: 'key.invalid' }, {}, 401)))).toMatchObject({ code: 'key.invalid' });
  });
});
