import { alerts } from '@nwms/contract';
import Fastify, { type FastifyInstance } from 'fastify';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createServe } from '../../platform/http/serve.ts';
import { systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { installErrorHandler } from '../../platform/http/error-handler.ts';
import { normalizeQuery } from '../../platform/http/normalize-query.ts';
import { createLive, type Live } from './index.ts';
import { createMemoryWorld, type MemoryWorld } from './memory-world.ts';

interface Event {
  id: string | null;
  type: string;
  data: Record<string, unknown>;
}

/** Reads events as they come. */
class EventReader {
  readonly events: Event[] = [];
  readonly head: string[] = [];
  readonly response: Response;
  ended = false;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #rest = '';

  constructor(response: Response) {
    this.response = response;
    this.#reader = (response.body as ReadableStream<Uint8Array>).getReader();
  }

  async until(holds: (events: Event[]) => boolean): Promise<void> {
    while (!holds(this.events) && !this.ended) {
      const { done, value } = await this.#reader.read();
      this.ended = done;
      if (value) this.#take(Buffer.from(value).toString());
    }
    if (!holds(this.events)) throw new Error(`ended after ${JSON.stringify(this.events.map((event) => event.type))}`);
  }

  async end(): Promise<void> {
    await this.until(() => this.ended);
  }

  close(): Promise<void> {
    return this.#reader.cancel();
  }

  #take(text: string): void {
    const blocks = (this.#rest + text).split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const lines = Object.fromEntries(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      );
      if (lines['data'] === undefined) this.head.push(block);
      else
        this.events.push({
          id: lines['id'] ?? null,
          type: lines['event'] ?? '',
          data: JSON.parse(lines['data']) as Record<string, unknown>,
        });
    }
  }
}

let app: FastifyInstance;
let live: Live;
let base: string;
const readers: EventReader[] = [];
async function boot(world: MemoryWorld, limits = {}): Promise<void> {
  const deps = { clock: systemClock, log: silentLog };
  live = createLive({
    ...deps,
    alertLog: world.log,
    board: world.board,
    freshness: () => world.freshness,
    config: { origins: () => [], loopbackOnly: true, limits },
  });
  app = Fastify({ routerOptions: { querystringParser: () => ({}) }, ajv: { customOptions: { coerceTypes: false, strict: false } } });
  installErrorHandler(app, deps);
  app.addHook('preValidation', async (request) => {
    request.query = normalizeQuery(
      new URLSearchParams((request.raw.url ?? '').split('?')[1] ?? ''),
      request.routeOptions.config.spec?.query,
    );
  });
  createServe(app)(alerts.streamAlerts, live.sseHandler);
  await app.listen({ port: 0, host: '127.0.0.1' });
  base = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/alerts/stream`;
}
async function stream(query = '', headers: Record<string, string> = {}): Promise<EventReader> {
  const reader = new EventReader(await fetch(base + query, { headers }));
  readers.push(reader);
  return reader;
}
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.close().catch(() => {})));
  await live.stop();
  await app.close();
});
const seqs = (reader: EventReader) => reader.events.flatMap((event) => (typeof event.data['seq'] === 'number' ? [event.data['seq']] : []));

describe('server-sent events', () => {
  it('LV40: retry first, then a heartbeat with the position, then each entry with its cursor as id', async () => {
    const world = createMemoryWorld();
    world.commit({ eventId: 'old' });
    await boot(world);
    const reader = await stream();
    await reader.until((events) => events.length === 1);
    expect(reader.response.headers.get('content-type')).toContain('text/event-stream');
    expect(reader.head).toEqual(['retry: 3000']);
    expect(reader.events[0]).toMatchObject({ type: 'heartbeat', id: 'testepoc:1' });
    world.commit({ eventId: 'A' }, { eventId: 'A', kind: 'revised' });
    await reader.until((events) => events.length === 3);
    expect(reader.events.slice(1).map(({ type, id }) => [type, id])).toEqual([
      ['alert', 'testepoc:2'],
      ['update', 'testepoc:3'],
    ]);
    expect(reader.events[1]?.data).toMatchObject({ type: 'alert', seq: 2, alert: { event_id: 'A' } });
  });

  it('LV40: channels and filters choose, since resumes, and Last-Event-ID beats since', async () => {
    const world = createMemoryWorld();
    world.commit(
      ...Array.from({ length: 20 }, (_, n) => ({ eventId: `E${n}`, severity: n % 2 ? ('Minor' as const) : ('Extreme' as const) })),
    );
    await boot(world);
    const reader = await stream('?channels=alerts&severity=extreme&since=testepoc:4');
    await reader.until((events) => seqs({ events } as EventReader).at(-1) === 19);
    expect(seqs(reader)).toEqual([5, 7, 9, 11, 13, 15, 17, 19]);
    const resumed = await stream('?since=testepoc:4', { 'Last-Event-ID': 'testepoc:18' });
    await resumed.until((events) => seqs({ events } as EventReader).at(-1) === 20);
    expect(seqs(resumed)).toEqual([19, 20]);
  });

  it('LV40: a snapshot carries its id on the last part only; with Last-Event-ID it comes only after a gap', async () => {
    const world = createMemoryWorld();
    world.commit(...Array.from({ length: 150 }, (_, n) => ({ eventId: `E${n}` })));
    await boot(world);
    const first = await stream('?snapshot=always');
    await first.until((events) => events.filter((event) => event.type === 'snapshot').length === 2);
    expect(first.events.map(({ type, id }) => [type, id])).toEqual([
      ['heartbeat', null],
      ['snapshot', null],
      ['snapshot', 'testepoc:150'],
    ]);
    const resumed = await stream('?snapshot=always&channels=alerts', { 'Last-Event-ID': 'testepoc:149' });
    await resumed.until((events) => events.length === 2);
    expect(resumed.events.map((event) => event.type)).toEqual(['heartbeat', 'alert']);
    const lost = await stream('?snapshot=always', { 'Last-Event-ID': 'otherepo:1' });
    await lost.until((events) => events.length === 4);
    expect(lost.events.map(({ type, id }) => [type, id])).toEqual([
      ['heartbeat', null],
      ['gap', null],
      ['snapshot', null],
      ['snapshot', 'testepoc:150'],
    ]);
  });

  it('LV40: a position that is too old is a gap event, one that is no cursor a 400', async () => {
    const world = createMemoryWorld();
    world.commit(...Array.from({ length: 20 }, (_, n) => ({ eventId: `E${n}` })));
    world.prune(10);
    await boot(world);
    const reader = await stream('', { 'Last-Event-ID': 'testepoc:3' });
    await reader.until((events) => events.length === 2);
    expect(reader.events[1]).toMatchObject({ type: 'gap', id: 'testepoc:20', data: { reason: 'too_old', requested: 'testepoc:3' } });
    const bad = await fetch(`${base}?since=yesterday`);
    expect([bad.status, ((await bad.json()) as { error: string }).error]).toEqual([400, 'query.cursor_invalid']);
  });

  it('LV26, LV40: streams count as connections of their address, and give their place back', async () => {
    const world = createMemoryWorld();
    await boot(world, { perAddress: 2 });
    const [one] = [await stream(), await stream()];
    const refused = await fetch(base);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    await refused.body?.cancel();
    await one.close();
    await expect.poll(() => live.connections()).toBe(1);
    expect((await stream()).response.status).toBe(200);
  });

  it('LV3, LV40: a credential that is not accepted is 401, never anonymous', async () => {
    await boot(createMemoryWorld());
    const refused = await fetch(base, { headers: { authorization: 'Bearer x' } });
    expect(refused.status).toBe(401);
    await refused.body?.cancel();
  });

  it('LV34, LV40: on stop a last heartbeat, the reason as an error event, and the end of the body', async () => {
    const world = createMemoryWorld();
    await boot(world);
    const reader = await stream();
    await reader.until((events) => events.length === 1);
    world.commit({ eventId: 'last' });
    await Promise.all([live.stop(), reader.end()]);
    expect(reader.events.slice(1).map(({ type, id }) => [type, id])).toEqual([
      ['alert', 'testepoc:1'],
      ['heartbeat', 'testepoc:1'],
      ['error', null],
    ]);
    expect(reader.events.at(-1)?.data).toMatchObject({ code: 'live.shutting_down', fatal: true });
  });
});
