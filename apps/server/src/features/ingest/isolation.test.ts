import { createHash } from 'node:crypto';
import { CAP_STATUSES, MESSAGE_TYPES } from '@nwms/domain';
import type { RawFeature } from '@nwms/nws-sim';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { createFakeStore, createFakeWriter } from './memory-fixture.ts';
import { createHarness, type Harness } from './harness-fixture.ts';
import { type ListedFact, readFeatures } from './parse.ts';
import { createQuarantine } from './quarantine.ts';
import { createScriptedFeed, scriptedMessage, scriptedMessages, type ScriptedMessage } from './scripted-fixture.ts';

const T0 = Date.UTC(2026, 4, 14, 16);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const open: Harness[] = [];
afterEach(async () => {
  for (const harness of open.splice(0)) await harness.close();
});

async function ingested(messages: ScriptedMessage[], feed: 'nws' | 'simulator', runMs = 2_000) {
  const store = createFakeStore();
  let writer: ReturnType<typeof createFakeWriter> | undefined;
  const h = await createHarness({
    feed: createScriptedFeed(messages),
    startAt: T0,
    store,
    config: { feed },
    writer: (clock) => (writer = createFakeWriter(clock, store.good)),
  });
  open.push(h);
  await h.ingest.start();
  await h.run(runMs);
  return { h, store, writer: writer! };
}

describe('A5: tests and exercises never alarm', () => {
  const TEXTS = {
    plain: { headline: 'Severe Thunderstorm Warning issued May 14', description: 'HAZARD...60 mph wind gusts.' },
    'test wording': { headline: 'Test Message', description: 'THIS_MESSAGE_IS_FOR_TEST_PURPOSES_ONLY' },
    'header says TEST': { headline: '...THIS IS A TEST...', description: 'TEST...Severe Thunderstorm Warning...TEST' },
  };
  const cases = CAP_STATUSES.flatMap((status) =>
    MESSAGE_TYPES.flatMap((type) => Object.keys(TEXTS).map((text) => ({ status, type, text }))),
  );
  const features = (): ScriptedMessage[] =>
    cases.map(({ status, type, text }, n) =>
      scriptedMessage(n + 1, { sent: T0 - HOUR, ends: T0 + HOUR }, { status, messageType: type, ...TEXTS[text as keyof typeof TEXTS] }),
    );

  it.each(['nws', 'simulator'] as const)('on the %s feed only what counts reaches a channel; everything is kept', async (feed) => {
    const { writer } = await ingested(features(), feed);
    expect(writer.stored.size).toBe(cases.length);
    for (const entry of writer.entries) {
      const { status, text } = cases[Number(entry.messageId.slice(9)) - 1]!;
      const mayCount = text !== 'test wording' && (status === 'Actual' || (status === 'Exercise' && feed === 'simulator'));
      expect({ status, text, counts: entry.event.countable, told: entry.channels.length > 0 }).toEqual({
        status,
        text,
        counts: mayCount,
        told: mayCount,
      });
    }
  });
});

/** Values that upstream never sends and a parser must survive. */
const POISON: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    '',
    0,
    -1,
    1e308,
    true,
    [],
    {},
    [[]],
    '\u0000',
    '\ud800',
    'a\udfff\u0000b',
    '9999-99-99T99:99:99Z',
    '2026-05-14',
    { length: 1e9 },
  ),
  fc.constant('x'.repeat(10_000_000)),
  fc.constant(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')),
  fc.constant({
    type: 'Polygon',
    coordinates: [
      [
        [0, 0],
        [0, null],
        ['a', 'b'],
      ],
    ],
  }),
  fc.constant({
    type: 'Polygon',
    coordinates: [
      [
        [500, -500],
        [1e308, 0],
        [0, 0],
      ],
    ],
  }),
  fc.constant({ type: 'MultiPolygon', coordinates: 'everywhere' }),
  fc.jsonValue(),
);

/** One member somewhere in the feature replaced. */
function mutated(feature: RawFeature, path: readonly string[], value: unknown): unknown {
  if (path.length === 0) return value;
  const copy = structuredClone(feature) as unknown as Record<string, unknown>;
  let at = copy;
  for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>;
  at[path.at(-1) as string] = value;
  return copy;
}

describe('A6: one broken feature of 500', () => {
  const sound = scriptedMessages(500, T0 - HOUR).map(({ feature }) => feature);
  const names = Object.keys(sound[0]!.properties);
  const paths: string[][] = [
    [],
    ['id'],
    ['geometry'],
    ['properties'],
    ['properties', 'parameters', 'VTEC'],
    ['properties', 'geocode', 'UGC'],
    ...names.map((name) => ['properties', name]),
  ];

  it('the other 499 are read, the broken one is read or has a reason; nothing throws, nothing is polluted', async () => {
    const context = { source: 'nws' as const, receivedAt: T0 };
    const first = await readFeatures(sound, { ...context, known: new Map() });
    expect(first.readable).toHaveLength(500);
    const known = new Map<string, { fact: ListedFact; storedId: string }>(
      first.readable.map(({ digest, fact }) => [digest, { fact, storedId: fact.upstreamId }]),
    );
    const reasons = new Set<string>();
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 499 }), fc.constantFrom(...paths), POISON, async (at, path, value) => {
        const list: unknown[] = sound.with(at, mutated(sound[at]!, path, value) as RawFeature);
        const read = await readFeatures(list, { ...context, known });
        const others = read.readable.filter(({ message }) => message === null);
        expect(others.length + read.duplicates).toBeGreaterThanOrEqual(499);
        expect(read.readable.length + read.unreadable.length + read.duplicates).toBe(500);
        for (const { reason } of read.unreadable) reasons.add(reason);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      }),
      { numRuns: 120 },
    );
    expect([...reasons]).not.toContain('parser_threw');
    expect(reasons.size).toBeGreaterThan(2);
  });

  it('over the wire: 499 stored, 1 quarantined once with its reason, polls good', async () => {
    const messages = Array.from({ length: 499 }, (_, n) => scriptedMessage(n + 1000, { sent: T0 - HOUR, ends: T0 + 3 * HOUR }));
    const broken = scriptedMessage(777, { sent: T0 - HOUR, ends: T0 + 3 * HOUR });
    Object.assign(broken.feature.properties, { sent: 'yesterday' });
    const { h, store, writer } = await ingested([...messages, broken], 'nws', 3 * MINUTE);
    expect(writer.stored.size).toBe(499);
    expect(store.quarantined).toMatchObject([{ upstreamId: 'urn:test:777', reason: 'sent_missing' }]);
    expect(store.quarantined[0]?.contentHash).toBe(createHash('sha256').update(store.quarantined[0]!.raw).digest('hex'));
    expect(h.ingest.metrics().quarantined).toEqual([{ reason: 'sent_missing', count: 1 }]);
    expect(h.ingest.upstream().quarantined_24h).toBe(1);
    expect(store.failed).toEqual([]);
    expect(h.ingest.freshness().status).toBe('live');
  });

  it('thousands of broken features fill neither log nor disk', async () => {
    const store = createFakeStore();
    const quarantine = createQuarantine({ store, log: silentLog });
    const broken = Array.from({ length: 3_000 }, (_, n) => ({
      upstreamId: null,
      digest: String(n),
      reason: 'id_missing',
      detail: '',
      raw: 'x'.repeat(100_000),
    }));
    await quarantine.keep(broken, T0);
    expect(store.quarantined).toHaveLength(50);
    expect(store.quarantined[0]?.raw).toHaveLength(65_536);
  });
});

describe('duplicates (trap 10)', () => {
  it('the same feature three times in one answer is one message; the same id with other content is a second one', async () => {
    const message = scriptedMessage(1, { sent: T0 - HOUR, ends: T0 + HOUR });
    const other = scriptedMessage(1, { sent: T0 - HOUR, ends: T0 + HOUR }, { headline: 'Corrected' });
    const { writer, store } = await ingested(
      [message, message, message, other, ...scriptedMessages(9, T0 - HOUR, 10)],
      'simulator',
      3 * MINUTE,
    );
    expect(writer.stored.size).toBe(11);
    expect([...writer.stored.values()].filter((id) => id.startsWith('urn:test:1~'))).toHaveLength(1);
    expect(writer.entries.filter(({ kind }) => kind === 'unconfirmed')).toEqual([]);
    expect(store.good.slice(1).every(({ outcome }) => outcome === 'unchanged')).toBe(true);
  });
});
