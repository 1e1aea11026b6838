import { ALL_ROUTES, ERRORS, openApiDocument, Problem } from '@nwms/contract';
import { type ApiDocument, readReference } from '@nwms/contract/read-reference';
import { describe, expect, it } from 'vitest';
import { ask } from './ask.ts';
import { readReferenceSearch } from './reference-search.ts';
import { typedOf, typeWords, valueOf } from './schema-words.ts';
import { createElement, type FunctionComponent } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { Errors, Validation } from './guides-help.tsx';
import { REFUSAL } from './guides-start.tsx';
import { arrange, type Entry, findOperations, sectionOf } from './sections.ts';

const document = openApiDocument(ALL_ROUTES, { version: '1', serverUrl: '/api/v1' }) as unknown as ApiDocument;
const reference = readReference(JSON.parse(JSON.stringify(document)) as ApiDocument);
const MEMBER = { isAdmin: false, isSpecial: false };
const SPECIAL = { isAdmin: false, isSpecial: true };
const ADMIN = { isAdmin: true, isSpecial: true };
const line = (entry: Entry): string =>
  entry.kind === 'operation' ? `${entry.operation.method} ${entry.operation.path}` : `${entry.planned.method} ${entry.planned.path}`;
const linesOf = (reader: typeof MEMBER): string[] => arrange(reference, reader).flatMap(({ entries }) => entries.map(line));
const find = (reader: typeof MEMBER, id: string) => arrange(reference, reader).find((section) => section.id === id);

/** What is read of a component, without its markup. */
const words = <P extends object>(component: FunctionComponent<P>, props: P): string =>
  renderToStaticMarkup(createElement(component, props))
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');

describe('sections of the reference', () => {
  it.each([
    ['ai', 'AI-Powered Weather Insights', 5],
    ['weather-intelligence', 'Weather Intelligence', 6],
    ['ml', 'Machine Learning Predictions', 3],
  ])('DOCS-03: %s is "%s" with %i endpoints, for administrators and special access only', (id, title, count) => {
    expect(find(MEMBER, id)).toMatchObject({ title, locked: true, entries: [] });
    for (const reader of [SPECIAL, ADMIN]) {
      expect(find(reader, id)).toMatchObject({ title, locked: false });
      expect(find(reader, id)?.entries).toHaveLength(count);
    }
  });

  it("DOCS-04: only administrators see 'Analytics & Monitoring', with its four calls first", () => {
    for (const reader of [MEMBER, SPECIAL]) expect(find(reader, 'analytics')).toBeUndefined();
    expect(find(ADMIN, 'analytics')?.entries.slice(0, 4).map(line)).toEqual([
      'GET /analytics/overview',
      'GET /analytics/geographic',
      'GET /analytics/realtime',
      'GET /analytics/business-metrics',
    ]);
  });

  it('DOCS-05: alerts, health, webhooks and playback are for everybody', () => {
    for (const id of ['alerts', 'health', 'webhooks', 'playback']) {
      expect(find(MEMBER, id)?.locked, id).toBe(false);
      expect(find(MEMBER, id)?.entries.length, id).toBeGreaterThan(1);
    }
  });

  it('DOCS-07: the parameters of the three alert questions are those the server takes, and stand in the guide', () => {
    const guide = words(Validation, {});
    const asked = {
      listAlerts: ['event', 'severity', 'active_only', 'limit', 'offset', 'order_by'],
      alertsNear: ['lat', 'lon', 'radius_km', 'active_only'],
      alertsWithin: ['bbox', 'polygon', 'active_only'],
    };
    for (const [operation, names] of Object.entries(asked)) {
      const known = reference.operations.find((one) => one.operation === operation)?.parameters.map(({ name }) => name);
      expect(known, operation).toEqual(expect.arrayContaining(names));
      for (const name of names) expect(guide).toContain(name);
    }
  });

  it('DOCS-09: the three failures are explained in the words of the server, with the members of every error body', () => {
    const guide = words(Errors, { reference });
    const told = {
      'auth.missing': 'Authentication failed',
      'quota.minute_exceeded': 'Rate limit exceeded',
      'server.internal': 'Internal server error',
    };
    for (const [code, message] of Object.entries(told)) {
      expect(ERRORS[code as keyof typeof ERRORS].message).toBe(message);
      expect(guide).toContain(`${ERRORS[code as keyof typeof ERRORS].status} ${message}`);
    }
    for (const member of ['error', 'message', 'detail', 'request_id', 'timestamp']) {
      expect(Problem.required).toContain(member);
      expect(Object.keys(REFUSAL)).toContain(member);
      expect(guide).toContain(member);
    }
  });

  it('DOCS-06: names every documented endpoint of the specification', () => {
    const named = linesOf(ADMIN);
    for (const one of [
      'GET /alerts',
      'GET /alerts/near',
      'GET /alerts/within',
      'GET /alerts/stats',
      'GET /health',
      'GET /health/ready',
      'GET /intelligence/severity-trends',
      'GET /intelligence/historical-patterns',
      'GET /intelligence/weather-insights/breaking-news-ticker',
      ...['forecast-analysis', 'comprehensive-analysis', 'precipitation-forecast'].map(
        (name) => `POST /intelligence/weather-insights/${name}`,
      ),
      ...['alert-summary', 'risk-analysis', 'emergency-guidance', 'natural-query', 'weather-narrative'].map(
        (name) => `POST /ai-insights/${name}`,
      ),
      'POST /ml-weather/predict/temperature',
      'POST /ml-weather/predict/precipitation',
      'GET /ml-weather/models/performance',
      'POST /webhooks/endpoints',
      'POST /webhooks/subscriptions',
      'POST /playback/timeline',
      'GET /playback/patterns/seasonal',
      'GET /playback/analysis/trends',
      ...['overview', 'geographic', 'realtime', 'business-metrics'].map((name) => `GET /analytics/${name}`),
    ]) {
      expect(named).toContain(one);
    }
  });

  it('has every operation of the contract that the reader can use, once outside of the special sections', () => {
    const everybody = arrange(reference, ADMIN).filter(({ id }) => !['ai', 'weather-intelligence', 'ml'].includes(id));
    const lines = everybody.flatMap(({ entries }) => entries.map(line));
    for (const { method, path } of ALL_ROUTES)
      expect(
        lines.filter((one) => one === `${method} ${path}`),
        path,
      ).toHaveLength(1);
  });

  it('shows members nothing that only administrators can call', () => {
    const operations = arrange(reference, MEMBER).flatMap(({ entries }) => entries);
    const levels = operations.map((entry) => (entry.kind === 'operation' ? entry.operation.access : 'planned'));
    expect(levels).not.toContain('admin');
    expect(levels.length).toBeGreaterThan(30);
  });

  it('what is planned is never among what is served', () => {
    const served = new Set(ALL_ROUTES.map(({ method, path }) => `${method} ${path}`));
    const planned = arrange(reference, ADMIN).flatMap(({ entries }) => entries.filter(({ kind }) => kind === 'planned'));
    for (const entry of planned) expect(served.has(line(entry)), line(entry)).toBe(false);
  });

  it('finds operations by every word of path, summary or parameter', () => {
    const sections = arrange(reference, MEMBER);
    expect(findOperations(sections, 'radius_km').map(({ operation }) => operation)).toContain('alertsNear');
    expect(findOperations(sections, 'GET history').map(({ operation }) => operation)).toContain('alertHistory');
    expect(findOperations(sections, 'audit')).toEqual([]);
    expect(sectionOf(sections, 'alertsNear')).toBe('alerts');
    expect(sectionOf(sections, 'listAudit')).toBeUndefined();
  });
});

describe('values of parameters', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 1000 }, '5', 5, 'integer from 1 to 1000'],
    [{ type: 'number' }, '-93.62', -93.62, 'number'],
    [{ type: 'boolean' }, 'true', true, 'true or false'],
    [{ type: 'array', items: { type: 'string' } }, 'a, b', ['a', 'b'], 'list of text'],
    [{ type: 'integer' }, 'five', 'five', 'integer'],
    [{ enum: ['x', 'y'] }, 'x', 'x', 'one of x, y'],
    [{ anyOf: [{ $ref: '#/components/schemas/Alert' }, { type: 'null' }] }, 'x', 'x', 'Alert or null'],
  ] as const)('%o', (schema, typed, value, words) => {
    const node = schema as unknown as Parameters<typeof valueOf>[0];
    expect(valueOf(node, typed)).toEqual(value);
    expect(typeWords(node)).toBe(words);
    expect(valueOf(node, typedOf(valueOf(node, typed)))).toEqual(value);
  });
});

it('reads from the address only what it knows', () => {
  expect(readReferenceSearch({ section: 'alerts', op: 'listAlerts', lang: 'python', q: 5 })).toEqual({
    section: 'alerts',
    op: 'listAlerts',
    lang: 'python',
    q: '5',
  });
  expect(readReferenceSearch({ section: { a: 1 }, op: '', lang: 'cobol' })).toEqual({
    section: undefined,
    op: undefined,
    lang: undefined,
    q: undefined,
  });
});

describe('a request that is tried', () => {
  const call = { origin: 'http://a.invalid', operation: 'x', method: 'GET', path: '/alerts', credential: 'none', answer: 'json' } as const;
  const tried = (response: Response, credential: string | null = null) => {
    const seen: RequestInit[] = [];
    const fetch = (_url: unknown, init?: RequestInit) => {
      seen.push(init ?? {});
      return Promise.resolve(response);
    };
    const deps = { fetch: fetch as typeof globalThis.fetch, now: () => 1, signal: new AbortController().signal };
    return ask(call, credential, deps).then((asked) => ({ asked, seen }));
  };
  it('sends the credential as bearer, and none when none is chosen', async () => {
    expect((await tried(Response.json({}), 'nws_x')).seen[0]?.headers).toMatchObject({ Authorization: 'Bearer nws_x' });
    expect((await tried(Response.json({}))).seen[0]?.headers).not.toHaveProperty('Authorization');
  });
  it('shows refusals as they are and cuts what is too long, saying by how much', async () => {
    const refused = await tried(Response.json({ error: 'request.invalid' }, { status: 400, headers: { 'X-Request-Id': 'req_1' } }));
    expect(refused.asked).toMatchObject({
      status: 400,
      headers: [
        ['content-type', 'application/json'],
        ['x-request-id', 'req_1'],
      ],
      more: 0,
    });
    const long = await tried(new Response('x'.repeat(20_005), { headers: { 'Content-Type': 'text/csv' } }));
    expect(long.asked.text).toHaveLength(20_000);
    expect(long.asked.more).toBe(5);
  });
  it('leaves a stream after its first message', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('retry: 3000\n\nevent: heartbeat\ndata: {}\n\n'));
      },
    });
    const { asked } = await tried(new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } }));
    expect(asked.text).toContain('event: heartbeat');
  });
});
