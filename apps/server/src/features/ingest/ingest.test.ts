import { createStormFeed, type Feed } from '@nwms/nws-sim';
import { afterEach, describe, expect, it } from 'vitest';
import { createFakeStore, createFakeWriter, type FakeStore, type FakeWriter } from './memory-fixture.ts';
import { createHarness, type Harness, type HarnessOptions } from './harness-fixture.ts';
import { createScriptedFeed, scriptedMessage, scriptedMessages, sharedAtlas } from './scripted-fixture.ts';

const T0 = Date.UTC(2026, 4, 14, 16);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const open: Harness[] = [];
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

type Bench = Harness & { writer: FakeWriter; store: FakeStore };

async function setUp(options: Partial<HarnessOptions> & { feed: Feed }): Promise<Bench> {
  const store = createFakeStore();
  let writer: FakeWriter | undefined;
  const harness = await createHarness({
    startAt: T0,
    store,
    writer: (clock) => (writer = createFakeWriter(clock, store.good)),
    ...options,
  });
  open.push(harness);
  return Object.assign(harness, { writer: writer as FakeWriter, store });
}

const storedIds = (writer: FakeWriter) => new Set([...writer.stored.keys()].map((key) => key.slice(65)));
const kinds = (writer: FakeWriter) => writer.entries.map((entry) => entry.kind);
const endKinds = (writer: FakeWriter) => kinds(writer).filter((kind) => ['ended', 'cancelled', 'upgraded', 'withdrawn'].includes(kind));

describe('ingest against the simulated weather service', () => {
  it('stores every listed message once, asks for shapes, and is fresh', async () => {
    const feed = createStormFeed({ seed: 1, startedAt: T0, atlas: sharedAtlas() });
    const ensured = new Set<string>();
    const h = await setUp({ feed, onEnsure: (codes) => codes.forEach((code) => ensured.add(code)) });
    expect(h.ingest.freshness()).toMatchObject({ status: 'unknown', reason: 'never_polled', data_as_of: null });
    await h.ingest.start();
    await h.run(10 * MINUTE);
    const listed = feed.activeAt(h.store.good.at(-1)!.startedAt).features;
    const stored = storedIds(h.writer);
    expect(listed.filter(({ properties }) => !stored.has(properties.id))).toEqual([]);
    expect(listed.flatMap(({ properties }) => properties.geocode.UGC).filter((code) => !ensured.has(code))).toEqual([]);
    expect(h.ingest.freshness()).toMatchObject({ status: 'simulated', reason: null, simulated: true });
    expect(h.ingest.upstream()).toMatchObject({ gaps: [], quarantined_24h: 0, polls_24h: { failed: 0 } });
    expect(h.ingest.upstream().polls_24h.ok + h.ingest.upstream().polls_24h.unchanged).toBe(h.store.good.length);
  });

  it('A7: contact in the User-Agent, pinned Accept, known parameters only, one request at a time, never faster than the interval', async () => {
    const h = await setUp({ feed: createStormFeed({ seed: 2, startedAt: T0, atlas: sharedAtlas() }) });
    await h.ingest.start();
    await h.run(25 * MINUTE);
    const polls = h.requests().filter(({ path }) => path === '/alerts/active');
    const others = h.requests().filter(({ path }) => path !== '/alerts/active');
    expect(polls.length).toBeGreaterThan(45);
    for (const { query, headers } of h.requests()) {
      expect(headers['user-agent']).toContain('ops@example.org');
      expect(headers.accept).toBe('application/geo+json');
      expect([...query.keys()].filter((name) => !['start', 'limit', 'cursor'].includes(name))).toEqual([]);
    }
    expect(polls.every(({ query }) => query.size === 0)).toBe(true);
    expect(others.map(({ path }) => path)).toEqual(['/alerts', '/alerts']);
    expect(Math.min(...polls.slice(1).map((poll, at) => poll.at - polls[at]!.at))).toBeGreaterThanOrEqual(29_000);
    expect(h.mostInFlight()).toBe(1);
  });

  it('asks conditionally, and a 304 counts as a good poll without being read', async () => {
    const feed = createScriptedFeed(scriptedMessages(20, T0 - HOUR));
    feed.updatedAt = () => T0;
    const h = await setUp({ feed, config: { feed: 'nws' } });
    await h.ingest.start();
    await h.run(3 * MINUTE);
    const polls = h.requests().filter(({ path }) => path === '/alerts/active');
    expect(polls[0]?.headers['if-none-match']).toBeUndefined();
    expect(polls[1]?.headers).toMatchObject({
      'if-none-match': expect.any(String),
      'if-modified-since': expect.stringMatching(/GMT$/),
    });
    expect(h.store.good.map(({ outcome }) => outcome)).toEqual(['ok', 'unchanged', 'unchanged', 'unchanged', 'unchanged', 'unchanged']);
    expect(h.ingest.freshness().status).toBe('live');
  });

  it('a poll that cannot be stored counts for nothing: everything of it comes again with the next one', async () => {
    const h = await setUp({ feed: createScriptedFeed(scriptedMessages(20, T0 - HOUR)) });
    h.writer.failNext(1);
    await h.ingest.start();
    await h.run(2_000);
    expect(h.writer.stored.size).toBe(0);
    expect(h.ingest.freshness()).toMatchObject({ status: 'unknown', reason: 'poll_failing' });
    await h.run(MINUTE);
    expect(h.writer.stored.size).toBe(20);
    expect(h.requests()[1]?.headers['if-none-match']).toBeUndefined();
    expect(h.ingest.freshness().status).toBe('simulated');
  });

  it('trap 40: a list that loses half is put aside for one poll, yet its new messages are stored at once', async () => {
    const feed = createScriptedFeed(scriptedMessages(40, T0 - HOUR));
    const h = await setUp({ feed });
    await h.ingest.start();
    await h.run(MINUTE);
    const whole = feed.messages;
    feed.messages = [...whole.slice(0, 15), scriptedMessage(900, { sent: T0 + MINUTE, ends: T0 + HOUR })];
    await h.run(2_000);
    expect(h.store.failed.map(({ reason }) => reason)).toEqual(['shrink_quarantined']);
    expect(storedIds(h.writer)).toContain('urn:test:900');
    expect(h.ingest.freshness()).toMatchObject({ status: 'simulated', reason: 'shrink_quarantined' });
    feed.messages = [...whole, ...feed.messages.slice(-1)];
    await h.run(10 * MINUTE);
    expect(kinds(h.writer).filter((kind) => kind !== 'issued' && kind !== 'ended')).toEqual([]);
  });

  it('trap 40: a shrink that the next poll confirms is believed, and still ends nothing', async () => {
    const feed = createScriptedFeed(scriptedMessages(40, T0 - HOUR));
    const h = await setUp({ feed });
    await h.ingest.start();
    await h.run(MINUTE);
    feed.messages = feed.messages.slice(0, 15);
    await h.run(5 * MINUTE);
    expect(h.store.failed.map(({ reason }) => reason)).toEqual(['shrink_quarantined']);
    expect(kinds(h.writer).filter((kind) => kind === 'unconfirmed')).toHaveLength(25);
    expect(endKinds(h.writer)).toEqual([]);
    expect(h.ingest.freshness()).toMatchObject({ status: 'simulated', reason: null });
  });

  it('trap 37: a list older than the last one is not believed about absence, and freshness says so in time', async () => {
    const feed = createScriptedFeed(scriptedMessages(40, T0 - HOUR));
    const h = await setUp({ feed });
    await h.ingest.start();
    await h.run(MINUTE);
    const whole = feed.messages;
    feed.messages = whole.slice(0, 38);
    feed.updatedAt = () => T0 - 10 * MINUTE;
    await h.run(10 * MINUTE);
    expect(new Set(h.store.failed.map(({ reason }) => reason))).toEqual(new Set(['older_snapshot']));
    expect(kinds(h.writer)).not.toContain('unconfirmed');
    expect(h.ingest.freshness()).toMatchObject({ status: 'stale', reason: 'poll_failing' });
    feed.messages = whole;
    feed.updatedAt = null;
    await h.run(MINUTE);
    expect(h.ingest.freshness().status).toBe('simulated');
  });

  it('an old list brings back nothing that was over before we came, but what is new in it is stored', async () => {
    const past = scriptedMessage(300, { sent: T0 - 2 * HOUR, ends: T0 + 5 * HOUR });
    const feed = createScriptedFeed(scriptedMessages(40, T0 - HOUR));
    const h = await setUp({ feed });
    await h.ingest.start();
    await h.run(MINUTE);
    feed.messages = [...feed.messages, past, scriptedMessage(301, { sent: T0 + MINUTE, ends: T0 + HOUR })];
    feed.updatedAt = () => T0 - 10 * MINUTE;
    await h.run(MINUTE);
    expect(storedIds(h.writer).has('urn:test:300')).toBe(false);
    expect(storedIds(h.writer).has('urn:test:301')).toBe(true);
  });

  it('a first list of live data is checked against the history of the last two hours', async () => {
    const cancelled = scriptedMessage(300, { sent: T0 - HOUR, ends: T0 + 5 * HOUR });
    const vtec = cancelled.feature.properties.parameters['VTEC']![0]!.replace('.NEW.', '.CAN.');
    const cancel = scriptedMessage(301, { sent: T0 - MINUTE, ends: T0 + 5 * HOUR }, { parameters: { VTEC: [vtec] } });
    const feed = createScriptedFeed([...scriptedMessages(20, T0 - HOUR), cancelled, { ...cancel, listedUntil: cancel.listedFrom }]);
    const h = await setUp({ feed, config: { feed: 'nws' } });
    await h.ingest.start();
    await h.run(MINUTE);
    expect(kinds(h.writer).filter((kind) => kind === 'cancelled')).toHaveLength(1);
  });

  it('a list from the future does not lock out the true ones that follow', async () => {
    const feed = createScriptedFeed(scriptedMessages(40, T0 - HOUR));
    feed.updatedAt = (now) => now + 7 * 24 * HOUR;
    const h = await setUp({ feed });
    await h.ingest.start();
    await h.run(MINUTE);
    feed.updatedAt = null;
    await h.run(MINUTE);
    expect(h.store.failed).toEqual([]);
    expect(h.store.good.length).toBeGreaterThanOrEqual(4);
  });

  it('the first list of all, if empty, waits for a second look; an empty list that is confirmed means none', async () => {
    const h = await setUp({ feed: createScriptedFeed([]) });
    await h.ingest.start();
    await h.run(20_000);
    expect(h.ingest.freshness()).toMatchObject({ status: 'unknown', reason: 'shrink_quarantined', data_as_of: null });
    await h.run(MINUTE);
    expect(h.ingest.freshness()).toMatchObject({ status: 'simulated', reason: null });
  });

  it('clock ends go on while upstream is away', async () => {
    const feed = createScriptedFeed([
      scriptedMessage(1, { sent: T0 - HOUR, ends: T0 + 10 * MINUTE }),
      ...scriptedMessages(9, T0 - HOUR, 10),
    ]);
    const h = await setUp({ feed });
    await h.ingest.start();
    await h.run(MINUTE);
    h.setFaults({ steps: [{ fault: { kind: 'status', status: 503, html: true }, during: { seconds: [0, 1e9] } }] });
    await h.run(10 * MINUTE);
    const ended = h.writer.entries.filter(({ kind }) => kind === 'ended');
    expect(ended.map(({ messageId }) => messageId)).toEqual(['urn:test:1']);
    expect(ended[0]!.at - (T0 + 10 * MINUTE)).toBeLessThanOrEqual(1_000);
    expect(h.ingest.freshness()).toMatchObject({ status: 'stale', reason: 'poll_failing' });
  });

  it('a failing database stops neither the schedule nor, once it is back, any end', async () => {
    const feed = createScriptedFeed([
      scriptedMessage(1, { sent: T0 - HOUR, ends: T0 + 2 * MINUTE }),
      ...scriptedMessages(9, T0 - HOUR, 10),
    ]);
    const h = await setUp({ feed });
    await h.ingest.start();
    await h.run(90_000);
    h.writer.failNext(60);
    await h.run(3 * MINUTE);
    expect(endKinds(h.writer)).toEqual(['ended']);
    expect(h.ingest.freshness().status).toBe('simulated');
  });

  it('tells when freshness changes, once per change', async () => {
    const feed = createScriptedFeed(scriptedMessages(20, T0 - HOUR));
    const h = await setUp({ feed });
    const told: string[] = [];
    h.ingest.onFreshness(({ status, reason }) => told.push(`${status} ${reason}`));
    await h.ingest.start();
    await h.run(MINUTE);
    h.setFaults({ steps: [{ fault: { kind: 'forbidden' }, during: { seconds: [0, 3600] } }] });
    await h.run(40 * MINUTE);
    h.setFaults(null);
    await h.run(MINUTE);
    expect(told).toEqual(['unknown starting', 'simulated null', 'stale poll_failing', 'unknown poll_failing', 'simulated null']);
    expect(h.ingest.metrics().polls.find(({ result }) => result === 'blocked')?.count).toBeGreaterThan(30);
  });
});
