import { ALL_ROUTES, ERRORS, Problem, type RouteSpec } from '@nwms/contract';
import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { boot, type Booted } from './boot.ts';
import { conforms } from './conforms.ts';
import { queriesOf } from './query-fuzz.ts';
import { head, rawHttp } from './raw-http.ts';
import { signIn } from './sign-in.ts';

const CASES = process.env['NWMS_CHAOS'] === '1' ? 20_000 : 2_000;
const SEED = Number(process.env['NWMS_CHAOS_SEED'] ?? 20_261_121);
const BODY_ROUTES = ALL_ROUTES.filter((spec) => spec.body !== undefined);
/** What a route with a body may say before it reads one: an id that is none, or enough calls for this minute. */
const BEFORE_THE_BODY = [404, 429];
const pathOf = (spec: RouteSpec) => spec.path.replaceAll(/\{\w+\}/g, '1');
const SQUARE = '{"type":"Polygon","coordinates":[[[-100,35],[-90,35],[-90,45],[-100,45],[-100,35]]]}';

let product: Booted;
/** An administrator's: refused for want of rights, a body would not be looked at. */
let credential: { authorization: string };
beforeAll(async () => {
  product = await boot({ FEED: 'simulator' });
  await product.until('/alerts/stats', (stats) => stats.total > 50);
  credential = { authorization: `Bearer ${await signIn(product.url, 'admin')}` };
}, 90_000);
afterAll(() => product.stop());

const post = (path: string, body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  fetch(`${product.url}/api/v1${path}`, { method: 'POST', body, headers });
const send = (spec: RouteSpec, body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`${product.url}/api/v1${pathOf(spec)}`, {
    method: spec.method,
    body,
    headers: { 'content-type': 'application/json', 'if-match': '*', ...credential, ...headers },
  });

/** A refusal is a problem body with a code of ours, its status, and the id a person can report. */
async function refusal(response: Response): Promise<string> {
  const text = await response.text();
  expect(response.headers.get('content-type'), text.slice(0, 200)).toMatch(/^application\/problem\+json/);
  const body = JSON.parse(text) as { error: string; request_id: string; status: number };
  conforms(Problem, body);
  expect(Object.keys(ERRORS)).toContain(body.error);
  expect(body.status).toBe(response.status);
  expect(response.headers.get('x-request-id')).toBe(body.request_id);
  return body.error;
}

describe('limits on what is read at all (D3)', () => {
  it('headers over 16 KiB are 431, a URL over 8 KiB is 414', async () => {
    const big = await rawHttp(product.url, [head('GET', '/api/v1/alerts', { 'X-Big': 'a'.repeat(20_000) })]);
    expect(big.status).toBe(431);
    const long = await rawHttp(product.url, [head('GET', `/api/v1/alerts?q=${'a'.repeat(9_000)}`)]);
    expect(long.status).toBe(414);
    expect(await refusal(await fetch(`${product.url}/api/v1/alerts?q=${'a'.repeat(9_000)}`))).toBe('request.uri_too_long');
    const many = await rawHttp(product.url, [
      head('GET', '/health/live', Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`X-${i}`, 'aaaa']))),
    ]);
    expect([431, 400]).toContain(many.status);
  });

  it('a body that says it is too large is refused before it is sent, one that does not say so while it is', async () => {
    for (const spec of BODY_ROUTES) {
      const limit = spec.bodyLimitBytes ?? 65_536;
      const said = await rawHttp(product.url, [
        head(spec.method, `/api/v1${pathOf(spec)}`, { 'Content-Type': 'application/json', 'Content-Length': limit + 1, ...credential }),
      ]);
      expect(said.status).toBe(413);
      expect(said.tookMs).toBeLessThan(5_000);
      const piece = `${(65_536).toString(16)}\r\n${' '.repeat(65_536)}\r\n`;
      const chunked = await rawHttp(product.url, [
        head(spec.method, `/api/v1${pathOf(spec)}`, { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked', ...credential }),
        ...Array<string>(Math.ceil(limit / 65_536) + 4).fill(piece),
        '0\r\n\r\n',
      ]);
      expect([413, 0]).toContain(chunked.status);
    }
  });

  it('a compressed body is refused unread, however small it looks', async () => {
    for (const spec of BODY_ROUTES) {
      const bomb = gzipSync(Buffer.alloc(20 * 1024 * 1024));
      const before = process.memoryUsage().rss;
      for (const encoding of ['gzip', 'br', 'deflate', 'zstd', 'identity, gzip'])
        expect(await refusal(await send(spec, bomb, { 'content-encoding': encoding }))).toBe('request.unsupported_media');
      expect(process.memoryUsage().rss - before).toBeLessThan(64 * 1024 * 1024);
    }
  });

  it.each([
    ['two lengths', 'POST /api/v1/alerts/within HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    [
      'length and chunks',
      'POST /api/v1/alerts/within HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no host', 'GET /api/v1/alerts HTTP/1.1\r\n\r\n'],
    ['a broken request line', 'GET\t/api/v1/alerts\r\n\r\n'],
    ['a bare line feed in a header', 'GET /health/live HTTP/1.1\r\nHost: x\r\nX: a\nY: b\r\n\r\n'],
    ['a NUL in the path', 'GET /api/v1/al\0erts HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a broken escape', 'GET /api/v1/alerts/%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('%s gets a 4xx', async (_name, text) => {
    const answer = await rawHttp(product.url, [text], 3_000);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  });
});

describe('bodies cannot go around validation (E2)', () => {
  const TYPES = [
    'text/plain', 'text/json', 'application/json\ta', 'application/json x', 'application/jsonx', 'application/json,text/plain', 'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x', 'application/vnd.api+json', 'application/json/', ' application / json', 'application/json;charset=utf-16\ttext/plain', '*/*', '', 'json', 'APPLICATION',
  ]; // prettier-ignore
  const INVALID = '{"geometry":{"type":"Point"},"limit":"many","surprise":1}';
  it('no content type lets an invalid body through', async () => {
    for (const spec of BODY_ROUTES)
      for (const type of TYPES) {
        const answer = await rawHttp(product.url, [
          head(spec.method, `/api/v1${pathOf(spec)}`, {
            ...(type ? { 'Content-Type': type } : {}),
            'Content-Length': INVALID.length,
            'If-Match': '*',
            ...credential,
          }),
          INVALID,
        ]);
        expect([400, 415, ...BEFORE_THE_BODY], `${spec.path} ${type}: ${answer.text.slice(0, 300)}`).toContain(answer.status);
        expect(answer.text).toContain('application/problem+json');
      }
  });

  it('nothing is coerced, and unknown members are named', async () => {
    const bad = ['{}', '[]', 'null', '"x"', '1', '', '{', `{"geometry":${SQUARE},"limit":"5"}`, `{"geometry":${SQUARE},"limit":null}`, `{"geometry":${SQUARE},"severity":"Severe"}`,
      `{"geometry":${SQUARE},"surprise":1}`, `{"geometry":[${SQUARE}]}`, '{"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,1]]]}}', '{"geometry":{"type":"Polygon","coordinates":[]}}',
      '{"geometry":{"type":"Polygon","coordinates":[[["a","b"],[1,1],[1,0],["a","b"]]]}}', '{"geometry":{"type":"Polygon","coordinates":[[[1e308,1e308],[1,1],[1,0],[1e308,1e308]]]}}']; // prettier-ignore
    for (const body of bad) {
      const response = await post('/alerts/within', body);
      expect(response.status, body).toBe(400);
      await refusal(response);
    }
  });
});

describe('poisoned and deep JSON (D4, E1)', () => {
  const nest = (inner: string, depth: number) => `${'{"a":'.repeat(depth)}${inner}${'}'.repeat(depth)}`;
  const POISON = [
    '{"__proto__":{"polluted":1}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"\\u005f_proto__":{"polluted":1}}',
    '{"__proto__":null}',
  ];
  const untouched = () => {
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(clean);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  };
  const clean = Object.getOwnPropertyNames(Object.prototype).sort();

  it('is refused at every depth of every body', async () => {
    for (const spec of BODY_ROUTES)
      for (const depth of [0, 1, 5, 28])
        for (const poison of POISON) {
          const response = await send(spec, nest(poison, depth));
          expect([400, ...BEFORE_THE_BODY], spec.operation).toContain(response.status);
          await refusal(response);
          untouched();
        }
    for (const deep of ['['.repeat(60_000), nest('1', 33), `${'['.repeat(30_000)}${']'.repeat(30_000)}`])
      for (const spec of BODY_ROUTES) expect(await refusal(await send(spec, deep))).toMatch(/^request\.(too_deep|malformed_json)$/);
  });

  it('does no harm as a WebSocket message', async () => {
    const messages = [
      ...POISON,
      ...POISON.map((poison) => `{"type":"subscribe","channels":["alerts"],"filter":${poison}}`),
      nest('1', 2_000),
      '['.repeat(4_000),
    ];
    for (const message of messages) {
      const socket = new WebSocket(`${product.url.replace('http', 'ws')}/ws/alerts`, 'nwms.v1');
      const heard: { type: string; code?: string }[] = [];
      const refused = new Promise<void>((done, failed) => {
        socket.on('message', (data: Buffer) => {
          const parsed = JSON.parse(data.toString()) as { type: string; code?: string };
          heard.push(parsed);
          if (parsed.type === 'error') done();
        });
        socket.on('close', () => done()).on('error', failed);
      });
      await new Promise((open) => socket.once('open', open));
      socket.send(message);
      await refused;
      expect(heard.map((one) => one.type)).not.toContain('ack');
      socket.terminate();
      untouched();
    }
    expect((await fetch(`${product.url}/health/ready`)).status).toBe(200);
  });
});

describe('any query of any route', () => {
  it(`never ends in a 5xx, and every refusal is a problem body with a known code (${CASES} cases)`, { timeout: 600_000 }, async () => {
    // The stream does not end; its query is parsed by the same rules as the list's. While nothing writes texts, 503 is what the AI's health says.
    const routes = ALL_ROUTES.filter((spec) => spec.method === 'GET' && spec.operation !== 'streamAlerts' && spec.area !== 'ai');
    const seen = new Map<number, number>();
    const perRoute = Math.ceil(CASES / routes.length);
    for (const spec of routes) await fuzz(spec, perRoute, seen);
    console.log(`fuzz: ${JSON.stringify(Object.fromEntries(seen))} over ${routes.length} routes, seed ${SEED}`);
    expect([...seen.keys()].every((status) => status < 500)).toBe(true);
    // Cases that reach no answer prove nothing.
    expect(seen.get(200) ?? 0).toBeGreaterThan(CASES / 10);
    expect(seen.get(400) ?? 0).toBeGreaterThan(CASES / 10);
  });

  async function fuzz(spec: RouteSpec, runs: number, seen: Map<number, number>): Promise<void> {
    const params = fc.constantFrom('1', '4', '4095', '-1', 'x', '__proto__', '%00', 'urn:oid:2.49.0.1.840.0.x', 'a'.repeat(300));
    const prefix = spec.root === 'only' ? '' : '/api/v1';
    await fc.assert(
      fc.asyncProperty(queriesOf(spec), fc.array(params, { minLength: 3, maxLength: 3 }), async (query, values) => {
        let next = 0;
        const path = spec.path.replaceAll(/\{\w+\}/g, () => values[next++] ?? '1');
        const response = await fetch(`${product.url}${prefix}${path}${query ? `?${query}` : ''}`, {
          headers: spec.access === 'open' || spec.access === 'public' ? {} : credential,
        });
        seen.set(response.status, (seen.get(response.status) ?? 0) + 1);
        if (response.status >= 400) await refusal(response);
        else await response.body?.cancel();
        expect(response.status).toBeLessThan(500);
      }),
      { numRuns: runs, seed: SEED },
    );
  }
});

describe('the most expensive question each route allows (D5)', () => {
  const circle = (count: number, radius: number) =>
    Array.from({ length: count }, (_, i) => {
      const angle = (i / count) * 2 * Math.PI;
      return [Number((-95 + radius * Math.cos(angle)).toFixed(4)), Number((39 + (radius / 2) * Math.sin(angle)).toFixed(4))];
    });
  const ring = circle(499, 25);
  const polygon = circle(400, 25).map((position) => position.join(',')).join(';'); // prettier-ignore
  const questions: [string, () => Promise<Response>][] = [
    ['list of 1,000', () => fetch(`${product.url}/api/v1/alerts?limit=1000&order_by=area&q=wind%20the`)],
    ['list by polygon', () => fetch(`${product.url}/api/v1/alerts?limit=1000&polygon=${polygon}`)],
    ['stats by polygon', () => fetch(`${product.url}/api/v1/alerts/stats?polygon=${polygon}`)],
    ['near, 500 km', () => fetch(`${product.url}/api/v1/alerts/near?lat=39&lon=-95&radius_km=500&limit=1000`)],
    ['within, continental box', () => fetch(`${product.url}/api/v1/alerts/within?bbox=-180,-90,180,90&limit=1000`)],
    [
      'within, 500 vertices',
      () => post('/alerts/within', JSON.stringify({ geometry: { type: 'Polygon', coordinates: [[...ring, ring[0]]] }, limit: 1000 })),
    ],
    [
      'changes, 1,000',
      async () => fetch(`${product.url}/api/v1/alerts/changes?limit=1000&since=${(await product.json('/alerts/changes')).oldest_cursor}`),
    ],
    ['tile of the world', () => fetch(`${product.url}/api/v1/alerts/tiles/0/0/0.mvt`)],
    ['geojson', () => fetch(`${product.url}/api/v1/alerts?limit=1000&format=geojson`)],
  ];

  it.each(questions)('%s leaves room for others within 100 ms', async (name, ask) => {
    // Other work on the machine stops this process too: the best of five tells what the question itself costs.
    const worst: number[] = [];
    for (let turn = 0; turn < 5 && Math.min(...worst, Infinity) > 60; turn++) {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      const response = await ask();
      expect(response.status, await (response.ok ? '' : response.clone().text())).toBeLessThan(300);
      await response.arrayBuffer();
      await new Promise((next) => setTimeout(next, 15));
      delay.disable();
      worst.push(delay.max / 1e6);
    }
    console.log(`${name}: longest stop ${worst.map((ms) => ms.toFixed(0)).join(', ')} ms`);
    expect(Math.min(...worst)).toBeLessThan(100);
  });
});
