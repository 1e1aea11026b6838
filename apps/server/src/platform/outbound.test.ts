import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fakeClock } from '@nwms/testkit';
import { afterEach, describe, expect, it } from 'vitest';
import { createOutbound } from './outbound.ts';

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

async function listen(handler: RequestListener): Promise<{ origin: string; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = [];
  const server = createServer((request, response) => (seen.push(request), handler(request, response)));
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const JSON_TYPE = { 'content-type': 'application/geo+json' };

function clientFor(origin: string, limits: { maxBytes?: number } = {}) {
  const clock = fakeClock(Date.UTC(2026, 4, 14));
  const outbound = createOutbound(
    { fetch, clock },
    { origin, userAgent: 'NWMS (ops@example.org)', accept: 'application/geo+json', ...limits },
  );
  return { clock, outbound };
}

async function answerOf(handler: RequestListener, limits?: { maxBytes?: number }) {
  const { origin, seen } = await listen(handler);
  return { result: await clientFor(origin, limits).outbound.getJson({ path: '/alerts/active' }), seen };
}

describe('outbound client (A7)', () => {
  it('sends contact, pinned Accept, gzip and both validators, and nothing about the query but the path given', async () => {
    const { origin, seen } = await listen((_, response) => response.writeHead(304).end());
    const { outbound } = clientFor(origin);
    const lastModified = 'Thu, 14 May 2026 16:35:00 GMT';
    expect(await outbound.getJson({ path: '/alerts/active', etag: 'W/"1"', lastModified })).toMatchObject({ kind: 'not_modified' });
    expect(seen[0]?.url).toBe('/alerts/active');
    expect(seen[0]?.headers).toMatchObject({
      'user-agent': 'NWMS (ops@example.org)',
      accept: 'application/geo+json',
      'accept-encoding': 'gzip',
      'if-none-match': 'W/"1"',
      'if-modified-since': lastModified,
    });
  });

  it('reads gzip and reports validators and the upstream clock', async () => {
    const headers = {
      ...JSON_TYPE,
      'content-encoding': 'gzip',
      etag: '"a"',
      date: 'Thu, 14 May 2026 16:35:00 GMT',
      age: '30',
      'x-correlation-id': 'c1',
    };
    const { result } = await answerOf((_, response) => response.writeHead(200, headers).end(gzipSync('{"a":1}')));
    expect(result).toMatchObject({ kind: 'ok', json: { a: 1 }, bytes: 7 });
    expect(result).toMatchObject({ facts: { etag: '"a"', date: Date.UTC(2026, 4, 14, 16, 35, 30), correlationId: 'c1' } });
  });

  it('tells the same list again as not modified, and one changed letter whole; a name of another list means nothing', async () => {
    let body = '{"features":[{"id":"a"},{"id":"b"}]}';
    const { origin } = await listen((_, response) => response.writeHead(200, JSON_TYPE).end(body));
    const { outbound } = clientFor(origin);
    const list = { member: 'features', isKnown: () => false };
    const ask = (sameAs: string | null) => outbound.getJson({ path: '/alerts/active', list, sameAs });
    const first = await ask(null);
    if (first.kind !== 'ok') throw new Error(first.kind);
    expect(await ask(first.digest)).toMatchObject({ kind: 'not_modified' });
    expect(await ask('another')).toMatchObject({ kind: 'ok', digest: first.digest });
    body = body.replace('"b"', '"c"');
    const second = await ask(first.digest);
    expect(second).toMatchObject({ kind: 'ok', json: { features: [{ value: { id: 'a' } }, { value: { id: 'c' } }] } });
    // What came last is not what was asked to be the same.
    expect(await ask(first.digest)).toMatchObject({ kind: 'ok' });
    body = body.replace('"c"', '"b"');
    expect(await ask(first.digest)).toMatchObject({ kind: 'not_modified' });
  });

  it('tells the same bytes again as not modified, and other bytes whole', async () => {
    let body = '{"features":[]}';
    const { origin } = await listen((_, response) => response.writeHead(200, JSON_TYPE).end(body));
    const { outbound } = clientFor(origin);
    const first = await outbound.getJson({ path: '/alerts/active' });
    if (first.kind !== 'ok') throw new Error(first.kind);
    expect(await outbound.getJson({ path: '/alerts/active', sameAs: first.digest })).toMatchObject({ kind: 'not_modified' });
    body = '{"features":[1]}';
    expect(await outbound.getJson({ path: '/alerts/active', sameAs: first.digest })).toMatchObject({ kind: 'ok', json: { features: [1] } });
  });

  it('stops a decompression bomb at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024, 0x20));
    const { result } = await answerOf((_, response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(bomb), {
      maxBytes: 100_000,
    });
    expect(result.kind).toBe('too_large');
  });

  it.each([
    ['HTML with 200', 200, 'text/html', '<html>', { kind: 'not_json' }],
    ['JSON text under a wrong type', 200, 'text/plain', '{}', { kind: 'not_json' }],
    ['truncated JSON', 200, 'application/geo+json', '{"features":[', { kind: 'bad_json' }],
    ['an empty body', 200, 'application/geo+json', '', { kind: 'bad_json' }],
    ['a block page', 403, 'text/html', '<html>Access denied', { kind: 'http_error', status: 403, blocked: true }],
    [
      'a problem',
      503,
      'application/problem+json',
      '{"correlationId":"abc"}',
      { kind: 'http_error', status: 503, blocked: false, facts: { correlationId: 'abc' } },
    ],
  ])('%s is told apart', async (_, status, type, body, expected) => {
    const { result } = await answerOf((__, response) => response.writeHead(status, { 'content-type': type }).end(body));
    expect(result).toMatchObject(expected);
  });

  it.each([
    ['120', 120],
    ['Thu, 14 May 2026 00:01:00 GMT', 60],
    ['soon', null],
    ['-5', null],
  ])('Retry-After %s means %s seconds', async (value, seconds) => {
    const { result } = await answerOf((_, response) => response.writeHead(429, { ...JSON_TYPE, 'retry-after': value }).end('{}'));
    expect(result).toMatchObject({ kind: 'http_error', status: 429, retryAfterSeconds: seconds });
  });

  it('a deep value and poisoned members cost only themselves', async () => {
    const body = `{"good":1,"__proto__":{"x":1},"deep":${'['.repeat(40)}${']'.repeat(40)}}`;
    const { result } = await answerOf((_, response) => response.writeHead(200, JSON_TYPE).end(body));
    expect(result).toMatchObject({ kind: 'ok', prunedParts: 1, json: { good: 1 } });
    expect(Object.keys((result as { json: object }).json)).toEqual(['good', 'deep']);
  });

  it.each([
    ['a reset before the answer', (_: IncomingMessage, response: Parameters<RequestListener>[1]) => void response.socket?.destroy()],
    [
      'a reset inside the body',
      (_: IncomingMessage, response: Parameters<RequestListener>[1]) => {
        response.writeHead(200, { ...JSON_TYPE, 'content-length': '1000' });
        response.write('{"a":', () => response.socket?.destroy());
      },
    ],
  ])('%s is a reset', async (_, handler) => {
    expect((await answerOf(handler)).result.kind).toBe('reset');
  });

  it('a cut compressed body is no answer', async () => {
    const cut = gzipSync('{"a":"bcdefgh"}').subarray(0, 15);
    const { result } = await answerOf((_, response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(cut));
    expect(['reset', 'bad_json']).toContain(result.kind);
  });

  it.each(['headers', 'body'])('the deadline of 30 s covers waiting for the %s', async (phase) => {
    const { origin, seen } = await listen((_, response) => {
      if (phase === 'body') response.writeHead(200, JSON_TYPE).write('{');
    });
    const { clock, outbound } = clientFor(origin);
    const answer = outbound.getJson({ path: '/' });
    await expect.poll(() => seen.length).toBe(1);
    await clock.advance(30_000);
    expect((await answer).kind).toBe('timeout');
  });

  it('an abort by the caller is not a fault of upstream', async () => {
    const { origin, seen } = await listen(() => {});
    const abort = new AbortController();
    const answer = clientFor(origin).outbound.getJson({ path: '/', signal: abort.signal });
    await expect.poll(() => seen.length).toBe(1);
    abort.abort();
    expect((await answer).kind).toBe('aborted');
    expect((await clientFor(origin).outbound.getJson({ path: '/', signal: abort.signal })).kind).toBe('aborted');
  });

  it('G1: neither a path nor a redirect leads to another origin', async () => {
    const canary = await listen((_, response) => response.writeHead(200, JSON_TYPE).end('{}'));
    const { origin } = await listen((request, response) => {
      const location = request.url === '/away' ? `${canary.origin}/x` : request.url === '/loop' ? '/loop' : '/there';
      if (request.url === '/there') response.writeHead(200, JSON_TYPE).end('{"there":true}');
      else response.writeHead(302, { location }).end();
    });
    const { outbound } = clientFor(origin);
    expect((await outbound.getJson({ path: '/away' })).kind).toBe('redirect_refused');
    expect((await outbound.getJson({ path: '/loop' })).kind).toBe('redirect_refused');
    expect(await outbound.getJson({ path: '/near' })).toMatchObject({ kind: 'ok', json: { there: true } });
    for (const path of [`${canary.origin}/x`, `//${new URL(canary.origin).host}/x`, '/\\@x', `http://u:p@${new URL(origin).host}/`]) {
      expect((await outbound.getJson({ path })).kind).toBe('target_refused');
    }
    expect(canary.seen).toHaveLength(0);
  });
});
