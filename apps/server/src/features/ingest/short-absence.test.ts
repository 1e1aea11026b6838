import { formatTimestamp } from '@nwms/domain';
import { afterEach, describe, expect, it } from 'vitest';
import { createHarness, type Harness } from './harness-fixture.ts';
import { createFakeStore, createFakeWriter, type FakeStore, type FakeWriter } from './memory-fixture.ts';
import { createScriptedFeed, scriptedMessage, scriptedMessages, type ScriptedFeed, type ScriptedMessage } from './scripted-fixture.ts';

const T0 = Date.UTC(2026, 4, 14, 16);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const open: Harness[] = [];
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

type Bench = Harness & { writer: FakeWriter; store: FakeStore };

/** A process that collected for two minutes and died; the world went on for `downMs`. Its successor is not started yet. */
async function successor(feed: ScriptedFeed, downMs: number): Promise<Bench> {
  const store = createFakeStore();
  let writer: FakeWriter | undefined;
  const writerOf = (clock: Harness['steady']) => (writer ??= createFakeWriter(clock, store.good));
  const first = await createHarness({ feed, startAt: T0, store, writer: writerOf });
  open.push(first);
  await first.ingest.start();
  await first.run(2 * MINUTE);
  await first.ingest.stop();
  await first.run(downMs);
  const next = await createHarness({ feed, startAt: T0, store, writer: writerOf, after: first });
  open.push(next);
  return Object.assign(next, { writer: writer as FakeWriter, store });
}

const storedIds = (writer: FakeWriter) => new Set([...writer.stored.keys()].map((key) => key.slice(65)));

/** Message `n` again, as an extension to `ends`. */
function extension(n: number, times: { sent: number; ends: number }): ScriptedMessage {
  const stamp = `${formatTimestamp(times.ends).slice(2, 16).replaceAll('-', '').replace(':', '')}Z`;
  return scriptedMessage(n, times, {
    '@id': `https://api.weather.gov/alerts/urn:test:${n}-ext`,
    id: `urn:test:${n}-ext`,
    messageType: 'Update',
    references: [
      { '@id': `https://api.weather.gov/alerts/urn:test:${n}`, identifier: `urn:test:${n}`, sender: 'test', sent: formatTimestamp(T0) },
    ],
    parameters: { VTEC: [`/O.EXT.KDMX.SV.W.${String(n).padStart(4, '0')}.000000T0000Z-${stamp}/`] },
  });
}

describe('a collector that takes over after seconds', () => {
  it('has the list before the past: warnings and freshness do not wait for a slow history, which comes right after', async () => {
    const isNew = scriptedMessage(99, { sent: T0 + 2 * MINUTE + 5_000, ends: T0 + 5 * HOUR });
    const brief = scriptedMessage(98, { sent: T0 + 2 * MINUTE + 6_000, ends: T0 + HOUR });
    const feed = createScriptedFeed([...scriptedMessages(30, T0 - HOUR), isNew, { ...brief, listedUntil: brief.listedFrom + 1 }]);
    const h = await successor(feed, 15_000);
    // Of list, history, ...: the first history hangs.
    h.setFaults({ steps: [{ fault: { kind: 'hang' }, during: { requests: [1, 2] } }] });
    const startedAt = h.clock.now();
    await h.ingest.start();
    await h.run(1_000);
    expect(h.ingest.freshness()).toMatchObject({ status: 'simulated', data_as_of: new Date(startedAt).toISOString().replace('.000', '') });
    expect(storedIds(h.writer)).toContain('urn:test:99');
    expect(storedIds(h.writer)).not.toContain('urn:test:98');
    await h.run(90_000);
    expect(storedIds(h.writer)).toContain('urn:test:98');
    expect(h.store.gapRows).toEqual([]);
  });

  it('tells no end by the clock before it has asked: what was extended meanwhile goes on', async () => {
    const ends = T0 + 2 * MINUTE + 30_000;
    const warning = scriptedMessage(1, { sent: T0 - HOUR, ends });
    const feed = createScriptedFeed([...scriptedMessages(30, T0 - HOUR, 100), warning]);
    const extended = extension(1, { sent: T0 + 2 * MINUTE + 10_000, ends: T0 + 3 * HOUR });
    feed.messages = [...feed.messages, extended];
    const h = await successor(feed, 50_000);
    expect(h.clock.now()).toBeGreaterThan(ends);
    await h.ingest.start();
    await h.run(MINUTE);
    const told = h.writer.entries.filter(({ event }) => event.eventId.includes('.0001.'));
    expect(told.map(({ kind }) => kind)).toEqual(['issued', 'revised']);
  });

  it('tells ends by the clock all the same when upstream does not answer', async () => {
    const feed = createScriptedFeed([
      ...scriptedMessages(30, T0 - HOUR, 100),
      scriptedMessage(1, { sent: T0 - HOUR, ends: T0 + 2 * MINUTE + 30_000 }),
    ]);
    const h = await successor(feed, 50_000);
    h.setFaults({ steps: [{ fault: { kind: 'status', status: 503, html: false }, during: { seconds: [0, 1e9] } }] });
    await h.ingest.start();
    await h.run(MINUTE);
    const told = h.writer.entries.filter(({ event }) => event.eventId.includes('.0001.'));
    expect(told.map(({ kind }) => kind)).toEqual(['issued', 'ended']);
  });
});
