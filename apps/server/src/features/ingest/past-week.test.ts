import { evaluate } from '@nwms/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { createHarness, type Harness, type HarnessOptions } from './harness-fixture.ts';
import { createFakeStore, createFakeWriter, type FakeStore, type FakeWriter } from './memory-fixture.ts';
import { createScriptedFeed, scriptedMessage, type ScriptedFeed } from './scripted-fixture.ts';

const T0 = Date.UTC(2026, 4, 14, 16);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** An hour of what upstream keeps may be gone by the time it is asked for. */
const FROM = T0 - 7 * DAY + HOUR;
const open: Harness[] = [];
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

type Bench = Harness & { writer: FakeWriter; store: FakeStore };

async function start(
  feed: ScriptedFeed,
  more: Partial<Omit<HarnessOptions, 'store'>> & { before?: Bench; store?: FakeStore } = {},
): Promise<Bench> {
  const { before, store = before?.store ?? createFakeStore(), ...options } = more;
  let writer = before?.writer;
  const h = await createHarness({
    feed,
    startAt: T0,
    store,
    config: { feed: 'nws', frozenAfterSeconds: 86_400 },
    writer: (clock) => (writer ??= createFakeWriter(clock, store.good)),
    ...(before ? { after: before } : {}),
    ...options,
  });
  open.push(h);
  await h.ingest.start();
  return Object.assign(h, { writer: writer as FakeWriter, store });
}

/** As the weather service sends it: no exercise. */
const actual: typeof scriptedMessage = (n, times, change = {}) => scriptedMessage(n, times, { ...change, status: 'Actual' });

/** A warning of two hours every two hours for `days`, so that no part of the week is empty, and one that is listed. */
const calmWeek = (days = 8) => [
  ...Array.from({ length: days * 12 }, (_, n) => actual(100 + n, { sent: T0 - (n + 2) * 2 * HOUR, ends: T0 - (n + 1) * 2 * HOUR })),
  actual(1, { sent: T0 - HOUR, ends: T0 + 2 * DAY }),
  actual(2, { sent: T0 + 90_000, ends: T0 + 2 * DAY }),
];
const stored = (h: Bench) => new Set([...h.writer.stored.keys()].map((key) => key.slice(65)));
const active = (h: Bench) =>
  h.writer.index
    .events()
    .filter((event) => evaluate(event, h.clock.now()).isActive)
    .map(({ currentId }) => currentId);
const asked = (h: Bench) =>
  h.requests().flatMap(({ path, query }) => (path === '/alerts' && query.has('end') ? [Date.parse(query.get('start') ?? '')] : []));

describe('the first start on live data', () => {
  it('the week before is read after the first list, a few hours a round, one request at a time, and covers the week in the end', async () => {
    const feed = createScriptedFeed(calmWeek());
    const h = await start(feed);
    await h.run(5_000);
    expect(h.ingest.freshness().status).toBe('live');
    expect(asked(h)).toHaveLength(2);
    expect(h.ingest.upstream().past_week).toMatchObject({ share: 0.07, done: false });
    expect(await h.ingest.covered(T0 - DAY, T0)).toBe(false);
    await h.run(10 * MINUTE);
    expect(h.ingest.upstream()).toMatchObject({
      past_week: { from: new Date(FROM).toISOString().replace('.000', ''), share: 1, done: true },
      gaps: [],
    });
    const week = feed.messages.filter(({ feature }) => Date.parse(feature.properties.sent) >= FROM);
    expect(week.map(({ feature }) => feature.properties.id).filter((id) => !stored(h).has(id))).toEqual([]);
    expect(asked(h)).toHaveLength(28);
    expect(h.mostInFlight()).toBe(1);
    await h.run(MINUTE);
    expect(await h.ingest.covered(FROM, T0)).toBe(true);
    expect(await h.ingest.covered(T0 - DAY, T0 - DAY, 'then')).toBe(false);
    expect(await h.ingest.coveredSpans(T0 - DAY, T0)).toEqual([{ from: T0 - DAY, to: T0 }]);
    expect(asked(h)).toHaveLength(28);
  });

  it('what is over is never told as news, what no list holds is never active, and what is listed keeps its history', async () => {
    const NEW = actual(50, { sent: T0 - 5 * DAY, ends: T0 + DAY });
    const cancel = actual(51, { sent: T0 - 4 * DAY, ends: T0 + DAY }, { parameters: { VTEC: vtecOf(NEW, 'CAN') } });
    const silent = actual(60, { sent: T0 - 3 * DAY, ends: T0 + DAY });
    const first = actual(70, { sent: T0 - 2 * DAY, ends: T0 + DAY });
    const listed = actual(71, { sent: T0 - HOUR, ends: T0 + DAY }, { parameters: { VTEC: vtecOf(first, 'CON') } });
    const gone = [NEW, cancel, silent, first].map((message) => ({ ...message, listedUntil: T0 - HOUR }));
    const h = await start(createScriptedFeed([...calmWeek(), ...gone, listed]));
    await h.run(10 * MINUTE);
    expect(h.ingest.upstream().past_week?.done).toBe(true);
    expect(active(h).sort()).toEqual(['urn:test:1', 'urn:test:2', 'urn:test:71']);
    const heard = h.writer.entries.filter(({ channels }) => channels.length > 0);
    expect(heard.map(({ messageId, kind }) => `${messageId} ${kind}`).sort()).toEqual([
      'urn:test:1 issued',
      'urn:test:2 issued',
      'urn:test:71 issued',
    ]);
    const event = h.writer.index.byMessage('urn:test:71');
    expect(event?.versions.map(({ messageId, kind }) => `${messageId} ${kind}`)).toEqual(['urn:test:71 issued', 'urn:test:70 backfilled']);
    expect(evaluate(h.writer.index.byMessage('urn:test:50')!, h.clock.now())).toMatchObject({ state: 'cancelled', endedAt: T0 - 4 * DAY });
  });

  it('goes on where a process that died had come to, and not from the beginning', async () => {
    const feed = createScriptedFeed(calmWeek());
    const first = await start(feed);
    await first.run(2 * MINUTE);
    const before = asked(first).length;
    expect(before).toBeGreaterThan(4);
    await first.ingest.stop();
    await first.run(MINUTE);
    const next = await start(feed, { before: first });
    await next.run(10 * MINUTE);
    expect(next.ingest.upstream().past_week).toMatchObject({ share: 1, done: true });
    const starts = asked(next);
    expect(new Set(starts).size).toBe(starts.length);
    expect(starts).toHaveLength(28);
  });

  it('an empty or failing answer is asked for again; a hole that stays moves the beginning of the record behind it', async () => {
    const isHole = (at: number) => at > T0 - 4 * DAY && at <= T0 - 3 * DAY - 12 * HOUR;
    const holed = calmWeek().filter(({ feature }) => !isHole(Date.parse(feature.properties.sent)));
    const h = await start(createScriptedFeed(holed));
    await h.run(2 * HOUR);
    expect(h.ingest.upstream().past_week).toMatchObject({ done: true });
    const from = Date.parse(h.ingest.upstream().past_week?.from ?? '');
    expect(from).toBeGreaterThan(T0 - 4 * DAY);
    expect(from).toBeLessThanOrEqual(T0 - 3 * DAY);
    await h.run(MINUTE);
    expect(await h.ingest.covered(T0 - 6 * DAY, T0)).toBe(false);
    expect(await h.ingest.covered(T0 - 2 * DAY, T0)).toBe(true);
    expect(h.store.gapRows.filter(({ backfilled }) => backfilled)).toHaveLength(1);
  });

  it('upstream away in the middle delays it and nothing else', async () => {
    const h = await start(createScriptedFeed(calmWeek()));
    await h.run(MINUTE);
    h.setFaults({ steps: [{ path: '/alerts', fault: { kind: 'status', status: 503, html: false }, during: { seconds: [0, 300] } }] });
    await h.run(30 * MINUTE);
    expect(h.ingest.upstream().past_week).toMatchObject({ share: 1, done: true });
    expect(h.ingest.freshness().status).toBe('live');
  });
});

describe('who has no week to read', () => {
  it('simulated weather, and a record that is older than what upstream keeps', async () => {
    const simulated = await start(createScriptedFeed(calmWeek()), { config: { feed: 'simulator' } });
    await simulated.run(2 * MINUTE);
    expect(asked(simulated)).toEqual([]);
    expect(simulated.ingest.upstream().past_week).toBeNull();
    const store = createFakeStore();
    store.good.push({ startedAt: T0 - 8 * DAY, outcome: 'ok', upstreamUpdatedAt: null, listedCount: 1 });
    const old = await start(createScriptedFeed(calmWeek()), { store });
    await old.run(2 * MINUTE);
    expect(asked(old)).toEqual([]);
  });
});

/** The VTEC string of a message with another action. */
function vtecOf({ feature }: ReturnType<typeof scriptedMessage>, action: string): string[] {
  return (feature.properties.parameters['VTEC'] ?? []).map((text) => text.replace('.NEW.', `.${action}.`));
}
