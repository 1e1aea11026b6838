import { afterEach, describe, expect, it } from 'vitest';
import { createFakeStore, createFakeWriter, type FakeStore, type FakeWriter } from './memory-fixture.ts';
import { createHarness, type Harness, type HarnessOptions } from './harness-fixture.ts';
import { BEFORE_FIRST_START } from './types.ts';
import { createScriptedFeed, scriptedMessage, scriptedMessages, type ScriptedFeed } from './scripted-fixture.ts';

const T0 = Date.UTC(2026, 4, 14, 16);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const open: Harness[] = [];
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

type Bench = Harness & { writer: FakeWriter; store: FakeStore };

async function setUp(feed: ScriptedFeed, options: Partial<HarnessOptions> = {}): Promise<Bench> {
  const store = createFakeStore();
  let writer: FakeWriter | undefined;
  const harness = await createHarness({
    feed,
    startAt: T0,
    store,
    writer: (clock) => (writer = createFakeWriter(clock, store.good)),
    ...options,
  });
  open.push(harness);
  return Object.assign(harness, { writer: writer as FakeWriter, store });
}

/** The process dies without a word and another one takes over the same store, `downMs` later. */
async function crash(before: Bench, feed: ScriptedFeed, downMs: number): Promise<Bench> {
  await before.ingest.stop();
  await before.run(downMs);
  const after = await createHarness({ feed, startAt: T0, store: before.store, writer: () => before.writer, after: before });
  open.push(after);
  return Object.assign(after, { writer: before.writer, store: before.store });
}

const down = {
  steps: [{ fault: { kind: 'status', status: 503, html: false }, during: { seconds: [0, 1e9] as [number, number] } } as const],
};
const storedIds = (writer: FakeWriter) => new Set([...writer.stored.keys()].map((key) => key.slice(65)));
function missing(h: Bench, feed: ScriptedFeed): string[] {
  const stored = storedIds(h.writer);
  return feed.messages.map(({ feature }) => feature.properties.id).filter((id) => !stored.has(id));
}

/** As many messages in an hour: every other one is over ten minutes after its issue, the rest lasts for hours. */
const stormHour = (from: number, count = 2_000) =>
  Array.from({ length: count }, (_, n) => {
    const sent = from + Math.floor((n * HOUR) / count / 1_000) * 1_000;
    return scriptedMessage(2_000 + n, { sent, ends: sent + (n % 2 === 0 ? 10 * MINUTE : 5 * HOUR) });
  });

describe('A2: upstream away for an hour', () => {
  it('2,000 missed messages are stored within 60 s of its return, in order; those already over never reach the alert channels', async () => {
    const feed = createScriptedFeed([...scriptedMessages(30, T0 - HOUR), ...stormHour(T0 + 10 * MINUTE)]);
    const h = await setUp(feed);
    await h.ingest.start();
    await h.run(10 * MINUTE - 10_000);
    h.setFaults(down);
    await h.run(HOUR);
    expect(h.ingest.freshness().status).toBe('unknown');
    expect(h.store.gapRows).toMatchObject([{ cause: 'poll_failing', to: null, backfilled: false }]);
    h.setFaults(null);
    await h.run(60_000);
    const known = feed.messages.filter(({ listedFrom }) => listedFrom <= h.store.good.at(-1)!.startedAt);
    const stored = storedIds(h.writer);
    expect(known.map(({ feature }) => feature.properties.id).filter((id) => !stored.has(id))).toEqual([]);
    expect(known.length).toBeGreaterThan(1_990);
    const told = h.writer.entries.filter(
      ({ messageId, kind }) => Number(messageId.slice(9)) >= 2_000 && ['issued', 'backfilled'].includes(kind),
    );
    const sent = told.map(({ event }) => event.versions[0]!.sent);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
    for (const entry of told) expect(entry.channels.includes('alerts')).toBe(entry.event.until! > entry.at);
    expect(told.filter(({ kind }) => kind === 'backfilled').length).toBeGreaterThan(800);
    expect(new Set(told.map(({ eventId }) => eventId)).size).toBe(told.length);
    expect(h.store.gapRows).toMatchObject([{ cause: 'poll_failing', to: expect.any(Number), backfilled: true }]);
    expect(h.ingest.upstream().gaps).toHaveLength(1);
    expect(h.ingest.freshness()).toMatchObject({ status: 'simulated', reason: null });
  });

  it('the same with a crash in the middle: the next process fetches from the last good poll on', async () => {
    const feed = createScriptedFeed([...scriptedMessages(30, T0 - HOUR), ...stormHour(T0 + 10 * MINUTE, 600)]);
    const first = await setUp(feed);
    await first.ingest.start();
    await first.run(10 * MINUTE - 10_000);
    first.setFaults(down);
    await first.run(30 * MINUTE);
    const second = await crash(first, feed, 5 * MINUTE);
    await second.ingest.start();
    await second.run(25 * MINUTE);
    // The first history breaks off: what the list holds is stored, the gap stays open until the past came whole.
    second.setFaults({ steps: [{ fault: { kind: 'reset' }, during: { requests: [1, 2] } }] });
    await second.run(45_000);
    const third = await crash(second, feed, 20_000);
    await third.ingest.start();
    await third.run(2 * MINUTE);
    expect(missing(third, feed)).toEqual([]);
    const issued = third.writer.entries.filter(({ kind }) => kind === 'issued' || kind === 'backfilled');
    expect(new Set(issued.map(({ eventId }) => eventId)).size).toBe(issued.length);
    expect(third.store.gapRows.every(({ backfilled, to }) => backfilled && to !== null)).toBe(true);
  });

  it('a process that was down leaves a gap on record, and fills it', async () => {
    const feed = createScriptedFeed([...scriptedMessages(30, T0 - HOUR), ...stormHour(T0 + 10 * MINUTE).slice(0, 400)]);
    const first = await setUp(feed);
    await first.ingest.start();
    await first.run(5 * MINUTE);
    const lastGood = first.store.good.at(-1)!.startedAt;
    const second = await crash(first, feed, 55 * MINUTE);
    await second.ingest.start();
    await second.run(MINUTE);
    expect(second.store.gapRows).toMatchObject([{ from: lastGood, cause: 'process_down', backfilled: true }]);
    expect(missing(second, feed)).toEqual([]);
  });

  it('a warning in the list does not wait for the past: without the history it is stored all the same', async () => {
    const feed = createScriptedFeed([
      ...scriptedMessages(30, T0 - HOUR),
      scriptedMessage(99, { sent: T0 + 30 * MINUTE, ends: T0 + 5 * HOUR }),
    ]);
    const h = await setUp(feed);
    await h.ingest.start();
    await h.run(MINUTE);
    h.setFaults(down);
    await h.run(HOUR);
    // Of list, history, list, history ... every history hangs.
    h.setFaults({
      steps: Array.from({ length: 9 }, (_, n) => ({
        fault: { kind: 'hang' },
        during: { requests: [2 * n + 1, 2 * n + 2] as [number, number] },
      })),
    });
    await h.run(80_000);
    expect(storedIds(h.writer)).toContain('urn:test:99');
    expect(h.store.gapRows).toMatchObject([{ to: expect.any(Number), backfilled: false }]);
    h.setFaults(null);
    await h.run(12 * MINUTE);
    expect(h.store.gapRows).toMatchObject([{ backfilled: true }]);
  });

  it('a history that lacks what must be in it is not believed', async () => {
    const feed = createScriptedFeed(stormHour(T0 - 30 * MINUTE).slice(0, 1_500));
    const h = await setUp(feed);
    await h.ingest.start();
    await h.run(MINUTE);
    h.setFaults(down);
    await h.run(10 * MINUTE);
    h.setFaults({ steps: [{ fault: { kind: 'empty' }, during: { requests: [1, 2] } }] });
    await h.run(20_000);
    expect(h.store.gapRows).toMatchObject([{ to: expect.any(Number), backfilled: false }]);
    await h.run(2 * MINUTE);
    expect(h.store.gapRows).toMatchObject([{ backfilled: true }]);
  });
});

describe('a history that is not what it seems', () => {
  it('empty lists and empty histories in turn do not confirm each other', async () => {
    const brief = scriptedMessage(50, { sent: T0 + 40_000, ends: T0 + HOUR });
    const feed = createScriptedFeed([...scriptedMessages(30, T0 - 25 * MINUTE), { ...brief, listedUntil: brief.listedFrom + 1 }]);
    const h = await setUp(feed);
    await h.ingest.start();
    await h.run(9 * MINUTE);
    h.setFaults({ steps: [{ fault: { kind: 'empty' }, during: { seconds: [0, 240] } }] });
    await h.run(11 * MINUTE);
    expect(storedIds(h.writer)).toContain('urn:test:50');
    expect(h.ingest.metrics().histories.failed).toBeGreaterThan(0);
  });

  it('an old answer covers only the time it knows: the next look begins there', async () => {
    const brief = scriptedMessage(50, { sent: T0 - 2 * MINUTE, ends: T0 + HOUR });
    const feed = createScriptedFeed([...scriptedMessages(30, T0 - HOUR), { ...brief, listedUntil: brief.listedFrom + 1 }]);
    const h = await setUp(feed);
    await h.ingest.start();
    await h.run(9.8 * MINUTE);
    // The history asked for after ten minutes is that of 15 minutes ago, and nothing in it shows.
    h.setFaults({ steps: [{ fault: { kind: 'older', ageSeconds: 900 }, during: { seconds: [0, 120] } }] });
    await h.run(2 * MINUTE);
    expect(storedIds(h.writer)).not.toContain('urn:test:50');
    h.setFaults(null);
    await h.run(11 * MINUTE);
    expect(storedIds(h.writer)).toContain('urn:test:50');
  });
});

describe('messages that no list ever showed', () => {
  it('issued and replaced between two polls: found in the history within ten minutes', async () => {
    const brief = scriptedMessage(50, { sent: T0 + 5 * MINUTE, ends: T0 + HOUR });
    const feed = createScriptedFeed([...scriptedMessages(30, T0 - HOUR), { ...brief, listedUntil: brief.listedFrom + 1 }]);
    const h = await setUp(feed);
    await h.ingest.start();
    await h.run(16 * MINUTE);
    expect(storedIds(h.writer)).toContain('urn:test:50');
  });
});

describe('A3: frozen, but 200', () => {
  it('one body for 30 minutes: not live after 10, data kept with its age, absence believed in nothing', async () => {
    const feed = createScriptedFeed(scriptedMessages(40, T0 - HOUR));
    const h = await setUp(feed, { config: { feed: 'nws' } });
    await h.ingest.start();
    await h.run(9 * MINUTE);
    expect(h.ingest.freshness()).toMatchObject({ status: 'live', reason: null });
    await h.run(2 * MINUTE);
    expect(h.ingest.freshness()).toMatchObject({
      status: 'stale',
      reason: 'upstream_frozen',
      data_as_of: new Date(T0).toISOString().replace('.000', ''),
    });
    await h.run(20 * MINUTE);
    expect(h.ingest.freshness()).toMatchObject({ status: 'unknown', reason: 'upstream_frozen' });
    expect(h.writer.stored.size).toBe(40);
    expect(h.writer.snapshots.slice(-10).every(({ listed }) => listed === null)).toBe(true);
    expect(h.requests().at(-1)?.headers['if-none-match']).toBeUndefined();
    const gaps = () => h.store.gapRows.filter(({ cause }) => cause !== BEFORE_FIRST_START);
    expect(gaps()).toMatchObject([{ from: T0, cause: 'upstream_frozen', to: null }]);
    feed.messages = [...feed.messages, scriptedMessage(60, { sent: T0 + 31 * MINUTE, ends: T0 + 5 * HOUR })];
    await h.run(2 * MINUTE);
    expect(h.ingest.freshness()).toMatchObject({ status: 'live', reason: null });
    expect(gaps()).toMatchObject([{ cause: 'upstream_frozen', to: expect.any(Number), backfilled: true }]);
  });

  it('a replay may stand still', async () => {
    const h = await setUp(createScriptedFeed(scriptedMessages(40, T0 - HOUR)), { config: { feed: 'replay' } });
    await h.ingest.start();
    await h.run(30 * MINUTE);
    expect(h.ingest.freshness()).toMatchObject({ status: 'simulated', reason: null });
    expect(h.store.gapRows).toEqual([]);
  });
});

describe('I7: clock jumps', () => {
  it.each([HOUR, -HOUR, 24 * HOUR, -24 * HOUR])('the wall clock jumps by %i ms: no end, no repeat, polls go on', async (step) => {
    const h = await setUp(createScriptedFeed(scriptedMessages(40, T0 - HOUR)));
    await h.ingest.start();
    await h.run(2 * MINUTE);
    h.clock.jump(step);
    await h.run(8 * MINUTE);
    expect(h.writer.entries.map(({ kind }) => kind).filter((kind) => kind !== 'issued')).toEqual([]);
    expect(h.writer.entries).toHaveLength(40);
    expect(h.store.good.length).toBeGreaterThan(18);
    expect(h.ingest.metrics().clock).toMatchObject({ suspectedJumpMs: step, jumps: 1 });
    h.clock.jump(-step);
    await h.run(2 * MINUTE);
    expect(h.ingest.metrics().clock.suspectedJumpMs).toBe(0);
    expect(h.ingest.freshness().status).toBe('simulated');
  });

  it('a machine that slept: upstream confirms the new time, and ends are told once', async () => {
    let sleptMs = 0;
    const feed = createScriptedFeed([scriptedMessage(1, { sent: T0 - HOUR, ends: T0 + 2 * HOUR }), ...scriptedMessages(30, T0, 100)]);
    feed.messages = feed.messages.map((message) => ({ ...message, listedFrom: T0 - HOUR, listedUntil: T0 + 9 * HOUR }));
    const h = await setUp(feed, { upstreamClock: (now) => now + sleptMs });
    await h.ingest.start();
    await h.run(2 * MINUTE);
    sleptMs = 2.5 * HOUR;
    h.clock.jump(sleptMs);
    await h.run(MINUTE);
    expect(h.steady.now()).toBe(h.clock.now());
    expect(h.writer.entries.filter(({ kind }) => kind === 'ended').map(({ messageId }) => messageId)).toEqual(['urn:test:1']);
  });

  it('while the clocks disagree, freshness shows the greater age', async () => {
    const h = await setUp(createScriptedFeed(scriptedMessages(40, T0 - HOUR)));
    await h.ingest.start();
    await h.run(MINUTE);
    h.setFaults(down);
    h.clock.jump(8 * HOUR);
    await h.run(10_000);
    expect(h.ingest.freshness()).toMatchObject({ status: 'unknown', reason: 'poll_failing' });
  });

  it('a skewed upstream clock is measured and changes nothing', async () => {
    const h = await setUp(createScriptedFeed(scriptedMessages(40, T0 - HOUR)));
    h.setFaults({ steps: [{ fault: { kind: 'clock', offsetSeconds: 3_600 }, during: { seconds: [0, 1e9] } }] });
    await h.ingest.start();
    await h.run(5 * MINUTE);
    expect(h.ingest.metrics().clock.upstreamSkewMs).toBeLessThan(-3_590_000);
    expect(h.writer.entries.map(({ kind }) => kind)).toEqual(Array.from({ length: 40 }, () => 'issued'));
    expect(h.ingest.freshness().status).toBe('simulated');
  });
});
