import { connect, type AddressInfo } from 'node:net';
import { route } from '@nwms/contract';
import { fakeClock } from '@nwms/testkit';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../log.ts';
import { createServe } from './serve.ts';
import { createHttpServer } from './server.ts';

const listThings = route({
  method: 'GET',
  path: '/things',
  access: 'open',
  area: 'things',
  operation: 'listThings',
  summary: 'Things',
  query: Type.Object({
    color: Type.Optional(Type.Array(Type.Unsafe<string>({ type: 'string', enum: ['Red', 'Blue'] }))),
    limit: Type.Optional(Type.Integer({ minimum: 0, maximum: 10 })),
    open: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ query: Type.Unknown() }),
});
const addThing = route({
  method: 'POST',
  path: '/things',
  access: 'open',
  area: 'things',
  operation: 'addThing',
  summary: 'Adds',
  body: Type.Object({ name: Type.String({ maxLength: 10 }), count: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
  reply: Type.Object({ name: Type.String() }),
});

describe('HTTP platform', () => {
  let app: FastifyInstance;

  beforeEach(async () => {
    app = await createHttpServer({
      clock: fakeClock(0),
      log: silentLog,
      corsOrigins: () => ['https://friend.example'],
      trustedProxies: [],
      secure: false,
      page: () => null,
    });
    const serve = createServe(app);
    serve(listThings, ({ query }) => ({ query }));
    // A member the contract does not name must never leave.
    serve(addThing, ({ body }) => ({ name: body.name, secret: 'x' }));
  });
  afterEach(() => app.close());

  const get = (path: string) => app.inject({ method: 'GET', url: `/api/v1${path}` });
  const post = (payload: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    app.inject({ method: 'POST', url: '/api/v1/things', payload, headers });

  it('reads lists by comma or repetition, any letter case, and drops _t and empty values', async () => {
    const answer = await get('/things?color=red,BLUE&color=Red&limit=3&open=true&_t=123');
    expect(answer.json()).toEqual({ query: { color: ['Red', 'Blue', 'Red'], limit: 3, open: true } });
    expect((await get('/things?color=&limit=')).json()).toEqual({ query: {} });
  });

  it('refuses an unknown parameter and names the nearest one', async () => {
    const answer = await get('/things?colour=red');
    expect(answer.statusCode).toBe(400);
    expect(answer.headers['content-type']).toContain('application/problem+json');
    expect(answer.json()).toMatchObject({ error: 'request.unknown_parameter', detail: expect.stringContaining('color'), status: 400 });
    expect((await get('/things?zip=50309')).json().detail).toContain('lat');
  });

  it.each([
    ['limit=11', 'limit', 'range'],
    ['limit=1e1', 'limit', 'type'],
    ['limit=1&limit=2', 'limit', 'conflict'],
    ['color=green', 'color.0', 'enum'],
    ['open=yes', 'open', 'type'],
  ])('refuses ?%s naming the field', async (query, name, reason) => {
    const answer = await get(`/things?${query}`);
    expect(answer.json()).toMatchObject({ error: 'request.invalid', fields: [{ name, reason }] });
  });

  it('reports all faults of a body at once and coerces nothing', async () => {
    const answer = await post('{"name":["a"],"count":"1","extra":1}');
    expect(answer.statusCode).toBe(400);
    expect(
      answer
        .json()
        .fields.map((field: { name: string }) => field.name)
        .sort(),
    ).toEqual(['count', 'extra', 'name']);
    expect((await post('{"name":"a","extra":1}')).json().error).toBe('request.unknown_field');
  });

  it('sends only what the reply schema names', async () => {
    expect((await post('{"name":"a"}')).json()).toEqual({ name: 'a' });
  });

  it.each([
    ['application/json\t; charset=utf-8'],
    ['text/plain'],
    ['application/json, text/plain'],
    ['application/x-www-form-urlencoded'],
    ['APPLICATION/JSONX'],
    [' '],
  ])('does not let the content type %j skip validation', async (type) => {
    const answer = await post('{"name":["not","a","string"]}', { 'content-type': type });
    expect([400, 415]).toContain(answer.statusCode);
  });

  it('refuses poison keys, deep bodies, compressed and oversized bodies, each with its code', async () => {
    expect((await post('{"__proto__":{"a":1},"name":"a"}')).json().error).toBe('request.malformed_json');
    expect((await post(`{"name":${'['.repeat(500_00)}${']'.repeat(500_00)}}`.slice(0, 60_000))).statusCode).toBe(400);
    expect((await post(`{"name":${'['.repeat(40)}${']'.repeat(40)}}`)).json().error).toBe('request.too_deep');
    expect((await post(`{"name":"${'x'.repeat(70_000)}"}`)).json().error).toBe('request.too_large');
    expect((await post('{}', { 'content-type': 'application/json', 'content-encoding': 'gzip' })).json().error).toBe(
      'request.unsupported_media',
    );
    expect((Object.prototype as Record<string, unknown>)['a']).toBeUndefined();
  });

  it('answers 405 with Allow, 404 as a problem, 308 for a trailing slash, and HEAD where GET is', async () => {
    const wrong = await app.inject({ method: 'DELETE', url: '/api/v1/things' });
    expect(wrong.statusCode).toBe(405);
    expect(wrong.headers['allow']?.split(', ').sort()).toEqual(['GET', 'HEAD', 'POST']);
    expect((await get('/nothing')).json().error).toBe('route.not_found');
    const slash = await get('/things/?limit=1');
    expect([slash.statusCode, slash.headers['location']]).toEqual([308, '/api/v1/things?limit=1']);
    expect((await app.inject({ method: 'HEAD', url: '/api/v1/things' })).statusCode).toBe(200);
  });

  it('gives every answer a request id of ours and ignores one from a stranger', async () => {
    const answer = await app.inject({ method: 'GET', url: '/api/v1/nothing', headers: { 'x-request-id': 'mine' } });
    expect(answer.headers['x-request-id']).toMatch(/^req_[a-z2-7]{20}$/);
    expect(answer.json().request_id).toBe(answer.headers['x-request-id']);
  });

  it('lets listed origins read and gives others no CORS headers', async () => {
    const from = (origin: string) => app.inject({ method: 'GET', url: '/api/v1/things', headers: { origin } });
    expect((await from('https://friend.example')).headers['access-control-allow-origin']).toBe('https://friend.example');
    for (const origin of ['https://evil.example', 'https://friend.example.evil.example', 'null', 'http://friend.example']) {
      const { headers } = await from(origin);
      expect(headers['access-control-allow-origin'], origin).toBeUndefined();
    }
  });

  it('allows no inline script and no framing', async () => {
    const policy = String((await get('/things')).headers['content-security-policy']);
    expect(policy).toContain("script-src 'self'");
    expect(policy.match(/script-src[^;]*/)?.[0]).not.toContain('unsafe');
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('cuts a sender of slow headers within 7 s with 408 (D2)', async () => {
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const startedAt = performance.now();
    const text = await new Promise<string>((done, fail) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('GET /api/v1/things HTTP/1.1\r\nHost: x\r\nX-Slow: '));
      let received = '';
      socket.on('data', (chunk) => (received += String(chunk)));
      socket.on('close', () => done(received));
      socket.on('error', fail);
    });
    expect(text).toMatch(/^HTTP\/1.1 408/);
    expect(performance.now() - startedAt).toBeLessThan(7_500);
    // Bodies have 15 s over all; waiting for it is part of the chaos suite.
    expect(app.server.requestTimeout).toBe(15_000);
  });
});
