import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { ALL_ROUTES, Problem, type RouteSpec } from '@nwms/contract';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot, type Booted } from './boot.ts';
import { type Ask, ASKS, type AskWorld, needsAsk } from './contract-asks.ts';
import { conforms } from './conforms.ts';
import { signIn } from './sign-in.ts';

const LEVELS = ['open', 'public', 'key-or-session', 'member', 'special', 'admin'];
let product: Booted;
let world: AskWorld;
/** Method and address of everything the framework was told to answer. */
const mounted = new Set<string>();
const note = (message: unknown) => {
  (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) mounted.add(`${one} ${url}`);
  });
};
beforeAll(async () => {
  subscribe('fastify.initialization', note);
  product = await boot({ FEED: 'simulator' });
  const list = await product.until('/alerts?limit=1&active_only=true', (answer) => answer.total > 20);
  // Statistics are counted behind the feed.
  await product.until('/playback/patterns/seasonal', (answer) => answer.error === undefined);
  world = { eventId: list.alerts[0].event_id, adminToken: await signIn(product.url, 'admin'), send };
}, 90_000);
afterAll(() => {
  unsubscribe('fastify.initialization', note);
  return product.stop();
});

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${world.adminToken}`,
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return { json: text === '' ? null : JSON.parse(text), headers: response.headers };
}

const prefixes = (spec: RouteSpec): string[] => (spec.root === 'only' ? [''] : spec.root === 'also' ? ['/api/v1', ''] : ['/api/v1']);
const addressOf = (spec: RouteSpec, prefix: string, { params = {}, query }: Ask): string => {
  const path = spec.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '1');
  return `${product.url}${prefix}${path}${query ? `?${query}` : ''}`;
};
const call = (spec: RouteSpec, prefix: string, ask: Ask): Promise<Response> =>
  fetch(addressOf(spec, prefix, ask), {
    method: spec.method,
    headers: {
      ...(['open', 'public'].includes(spec.access) ? {} : { authorization: `Bearer ${ask.token ?? world.adminToken}` }),
      ...ask.headers,
      ...(ask.body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(ask.body === undefined ? {} : { body: JSON.stringify(ask.body) }),
  });

/** JSON of the documented form, or one of the documented media types. */
async function documentedBody(spec: RouteSpec, response: Response): Promise<void> {
  const type = response.headers.get('content-type') ?? '';
  if (spec.reply) return conforms(spec.reply, await response.json());
  expect([200, 204]).toContain(response.status);
  expect(response.status === 204 || spec.formats?.some((format) => type.startsWith(format))).toBe(true);
  return response.body?.cancel();
}

describe('the contract and the composed server', () => {
  it('each route declares who may call it, and no two share a name or an address', () => {
    for (const spec of ALL_ROUTES) expect(LEVELS, spec.operation).toContain(spec.access);
    expect(new Set(ALL_ROUTES.map((spec) => spec.operation)).size).toBe(ALL_ROUTES.length);
    expect(new Set(ALL_ROUTES.map((spec) => `${spec.method} ${spec.path}`)).size).toBe(ALL_ROUTES.length);
  });

  it('of each route it is said how to ask it', () => {
    const unsaid = ALL_ROUTES.filter((spec) => needsAsk(spec) && !(spec.operation in ASKS));
    expect(unsaid.map((spec) => `${spec.method} ${spec.path}: say under "${spec.operation}" in contract-asks.ts what it needs`)).toEqual(
      [],
    );
    const operations = new Set(ALL_ROUTES.map((spec) => spec.operation));
    expect(Object.keys(ASKS).filter((operation) => !operations.has(operation))).toEqual([]);
  });

  it.each(ALL_ROUTES.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))('%s is served as documented', async (_name, spec) => {
    for (const prefix of prefixes(spec)) {
      const ask = (await ASKS[spec.operation]?.(world)) ?? {};
      const response = await call(spec, prefix, ask);
      const said = response.ok ? '' : await response.clone().text();
      expect(ask.statuses ?? [spec.replyStatus ?? 200], `${response.status} ${said}`).toContain(response.status);
      expect(response.headers.get('x-request-id')).toMatch(/^req_/);
      await documentedBody(spec, response);
    }
  });

  it('a method that no route of an address declares is refused with those that are', async () => {
    const byPath = Map.groupBy(ALL_ROUTES, (spec) => spec.path);
    for (const [, specs] of byPath) {
      const declared = new Set(specs.map((spec) => spec.method as string));
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((one) => !declared.has(one))) {
        const spec = specs[0]!;
        const response = await fetch(addressOf(spec, prefixes(spec)[0]!, {}), { method });
        expect(response.status, `${method} ${spec.path}`).toBe(405);
        for (const one of declared) expect(response.headers.get('allow')).toContain(one);
        conforms(Problem, await response.json());
      }
    }
  });

  it('nothing else is mounted below /api/v1 but the document that describes it', () => {
    expect(mounted.size).toBeGreaterThan(ALL_ROUTES.length);
    const declared = ALL_ROUTES.flatMap((spec) =>
      prefixes(spec).flatMap((prefix) => {
        const address = `${prefix}${spec.path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
        return spec.method === 'GET' ? [`GET ${address}`, `HEAD ${address}`] : [`${spec.method} ${address}`];
      }),
    );
    const undeclared = [...mounted].filter((one) => one.includes(' /api/') && !declared.includes(one));
    expect(undeclared).toEqual(['GET /api/v1/openapi.json']);
    expect(declared.filter((one) => !mounted.has(one))).toEqual([]);
  });
});
