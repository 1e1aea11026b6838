import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '@nwms/contract/examples';
import { REVALIDATED } from '../src/features/usage/insight-callers.ts';
import type { Locator } from '../src/features/usage/index.ts';
import { boot, type Booted } from './boot.ts';
import { poll } from './child-server.ts';
import { signIn } from './sign-in.ts';

const PLACES: Record<string, string> = { '8.8.8.8': 'US', '8.8.4.4': 'US', '193.99.144.80': 'DE' };
const CREDIT = { text: 'Somebody', url: 'https://example.org' };
const locator: Locator = {
  placeOf: (address) => ({ country: PLACES[address] ?? 'ZZ', region: null, city: PLACES[address] ? `City of ${PLACES[address]}` : null }),
  attribution: () => CREDIT,
};
const CHROME = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

const dataDir = mkdtempSync(join(tmpdir(), 'nwms-usage-'));
const ENV = { FEED: 'simulator', TRUSTED_PROXIES: '127.0.0.1,::1,::ffff:127.0.0.1', LIMITS_FACTOR: '1000' };
let product: Booted;
let admin: string;
beforeAll(async () => {
  product = await boot(ENV, { locator, dataDir });
  await product.until('/alerts?limit=1&active_only=true', (answer) => answer.total > 20);
  admin = await signIn(product.url, 'admin');
}, 120_000);
afterAll(async () => {
  await product.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

// oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
const figures = async (path: string): Promise<any> => {
  const answer = await fetch(`${product.url}/api/v1/analytics/${path}`, {
    headers: { authorization: `Bearer ${admin}`, 'user-agent': 'node' },
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
};
// oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
const json = async (path: string, body: object, ip = '8.8.8.8'): Promise<any> => {
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': ip };
  return (await fetch(`${product.url}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
};
/** Single requests as recorded, without those that ask for figures. */
const recorded = async (
  query: string,
): Promise<{ endpoint: string; status: number; alerts_served: number; [member: string]: unknown }[]> => {
  const all = (await figures(`requests?limit=500${query}`)).requests as { endpoint: string; status: number; alerts_served: number }[];
  return all.filter(({ endpoint }) => !endpoint.startsWith('/api/v1/analytics'));
};

interface Ask {
  path: string;
  times: number;
  ip: string;
  agent: string;
  status: number;
  endpoint: string;
  error?: string;
  method?: string;
  headers?: Record<string, string>;
}
const SCRIPT: readonly Ask[] = [
  { path: '/alerts?limit=5', times: 12, ip: '8.8.8.8', agent: CHROME, status: 200, endpoint: '/api/v1/alerts' },
  { path: '/alerts?limit=5', times: 4, ip: '8.8.4.4', agent: PHONE, status: 200, endpoint: '/api/v1/alerts' },
  { path: '/alerts/stats', times: 3, ip: '193.99.144.80', agent: CHROME, status: 200, endpoint: '/api/v1/alerts/stats' },
  {
    path: '/alerts/near?lat=41.6&lon=-93.6',
    times: 5,
    ip: '193.99.144.80',
    agent: 'curl/8.5.0',
    status: 200,
    endpoint: '/api/v1/alerts/near',
  },
  {
    path: '/alerts?bbox=-110,30,-80,45&limit=2',
    times: 2,
    ip: '193.99.144.80',
    agent: 'curl/8.5.0',
    status: 200,
    endpoint: '/api/v1/alerts',
  },
  { path: '/alerts?from=2026-01-01&limit=2', times: 3, ip: '8.8.8.8', agent: CHROME, status: 200, endpoint: '/api/v1/alerts' },
  {
    path: '/alerts?limit=nonsense',
    times: 6,
    ip: '8.8.4.4',
    agent: PHONE,
    status: 400,
    error: 'request.invalid',
    endpoint: '/api/v1/alerts',
  },
  {
    path: '/alerts/near?lat=400&lon=0',
    times: 2,
    ip: '8.8.4.4',
    agent: PHONE,
    status: 400,
    error: 'request.invalid',
    endpoint: '/api/v1/alerts/near',
  },
  { path: '/no/such/route', times: 4, ip: '8.8.8.8', agent: GOOGLEBOT, status: 404, error: 'route.not_found', endpoint: '(unmatched)' },
  { path: '/auth/me', times: 3, ip: '8.8.8.8', agent: '', status: 401, error: 'auth.missing', endpoint: '/api/v1/auth/me' },
];

describe('usage of a real server', () => {
  it('API-11 to API-18: a script of requests is found again in every answer, to the request', { timeout: 120_000 }, async () => {
    // The first poll may have been waited for with refusals.
    const before = await poll(
      async () => ({ ...(await figures('overview')), errors: (await figures('errors')).total_errors as number }),
      (answer) => answer.total_requests > 0,
      20_000,
    );
    const statuses: number[] = [];
    let alertsServed = 0;
    for (const { path, times, ip, agent, method = 'GET', headers } of SCRIPT) {
      for (let n = 0; n < times; n += 1) {
        const answer = await fetch(`${product.url}/api/v1${path}`, {
          method,
          headers: { 'x-forwarded-for': ip, 'user-agent': agent, ...headers },
        });
        statuses.push(answer.status);
        const body = (await answer.json()) as { alerts?: unknown[] };
        alertsServed += answer.status === 200 && Array.isArray(body.alerts) ? body.alerts.length : 0;
      }
    }
    expect(statuses).toEqual(SCRIPT.flatMap(({ status, times }) => Array.from({ length: times }, () => status)));
    // A 304 has no alerts; what is not counted leaves no trace.
    const etag = (
      await fetch(`${product.url}/api/v1/alerts/types`, { headers: { 'x-forwarded-for': '8.8.8.8', 'user-agent': CHROME } })
    ).headers.get('etag');
    expect(etag).not.toBeNull();
    for (const path of ['/api/v1/health', '/health', '/docs', '/api/v1/openapi.json', '/metrics', '/nothing'])
      await (await fetch(product.url + path, { headers: { 'x-forwarded-for': '8.8.8.8' } })).text();
    await fetch(`${product.url}/api/v1/alerts`, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'GET' },
    });

    const scripted = SCRIPT.reduce((sum, { times }) => sum + times, 0);
    const rows = await poll(
      () => recorded(''),
      (found) => found.filter(({ country_code }) => country_code !== 'ZZ').length >= scripted + 1,
      20_000,
    );
    const own = rows.filter(({ country_code, endpoint }) => country_code !== 'ZZ' && endpoint !== '/api/v1/alerts/types');
    expect(own.length).toBe(scripted);
    const sum = (of: (one: Ask) => boolean) => SCRIPT.filter(of).reduce((total, { times }) => total + times, 0);
    for (const endpoint of new Set(SCRIPT.map((one) => one.endpoint))) {
      expect([endpoint, own.filter((row) => row.endpoint === endpoint).length]).toEqual([
        endpoint,
        sum((one) => one.endpoint === endpoint),
      ]);
    }
    expect(own.reduce((total, row) => total + row.alerts_served, 0)).toBe(alertsServed);

    const places = await figures('geographic');
    const ofCountry = (code: string) => places.country_stats.find((row: { country_code: string }) => row.country_code === code);
    expect(ofCountry('US')).toMatchObject({ country: 'United States', requests: sum(({ ip }) => PLACES[ip] === 'US') + 1, unique_ips: 2 });
    expect(ofCountry('DE')).toMatchObject({ requests: sum(({ ip }) => PLACES[ip] === 'DE'), unique_ips: 1 });
    expect(places.country_stats.reduce((total: number, row: { requests: number }) => total + row.requests, 0)).toBe(places.total_requests);
    expect(places.attribution_url).toBe('https://example.org');

    const agents = await figures('user-agents');
    expect(agents).toMatchObject({
      desktop_requests: sum(({ agent }) => agent === CHROME) + 1,
      mobile_requests: sum(({ agent }) => agent === PHONE),
      bot_requests: sum(({ agent }) => agent === GOOGLEBOT),
    });
    expect(agents.bots).toEqual([{ name: 'Googlebot', requests: 4 }]);
    expect(agents.clients).toContainEqual({ name: 'curl', requests: 7 });

    const errors = await figures('errors');
    const ofCode = (code: string) => errors.error_by_code.find((row: { error: string }) => row.error === code)?.count;
    expect([ofCode('request.invalid'), ofCode('route.not_found'), ofCode('auth.missing')]).toEqual([8, 4, 3]);
    // Refusals of the time before the first data may have been written since.
    expect(errors.total_errors - before.errors).toBeGreaterThanOrEqual(15);
    expect(errors.error_by_status.reduce((total: number, row: { count: number }) => total + row.count, 0)).toBe(errors.total_errors);

    const business = await figures('business-metrics');
    expect(business).toMatchObject({ geographic_queries: 7, time_filtered_queries: 3, push_sent: null });
    expect(business.total_alerts_served).toBeGreaterThanOrEqual(alertsServed);

    const realtime = await figures('realtime?minutes_back=15');
    expect(realtime.requests_per_minute.length).toBe(15);
    expect(realtime.requests_per_minute.reduce((total: number, row: { requests: number }) => total + row.requests, 0)).toBe(
      realtime.totals.requests,
    );
    expect(realtime).toMatchObject({ active_users: 1, live_connections: { websocket: 0, sse: 0 }, in_flight: 1 });
    const after = await figures('overview');
    expect(after.total_requests - before.total_requests).toBeGreaterThanOrEqual(scripted + 1);
    expect(after.by_principal.session).toBeGreaterThan(0);
  });

  it(
    'KEY-02: keys and sessions say from which country they are used, and nothing where that is not known',
    { timeout: 60_000 },
    async () => {
      const headers = { authorization: `Bearer ${admin}`, 'content-type': 'application/json', 'user-agent': 'node' };
      const made = await fetch(`${product.url}/api/v1/api-keys`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ description: 'abroad' }),
      });
      const { id, api_key: key } = (await made.json()) as { id: string; api_key: string };
      const from = async (): Promise<unknown> => {
        const answer = await fetch(`${product.url}/api/v1/api-keys/${id}`, { headers });
        return ((await answer.json()) as { last_used_from: unknown }).last_used_from;
      };
      expect(await from()).toBeNull();
      const use = (ip: string) =>
        fetch(`${product.url}/api/v1/alerts?limit=1`, { headers: { 'x-api-key': key, 'x-forwarded-for': ip, 'user-agent': 'script/1' } });
      for (const [ip, country_code] of [
        ['8.8.8.8', 'US'],
        ['193.99.144.80', 'DE'],
        ['203.0.113.9', null],
      ] as const) {
        await (await use(ip)).text();
        expect(await poll(from, (told) => (told as { country_code: unknown } | null)?.country_code === country_code, 20_000)).toEqual({
          country_code,
          agent: 'script',
          attribution: country_code === null ? null : CREDIT,
        });
      }
      // Kept with the key: another process reads it from there.
      await (await use('8.8.4.4')).text();
      await product.stop();
      product = await boot(ENV, { locator, dataDir });
      expect(await from()).toEqual({ country_code: 'US', agent: 'script', attribution: CREDIT });
      const { token } = await json('/auth/local/token', { name: 'Erika', email: 'erika@example.org' });
      const { access_token: erika } = await json('/auth/google', { token }, '193.99.144.80');
      const { sessions } = (await (
        await fetch(`${product.url}/api/v1/auth/sessions`, { headers: { authorization: `Bearer ${erika}` } })
      ).json()) as { sessions: { country_code: string | null }[] };
      expect(sessions.map((session) => session.country_code)).toEqual(['DE']);
    },
  );

  it('live streams count once, when they open, without a time; refused ones with their code', { timeout: 60_000 }, async () => {
    const gone = new AbortController();
    const stream = await fetch(`${product.url}/api/v1/alerts/stream`, { signal: gone.signal });
    expect(stream.status).toBe(200);
    const open = await poll(
      () => figures('realtime'),
      (answer) => answer.live_connections.sse === 1,
      20_000,
    );
    expect(open.live_connections).toEqual({ websocket: 0, sse: 1 });
    gone.abort();
    const { hostname, port } = new URL(product.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `GET /ws/alerts HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nAuthorization: Bearer nonsense\r\n\r\n`,
    );
    await new Promise((closed) => socket.once('close', closed).resume());
    const web = new WebSocket(`${product.url.replace('http', 'ws')}/ws/alerts`);
    await new Promise((opened) => web.addEventListener('open', opened));
    web.close();
    const streams = await poll(
      () => recorded('&endpoint=/api/v1/alerts/stream'),
      (rows) => rows.length === 1,
      20_000,
    );
    expect(streams).toMatchObject([{ status: 200, duration_ms: null }]);
    const sockets = await poll(
      () => recorded('&endpoint=/api/v1/ws/alerts'),
      (rows) => rows.length === 2,
      20_000,
    );
    expect(sockets.map(({ status, error }) => [status, error]).sort()).toEqual([
      [101, null],
      [401, 'auth.invalid_token'],
    ]);
  });

  it('what nothing can tell yet is null and said so; no value is made up', async () => {
    const insights = await figures('intelligence/insights');
    expect(insights.predictions).toMatchObject({ next_week_requests: null, next_month_requests: null, growth_trend: null, daily: [] });
    expect(insights.confidence_score).toBeNull();
    const missing = insights.insufficient.map(({ field }: { field: string }) => field);
    for (const field of [
      'predictions.next_week_requests',
      'confidence_score',
      'system_insights.peak_hour',
      'system_insights.daily_growth_rate',
    ])
      expect(missing).toContain(field);
  });

  it('days_back and minutes_back have bounds, and the lists come as CSV', async () => {
    const status = async (path: string) =>
      (await fetch(`${product.url}/api/v1/analytics/${path}`, { headers: { authorization: `Bearer ${admin}` } })).status;
    for (const path of [
      'overview?days_back=0',
      'overview?days_back=91',
      'overview?days_back=1.5',
      'realtime?minutes_back=0',
      'realtime?minutes_back=-5',
      'realtime?minutes_back=1441',
    ])
      expect([path, await status(path)]).toEqual([path, 400]);
    expect((await figures('overview?days_back=90')).daily_trends.length).toBe(90);
    for (const list of ['endpoints', 'users/detailed', 'requests']) {
      const answer = await fetch(`${product.url}/api/v1/analytics/${list}?format=csv`, { headers: { authorization: `Bearer ${admin}` } });
      expect(answer.headers.get('content-type')).toContain('text/csv');
      expect((await answer.text()).split('\r\n').length).toBeGreaterThan(2);
    }
  });

  it.each(REVALIDATED.map((spec) => [spec.path, spec] as const))(
    'API-22: what callers are advised to ask for with If-None-Match answers 304 to it: %s',
    async (path, spec) => {
      const headers = { authorization: `Bearer ${admin}` };
      const { query } = EXAMPLES[spec.operation] ?? {};
      const url = `${product.url}/api/v1${path}?${new URLSearchParams(query as Record<string, string>)}`;
      const first = await fetch(url, { headers });
      await first.arrayBuffer();
      const again = async () => {
        const etag = (await fetch(url, { headers })).headers.get('etag') ?? 'none';
        return (await fetch(url, { headers: { ...headers, 'if-none-match': etag } })).status;
      };
      // Weather may change in between.
      await expect.poll(again, { timeout: 10_000 }).toBe(304);
    },
  );

  it('is written to the last request when the server stops, and there again after a restart', { timeout: 120_000 }, async () => {
    const last = await fetch(`${product.url}/api/v1/alerts?limit=1`);
    await last.arrayBuffer();
    await product.stop();
    product = await boot(ENV, { locator, dataDir });
    const rows = await recorded('&endpoint=/api/v1/alerts');
    expect(rows.map(({ request_id }) => request_id)).toContain(last.headers.get('x-request-id'));
    const before = rows.length;
    const { requests_per_minute: minutes } = await poll(
      () => figures('realtime?minutes_back=60'),
      (answer) => answer.totals.requests >= before,
      20_000,
    );
    expect(minutes.length).toBe(60);
  });
});
