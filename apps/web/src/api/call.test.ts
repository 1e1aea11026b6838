import type { alerts, auth } from '@nwms/contract';
import { describe, expect, test } from 'vitest';
import { apiOver } from './call-fixture.ts';
import { queryText } from './call.ts';
import { ApiError } from './errors.ts';
import { POLICIES, TIMEOUT_SECONDS } from './intervals.ts';
import { line } from './line.ts';

const LIST = line<typeof alerts.listAlerts>('GET', '/alerts');
const ONE = line<typeof alerts.getAlert>('GET', '/alerts/{id}');
const ME = line<typeof auth.getMe>('GET', '/auth/me');
const RENAME = line<typeof auth.updateMe>('PATCH', '/auth/me');
const OUT = line<typeof auth.signOut>('POST', '/auth/logout');

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    new Response(status === 204 || status === 304 ? null : JSON.stringify(body), { status, headers });

function over(answers: (() => Response | Promise<Response>)[], changed: Parameters<typeof apiOver>[1] = {}) {
  const asked: Request[] = [];
  const refused: [string, number][] = [];
  const fetchStub = async (url: string, init: RequestInit) => {
    asked.push(new Request(`http://x.invalid${url}`, { ...init, signal: null }));
    const answer = answers.shift();
    if (!answer) throw new TypeError('no network');
    return answer();
  };
  const api = apiOver(fetchStub as typeof fetch, { onRefused: (token, error) => refused.push([token, error.status]), ...changed });
  return { api, asked, refused };
}
const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
  const error: unknown = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error('expected an ApiError');
  return error;
};

describe('what is sent', () => {
  test('NET-01: paths stand under /api/v1, with their parameters encoded', async () => {
    const { api, asked } = over([json({})]);
    await api.call(ONE, { params: { id: 'urn:a/b c' } });
    expect(asked[0]?.url).toBe('http://x.invalid/api/v1/alerts/urn%3Aa%2Fb%20c');
  });

  test('NET-02: the token is sent when there is one, and never by an anonymous call', async () => {
    const { api, asked } = over([json({}), json({})], { token: () => 't1' });
    await api.call(LIST, {});
    await api.call(LIST, { anonymous: true });
    expect(asked.map(({ headers }) => headers.get('Authorization'))).toEqual(['Bearer t1', null]);
  });

  test('NET-03: nothing is added to make a request unlike the one before; the validator asks instead', async () => {
    const { api, asked } = over([json({ n: 1 }, 200, { ETag: 'W/"7"' }), json(null, 304)]);
    const first = await api.call(LIST, {});
    const second = await api.call(LIST, {});
    expect(asked.map(({ url }) => url)).toEqual(Array(2).fill('http://x.invalid/api/v1/alerts'));
    expect(asked.map(({ headers }) => headers.get('If-None-Match'))).toEqual([null, 'W/"7"']);
    expect(second).toEqual(first);
  });

  test('NET-14: a limit of 0 or none is left out', () => {
    expect([queryText({ limit: 0, q: 'a b' }), queryText({ limit: undefined }), queryText({ limit: 5, severity: ['A', 'B'] })]).toEqual([
      '?q=a%20b',
      '',
      '?limit=5&severity=A%2CB',
    ]);
  });

  test('a change carries its version', async () => {
    const { api, asked } = over([json({})]);
    await api.call(RENAME, { body: { full_name: 'Ada' }, ifMatch: '"v7"' });
    expect([asked[0]?.method, asked[0]?.headers.get('If-Match'), await asked[0]?.text()]).toEqual(['PATCH', '"v7"', '{"full_name":"Ada"}']);
  });
});

describe('what a kept answer may say', () => {
  test('a 304 brings the freshness of now into the body of before', async () => {
    const body = { alerts: [], freshness: { status: 'live', data_as_of: 'a', feed: 'nws' } };
    const { api } = over([
      json(body, 200, { ETag: 'W/"7"', 'NWMS-Data-Status': 'live' }),
      json(null, 304, { 'NWMS-Data-Status': 'unknown', 'NWMS-Data-Reason': 'poll_failing', 'NWMS-Data-Age': '4000' }),
    ]);
    await api.call(LIST, {});
    expect((await api.call(LIST, {})).freshness).toMatchObject({
      status: 'unknown',
      reason: 'poll_failing',
      upstream_age_seconds: 4000,
      feed: 'nws',
    });
  });

  test('answers of one session are not given to the next', async () => {
    let token = 't1';
    const { api, asked } = over([json({ a: 1 }, 200, { ETag: '"1"' }), json({ a: 2 }), json({ a: 3 })], { token: () => token });
    await api.call(ME, {});
    token = 't2';
    await api.call(ME, {});
    api.forget();
    token = 't1';
    await api.call(ME, {});
    expect(asked.map(({ headers }) => headers.get('If-None-Match'))).toEqual([null, null, null]);
  });
});

describe('what a failure is called', () => {
  test('ERR-07: no answer', async () => {
    const error = await failure(over([]).api.call(LIST, {}));
    expect(error).toMatchObject({ message: 'Network error - API server unavailable', status: 0, fallback: true });
  });

  test.each([
    ['standard', 'Request timed out - server may be overloaded'],
    ['ml', 'ML operation timed out - this is normal for complex predictions'],
  ] as const)('ERR-08: no answer in time from the %s client', async (client, message) => {
    const { api } = over([() => Promise.reject(new Error('late'))]);
    const timeout = AbortSignal.timeout;
    try {
      AbortSignal.timeout = () => AbortSignal.abort(new DOMException('late', 'TimeoutError'));
      expect(await failure(api.call(LIST, { client }))).toMatchObject({ message, fallback: true });
    } finally {
      AbortSignal.timeout = timeout;
    }
  });

  test.each([
    [404, 'Endpoint not found'],
    [500, 'Server error - please try again later'],
    [503, 'Server error - please try again later'],
    [429, 'Too many requests - please wait a moment'],
  ])('ERR-09: %i', async (status, message) => {
    const { api } = over([json({ error: 'x.y', detail: 'the words of the server' }, status)]);
    const error = await failure(api.call(LIST, {}));
    expect(error).toMatchObject({ message, status, detail: 'the words of the server', code: 'x.y' });
    // ERR-11: the shape that callers of a tolerant screen keep.
    expect(error.result).toEqual({ error: message, data: null, fallback: true });
  });

  test('ERR-11: a refusal is no fallback, a failure is; neither is ever an empty answer', async () => {
    const { api } = over([json({ detail: 'no' }, 403), json({}, 502)]);
    expect((await failure(api.call(LIST, {}))).result).toBeNull();
    expect((await failure(api.call(LIST, {}))).result).toMatchObject({ data: null, fallback: true });
  });

  test.each([
    [400, { detail: 'Detail', message: 'Message' }, 'Detail'],
    [409, { message: 'Message' }, 'Message'],
    [401, { detail: 'Sign in again' }, 'Sign in again'],
    [418, {}, 'The server answered 418.'],
  ])('ERR-10: %i is rejected with the words of the server', async (status, body, message) => {
    const { api } = over([json(body, status)]);
    expect(await failure(api.call(LIST, {}))).toMatchObject({ message, status, fallback: false });
  });

  test.each([[{ error: 'boom' }], [{ fallback: true, data: null }], [{ error: true, alerts: [] }]])(
    'ERR-12: a success that says %j of itself is a failure',
    async (body) => {
      const { api } = over([json(body)]);
      expect(await failure(api.call(LIST, {}))).toMatchObject({ code: 'answer.flagged', fallback: true });
    },
  );

  test('a 401 is told with the token it was for; a wrong password is not the session’s end, and 403 never is', async () => {
    const { api, refused } = over(
      [json({ error: 'auth.session_ended' }, 401), json({ error: 'auth.invalid_credentials' }, 401), json({}, 403)],
      { token: () => 't1' },
    );
    await failure(api.call(ME, {}));
    await failure(api.call(ME, {}));
    await failure(api.call(ME, {}));
    expect(refused).toEqual([['t1', 401]]);
  });
});

describe('changes', () => {
  test('NET-09: repeated once under one key when there was no answer', async () => {
    const { api, asked } = over([() => Promise.reject(new TypeError('gone')), json(null, 204)]);
    await api.call(OUT, {});
    expect(asked.map(({ headers }) => headers.get('Idempotency-Key'))).toEqual(['made-once', 'made-once']);
  });

  test('NET-09: never more than once, and not at all after a refusal', async () => {
    const broken = over([json({}, 500), json({}, 500), json(null, 204)]);
    await failure(broken.api.call(OUT, {}));
    expect(broken.asked).toHaveLength(2);
    const refused = over([json({}, 409), json(null, 204)]);
    await failure(refused.api.call(OUT, {}));
    expect(refused.asked).toHaveLength(1);
    const once = over([json({}, 500), json(null, 204)]);
    await failure(once.api.call(OUT, { once: true }));
    expect(once.asked).toHaveLength(1);
  });
});

test('NET-04, NET-05: 15 s for the platform, 30 s for the members’ screens, 60 s for ML', () => {
  expect(TIMEOUT_SECONDS).toEqual({ standard: 15, feature: 30, ml: 60 });
});

test('NET-11, NET-12, NET-13: how often screens ask stands in one table', () => {
  expect(POLICIES.analyticsOverview).toEqual({ every: 300, stale: 240, retries: 1 });
  expect([POLICIES.geographic.every, POLICIES.geographic.retries]).toEqual([120, 2]);
  expect([POLICIES.performance.every, POLICIES.performance.retries]).toEqual([60, 2]);
  expect([POLICIES.userAgents.every, POLICIES.endpoints.every, POLICIES.business.every, POLICIES.errors.every]).toEqual([120, 60, 60, 60]);
  expect(POLICIES.realtime).toEqual({ every: 10, stale: 5, retries: 1 });
  expect(POLICIES.alerts).toEqual({ every: 120, stale: 90, retries: 1 });
  expect([POLICIES.alertStats.every, POLICIES.alertStats.stale]).toEqual([180, 120]);
  expect([POLICIES.health.every, POLICIES.health.retries]).toEqual([30, 3]);
});
