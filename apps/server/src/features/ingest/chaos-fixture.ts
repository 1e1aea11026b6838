/** One seeded run of the slice under a random fault plan, compared with what was really issued. Imported by tests only. */
import { createHash } from 'node:crypto';
import {
  type AlertMessage,
  applyMessage,
  createMemoryIndex,
  evaluate,
  type EventState,
  featureContent,
  orderForApply,
  parseFeature,
} from '@nwms/domain';
import { createStormFeed, type Feed, type RawFeature, randomFaultPlan } from '@nwms/nws-sim';
import { type FakeClock, fakeClock } from '@nwms/testkit';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { AlertWriter } from '../alerts/types.ts';
import { createHarness } from './harness-fixture.ts';
import { sharedAtlas } from './scripted-fixture.ts';
import type { IngestStore } from './types.ts';

const T0 = Date.UTC(2026, 4, 14, 16);
const MINUTE = 60_000;
const POLL_SECONDS = 20;
/** A random plan speaks about 60 requests; the first 40 of them hold every kind of burst. */
const PLANNED_REQUESTS = 40;

/** What a run left behind, read back from wherever it was written. */
export interface Kept {
  /** In the order of their numbers. */
  entries: { seq: number; kind: string; eventId: string; messageId: string }[];
  events: EventState[];
  /** Upstream ids stored, one per stored message. */
  upstreamIds: string[];
}

export interface Keeper {
  writer(clock: SteadyClock): AlertWriter;
  store: IngestStore;
  kept(): Promise<Kept>;
  close(): Promise<void>;
}

export interface PlanResult {
  seed: number;
  issued: number;
  lost: string[];
  duplicated: string[];
  falselyEnded: string[];
  invented: string[];
  mostInFlight: number;
}

/** Runs start within 77 minutes and last less than an hour and a half. */
const SPAN_MS = 160 * MINUTE;
const START_EVERY_MS = 7 * MINUTE;
const STARTS = 11;
const GRID_MS = 5_000;

/**
 * A sixteenth of the offices of a busy world that lives 20 times too fast: whole life cycles in minutes, small answers. Written out once,
 * so that a thousand runs ask a list and not a world.
 */
export function chaosFeed(): Feed {
  const world = createStormFeed({ seed: 5, startedAt: T0, speed: 20, atlas: sharedAtlas() });
  const isMine = ({ properties }: RawFeature) => createHash('sha1').update(properties.senderName).digest().readUInt8(0) < 16;
  const listed = new Map<RawFeature, { from: number; until: number; copies: number }>();
  const updated: number[] = [];
  for (let at = T0; at < T0 + SPAN_MS; at += GRID_MS) {
    const snapshot = world.activeAt(at);
    updated.push(snapshot.updated);
    for (const feature of snapshot.features) {
      const known = listed.get(feature);
      if (!known) listed.set(feature, { from: at, until: at + GRID_MS, copies: 1 });
      else if (known.until > at) known.copies++;
      else known.until = at + GRID_MS;
    }
  }
  const mine = [...listed]
    .filter(([feature]) => isMine(feature))
    .map(([feature, { from, until, copies }]) => ({ feature, from, until, copies }));
  const issued = world.issuedBetween(T0 - 3 * 60 * MINUTE, T0 + SPAN_MS).filter(isMine);
  const sentAt = new Map(issued.map((feature) => [feature, Date.parse(feature.properties.sent)]));
  return {
    ...world,
    activeAt: (now) => {
      const features = mine
        .filter(({ from, until }) => from <= now && now < until)
        .flatMap(({ feature, copies }) => Array<RawFeature>(copies).fill(feature));
      return { updated: Math.min(now, updated[Math.max(0, Math.floor((now - T0) / GRID_MS))] ?? now), features };
    },
    issuedBetween: (from, to) => issued.filter((feature) => (sentAt.get(feature) ?? 0) > from && (sentAt.get(feature) ?? 0) <= to),
  };
}

/** Plays plan `seed` to its end, lets the service be well for 13 minutes, and compares. */
export async function playPlan(seed: number, feed: Feed, makeKeeper: (clock: FakeClock) => Promise<Keeper>): Promise<PlanResult> {
  const startAt = T0 + (seed % STARTS) * START_EVERY_MS;
  const clock = fakeClock(startAt);
  const keeper = await makeKeeper(clock);
  const { writer, store, kept } = keeper;
  const h = await createHarness({ feed, startAt, clock, store, writer, config: { pollSeconds: POLL_SECONDS } });
  try {
    await h.ingest.start();
    await h.run(5_000);
    h.setFaults(randomFaultPlan(seed));
    const before = h.requests().length;
    while (h.requests().length - before < PLANNED_REQUESTS) await h.run(MINUTE);
    h.setFaults(null);
    await h.run(13 * MINUTE);
    const lastGood = h.ingest.freshness();
    if (lastGood.status !== 'simulated') throw new Error(`seed ${seed}: not fresh after recovery: ${lastGood.status} ${lastGood.reason}`);
    const end = Date.parse(lastGood.data_as_of ?? '');
    return { seed, mostInFlight: h.mostInFlight(), ...compare(feed, startAt, end, await kept()) };
  } finally {
    await h.close();
    await keeper.close();
  }
}

function compare(feed: Feed, startAt: number, end: number, kept: Kept): Omit<PlanResult, 'seed' | 'mostInFlight'> {
  const issued = feed.issuedBetween(startAt, end);
  const stored = new Set(kept.upstreamIds);
  // Of what no list showed, the history of the last sweep knows up to ten minutes before the end.
  const onlyInHistory = new Set(feed.issuedBetween(end - 11 * MINUTE, end).map(({ properties }) => properties.id));
  for (const { properties } of feed.activeAt(end).features) onlyInHistory.delete(properties.id);
  const lost = issued.map(({ properties }) => properties.id).filter((id) => !stored.has(id) && !onlyInHistory.has(id));
  const reference = referenceOf(
    [...feed.activeAt(startAt).features, ...issued.filter(({ properties }) => stored.has(properties.id))],
    startAt,
  );
  const isActive = (event: EventState | undefined) => event !== undefined && evaluate(event, end).isActive;
  const ours = new Map(kept.events.map((event) => [event.eventId, event]));
  const falselyEnded = [...reference.values()]
    .filter((event) => isActive(event) && !isActive(ours.get(event.eventId)))
    .map(({ eventId }) => eventId);
  const withdrawn = kept.entries.filter(({ kind }) => kind === 'withdrawn').map(({ eventId }) => eventId);
  const invented = kept.events.filter((event) => isActive(event) && !isActive(reference.get(event.eventId))).map(({ eventId }) => eventId);
  return { issued: issued.length, lost, duplicated: duplicatesOf(kept), falselyEnded: [...falselyEnded, ...withdrawn], invented };
}

/** Told twice: a message twice for one event, an issue after an issue, a stored message twice, a number twice or left out. */
function duplicatesOf({ entries, upstreamIds }: Kept): string[] {
  const duplicated: string[] = [];
  const told = new Set<string>();
  const clockKinds = new Set(['started', 'ended', 'unconfirmed', 'reconfirmed', 'located', 'withdrawn']);
  for (const [at, { seq, kind, eventId, messageId }] of entries.entries()) {
    if (seq !== at + 1) duplicated.push(`number ${seq} at place ${at + 1}`);
    // A zone group that runs out is told as `revised` with the message that stands, so those may repeat.
    if (clockKinds.has(kind) || kind === 'revised') continue;
    for (const key of kind === 'issued' ? [`${eventId} issued`, `${eventId} ${messageId}`] : [`${eventId} ${messageId}`]) {
      if (told.has(key)) duplicated.push(`${kind} ${key}`);
      told.add(key);
    }
  }
  const seen = new Set<string>();
  for (const id of upstreamIds) {
    if (seen.has(id)) duplicated.push(`stored ${id}`);
    seen.add(id);
  }
  return duplicated;
}

/** The same messages, all at hand, in order, once. */
function referenceOf(features: RawFeature[], receivedAt: number): Map<string, EventState> {
  const index = createMemoryIndex();
  const messages = new Map<string, AlertMessage>();
  for (const feature of features) {
    const contentHash = createHash('sha256').update(featureContent(feature)).digest('hex');
    const parsed = parseFeature(feature, { source: 'simulator', receivedAt, contentHash });
    if (parsed.ok) messages.set(parsed.message.id, parsed.message);
  }
  for (const message of orderForApply([...messages.values()])) {
    index.putMessage(message);
    const now = Math.max(receivedAt, message.sent);
    for (const event of applyMessage(index, message, { now, listed: true, pollStartedAt: now }).events) index.put(event);
  }
  return new Map([...index.events()].map((event) => [event.eventId, event]));
}
