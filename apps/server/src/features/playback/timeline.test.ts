import type { Freshness, playback } from '@nwms/contract';
import { playback as routes } from '@nwms/contract';
import { evaluate } from '@nwms/domain';
import { testEngines } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { fakePlaces } from '../../../test/alerts-world.ts';
import { conforms } from '../../../test/conforms.ts';
import { createServe } from '../../platform/http/serve.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { silentLog } from '../../platform/log.ts';
import { createAlertEncoder, createAlertRecord, createAlerts } from '../alerts/index.ts';
import { openStorage, runStep, STEP_MS, T0 } from '../alerts/storage/storage-fixture.ts';
import { createWorld } from '../alerts/storage/storage-world-fixture.ts';
import { createPlayback } from './index.ts';

const engines = (await testEngines()).filter((engine) => engine.skip === null);
const LAST = 60;
const MANY = 10_000;
const FRESH: Freshness = {
  data_as_of: new Date(T0).toISOString(),
  upstream_age_seconds: 5,
  status: 'simulated',
  reason: null,
  feed: 'simulator',
  simulated: true,
};

describe.each(engines)('timeline on $name', (engine) => {
  it('API-45: at every instant shows what the list showed as of that instant, pages whole, and leaves gaps unknown', async () => {
    const place = await engine.place();
    const places = fakePlaces();
    const opened = await openStorage(place.config, { encodeAlert: createAlertEncoder(places) });
    const world = createWorld(19, 0.1);
    for (let step = 0; step <= LAST; step += 1) await runStep(opened, world, step);
    const { clock, storage, database } = opened;
    const record = createAlertRecord({ database, clock, places });
    await record.facts.catchUp(60_000);
    const { archive, boot, log: alertLog } = storage;
    const freshness = () => FRESH;
    const alerts = createAlerts({ clock, log: silentLog, places, alertLog, archive, boot, freshness, covered: async () => true });
    const hole = { from: T0 + 10 * STEP_MS, to: T0 + 12 * STEP_MS };
    const coveredSpans = async (from: number, to: number) => [
      { from, to: hole.from },
      { from: hole.to, to },
    ];
    const app = await createHttpServer({
      clock,
      log: silentLog,
      corsOrigins: () => [],
      trustedProxies: [],
      page: () => null,
      secure: false,
    });
    app.addHook('onRequest', async (request) => {
      request.principal = { type: 'anonymous', address: '192.0.2.1' };
    });
    const serve = createServe(app);
    createPlayback({ clock, log: silentLog, random: () => 0, timeline: alerts.timeline(record), freshness, coveredSpans }).registerRoutes(
      (spec, handler) => serve({ ...spec, reply: undefined } as unknown as typeof spec, handler),
    );
    await alerts.start();
    const ask = async (body: object) => {
      const reply = await app.inject({ method: 'POST', url: '/api/v1/playback/timeline', payload: body });
      return { status: reply.statusCode, body: JSON.parse(reply.body) as playback.Timeline & { error?: string } };
    };
    const range = { from: new Date(T0).toISOString(), to: new Date(T0 + LAST * STEP_MS).toISOString() };
    const { status, body } = await ask({ ...range, view: 'frames', frames: 37, limit: 5000 });
    expect(status).toBe(200);
    conforms(routes.playbackTimeline.reply, body);
    expect(body.frames).toHaveLength(38);
    expect(body.sparkline).toHaveLength(100);
    const frames = body.frames ?? [];
    expect(frames.filter((frame) => frame.gap).length).toBeGreaterThan(0);
    expect(frames.filter((frame) => frame.gap).every((frame) => frame.active === null && frame.counts === null)).toBe(true);
    let seen = 0;
    for (const frame of frames.filter((each) => !each.gap)) {
      const at = Date.parse(frame.at);
      const asOf = await archive.asOf(at, { limit: MANY });
      const inForce = asOf.events.filter(
        (event) => event.countable && ['in_force', 'expiring', 'unconfirmed'].includes(evaluate(event, at).state),
      );
      const shown = (frame.active ?? []).map((i) => body.items[i]);
      expect(shown.map((item) => [item?.event_id, item?.id]).sort()).toEqual(
        inForce.map((event) => [event.eventId, event.currentId]).sort(),
      );
      seen += shown.length;
    }
    expect(seen).toBeGreaterThan(50);
    expect(body.items.map((item) => item.sent)).toEqual(body.items.map((item) => item.sent).toSorted());

    const paged: number[] = [];
    let cursor: string | null = null;
    do {
      const page: playback.Timeline = (await ask({ ...range, limit: 25, ...(cursor && { cursor }) })).body;
      paged.push(...page.items.map((item) => item.i));
      expect(page.total).toBe(body.total);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(paged).toEqual(Array.from({ length: body.total }, (_, i) => i));

    // By places and words every row is made in full; both ways must agree on what there is.
    const both = (await ask({ ...range, q: 'the', limit: 5000 })).body;
    const ids = new Set(both.items.map((item) => `${item.id} ${item.shown_from}`));
    expect(both.items.length).toBeGreaterThan(0);
    expect(body.items.filter((item) => ids.has(`${item.id} ${item.shown_from}`)).map((item) => ({ ...item, i: 0 }))).toEqual(
      both.items.map((item) => ({ ...item, i: 0 })),
    );

    const severe = (await ask({ ...range, severity: ['Severe'], limit: 5000 })).body;
    expect(severe.items.map((item) => item.id)).toEqual(body.items.filter((item) => item.severity === 'Severe').map((item) => item.id));

    const lines = await app.inject({
      method: 'GET',
      url: `/api/v1/playback/timeline?from=${range.from}&to=${range.to}&view=entries`,
      headers: { accept: 'application/x-ndjson' },
    });
    const parsed = lines.body
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as { type: string; seq?: number; entries?: number });
    expect(parsed[0]?.type).toBe('head');
    expect(parsed.at(-1)).toMatchObject({ type: 'end', entries: parsed.filter((each) => each.type === 'entry').length });
    expect(parsed.filter((each) => each.type === 'entry').length).toBeGreaterThan(20);

    expect((await ask({ from: '2020-01-01', to: '2026-05-20' })).body.error).toBe('query.window_too_large');
    expect((await ask({ ...range, range: '7d' })).body.error).toBe('request.invalid');
    expect((await ask({ view: 'frames', step_seconds: 60, range: '7d' })).body.error).toBe('query.window_too_large');
    expect((await ask({ storm: 'x' })).body.error).toBe('playback.storm_not_found');
    await alerts.stop();
    await app.close();
    await opened.close();
    await place.dispose();
  });
});
