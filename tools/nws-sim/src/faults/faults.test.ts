import { request as httpRequest } from 'node:http';
import { gunzipSync } from 'node:zlib';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import type { RawFeature } from '../feature.ts';
import { type NwsSim, startNwsSim } from '../http/server.ts';
import { loadAtlas } from '../places/atlas.ts';
import { createStormFeed } from '../storms/feed.ts';
import { type Fault, type FaultPlan, randomFaultPlan } from './plan.ts';

const NOW = Date.UTC(2026, 4, 20, 18);
const AGENT = { 'user-agent': 'nws-sim tests' };

let sim: NwsSim;
let now = NOW;
beforeAll(async () => {
  sim = await startNwsSim({ feed: createStormFeed({ seed: 7, startedAt: NOW, atlas: loadAtlas() }), clock: () => now });
});
afterAll(() => sim.close());

interface Page {
  features: RawFeature[];
  updated: string;
  pagination?: { next: string };
}

const get = (path = '/alerts/active', signal: AbortSignal | null = null): Promise<Response> =>
  fetch(sim.url + path, { headers: AGENT, signal });
const page = async (path?: string): Promise<Page> => (await (await get(path)).json()) as Page;
const ids = ({ features }: Page): string[] => features.map(({ properties }) => properties.id);
/** Puts one fault in force for all requests from now on. */
const suffer = (fault: Fault, times = 1000): void => sim.setFaults({ steps: [{ fault, during: { requests: [0, times] } }] });

describe('a fault in force', () => {
  it('status: server errors as problem+json or as a proxy page', async () => {
    suffer({ kind: 'status', status: 503, html: false });
    const problem = await get();
    expect([problem.status, problem.headers.get('content-type')]).toEqual([503, 'application/problem+json']);
    suffer({ kind: 'status', status: 502, html: true });
    const html = await get();
    expect([html.status, html.headers.get('content-type')]).toEqual([502, 'text/html']);
  });

  it('too-many: 429 with Retry-After', async () => {
    suffer({ kind: 'too-many', retryAfterSeconds: 17 });
    const response = await get();
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '17']);
  });

  it('forbidden: 403 with HTML', async () => {
    suffer({ kind: 'forbidden' });
    const response = await get();
    expect([response.status, await response.text()]).toEqual([403, expect.stringContaining('Access Denied')]);
  });

  it('hang: nothing comes until the client gives up', async () => {
    suffer({ kind: 'hang' });
    const before = sim.requests().length;
    const controller = new AbortController();
    const pending = get('/alerts/active', controller.signal);
    await expect.poll(() => sim.requests().length).toBe(before + 1);
    controller.abort();
    await expect(pending).rejects.toThrow('aborted');
  });

  it('reset: the connection breaks inside the body', async () => {
    suffer({ kind: 'reset' });
    await expect(get().then((response) => response.text())).rejects.toThrow('terminated');
  });

  it('truncated: 200, a complete message, half a document', async () => {
    suffer({ kind: 'truncated' });
    const response = await get();
    expect(response.status).toBe(200);
    const text = await response.text();
    expect(text.length).toBeGreaterThan(1000);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
  });

  it('html: 200 with a page', async () => {
    suffer({ kind: 'html' });
    const response = await get();
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
  });

  it('empty: a well-formed nothing', async () => {
    suffer({ kind: 'empty' });
    expect(await page()).toMatchObject({ type: 'FeatureCollection', features: [] });
  });

  it('cut-gzip: the stream ends too early', async () => {
    suffer({ kind: 'cut-gzip' });
    // Not with fetch: it hands out the half it could unpack without a word.
    const packed = await new Promise<Buffer>((resolve, reject) => {
      httpRequest(`${sim.url}/alerts/active`, { headers: AGENT }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part)).on('end', () => resolve(Buffer.concat(parts)));
      })
        .on('error', reject)
        .end();
    });
    expect(packed.length).toBeGreaterThan(1000);
    expect(() => gunzipSync(packed)).toThrow('unexpected end of file');
  });

  it('frozen: the same answer with the same old `updated`, while time goes on', async () => {
    suffer({ kind: 'frozen' });
    const first = await page();
    now += 3_600_000;
    expect(await page()).toEqual(first);
    sim.setFaults(null);
    expect((await page()).updated > first.updated).toBe(true);
    now = NOW;
  });

  it('older: the state of an hour ago', async () => {
    const good = await page('/alerts/active?status=exercise');
    suffer({ kind: 'older', ageSeconds: 3600 });
    const old = await page('/alerts/active?status=exercise');
    expect(Date.parse(old.updated)).toBeLessThanOrEqual(NOW - 3_600_000);
    expect(ids(old)).not.toEqual(ids(good));
  });

  it('shrink: about the share is missing, the rest unchanged', async () => {
    sim.setFaults(null);
    const whole = ids(await page());
    suffer({ kind: 'shrink', share: 0.5 });
    const rest = ids(await page());
    expect(rest.length).toBeGreaterThan(whole.length * 0.3);
    expect(rest.length).toBeLessThan(whole.length * 0.7);
    expect(rest.filter((id) => !whole.includes(id))).toEqual([]);
  });

  it('duplicate-page: the second page starts with the end of the first', async () => {
    suffer({ kind: 'duplicate-page', overlap: 5 });
    const first = await page('/alerts?limit=50');
    const second = await page((first.pagination?.next ?? '').slice(sim.url.length));
    expect(ids(second).slice(0, 5)).toEqual(ids(first).slice(-5));
    expect(second.features).toHaveLength(55);
  });

  it('looping-cursor: next leads to the same page', async () => {
    suffer({ kind: 'looping-cursor' });
    const first = await page('/alerts?limit=50');
    expect(first.pagination?.next).toBe(`${sim.url}/alerts?limit=50`);
  });

  it('next-on-empty: nothing, and yet more', async () => {
    suffer({ kind: 'next-on-empty' });
    expect(await page('/alerts?limit=50')).toMatchObject({
      features: [],
      pagination: { next: expect.stringContaining(`${sim.url}/alerts?`) },
    });
  });

  it('foreign-next: next leads to another origin', async () => {
    suffer({ kind: 'foreign-next' });
    expect(new URL((await page('/alerts?limit=50')).pagination?.next ?? '').origin).toBe('https://elsewhere.invalid');
  });

  it('reordered: the same messages in another order', async () => {
    sim.setFaults(null);
    const good = ids(await page());
    suffer({ kind: 'reordered' });
    const shuffled = ids(await page());
    expect(shuffled).not.toEqual(good);
    expect(shuffled.toSorted()).toEqual(good.toSorted());
  });

  it('clock: Date and Last-Modified are an hour off', async () => {
    sim.setFaults(null);
    const good = await get();
    suffer({ kind: 'clock', offsetSeconds: 3600 });
    const wrong = await get();
    expect(Date.parse(wrong.headers.get('date') ?? '') - Date.parse(good.headers.get('date') ?? '')).toBe(3_600_000);
    expect(Date.parse(wrong.headers.get('last-modified') ?? '') - Date.parse(good.headers.get('last-modified') ?? '')).toBe(3_600_000);
  });
});

describe('a plan', () => {
  it('counts only the requests it speaks of, and lets the others through', async () => {
    sim.setFaults({ steps: [{ fault: { kind: 'forbidden' }, during: { requests: [1, 2] } }] });
    const statuses: number[] = [];
    for (const path of ['/alerts/active', '/zones/county/IAC153', '/alerts/active', '/alerts/active'])
      statuses.push((await get(path)).status);
    expect(statuses).toEqual([200, 200, 403, 200]);
  });

  it('can go by time and by path', async () => {
    sim.setFaults({ steps: [{ fault: { kind: 'forbidden' }, during: { seconds: [10, 20] }, path: '/zones' }] });
    const statuses: number[] = [];
    for (const seconds of [0, 10, 19, 20]) {
      now = NOW + seconds * 1000;
      statuses.push((await get('/zones/county/IAC153')).status);
    }
    now = NOW;
    expect(statuses).toEqual([200, 403, 403, 200]);
  });

  it('from a seed is the same at every call, survives JSON and never overlaps itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), (seed) => {
        const plan = randomFaultPlan(seed);
        expect(JSON.parse(JSON.stringify(randomFaultPlan(seed))) as FaultPlan).toEqual(plan);
        const spans = plan.steps.flatMap(({ during }) => ('requests' in during ? [during.requests] : []));
        expect(spans.length).toBeGreaterThan(0);
        expect(spans.slice(1).filter(([from], index) => from <= (spans[index]?.[1] ?? 0))).toEqual([]);
      }),
    );
  });

  it('of a hundred seeds meets every fault there is', () => {
    const kinds = new Set(Array.from({ length: 100 }, (_, seed) => randomFaultPlan(seed).steps.map(({ fault }) => fault.kind)).flat());
    expect(kinds.size).toBe(18);
  });
});
