/** What a database tells, held against the simulated world: the world is a function of time, so the truth of any instant can be asked. */
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
import type { Feed, RawFeature } from '@nwms/nws-sim';
import { Client } from 'pg';

/** Everything a run left behind, read from the database itself. */
export interface StoredRecord {
  /** In the order of their numbers. */
  entries: { seq: number; at: number; kind: string; eventId: string; messageId: string; isActive: boolean }[];
  events: EventState[];
  messages: { upstreamId: string; id: string; receivedAt: number }[];
  /** Start of every accepted poll, ascending. */
  polls: number[];
}

export interface Verdict {
  /** Messages issued while the product collected. */
  issued: number;
  /** Entries that told an end. */
  ends: number;
  lost: string[];
  duplicated: string[];
  /** Ends told of what the world held active at that very instant, and events that are over though the world has them. */
  falselyEnded: string[];
  invented: string[];
}

export async function readRecord(url: string): Promise<StoredRecord> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const rows = async (question: string) => (await client.query<Record<string, string | number>>(question)).rows;
  // One snapshot of all tables: the product goes on writing meanwhile.
  await client.query('begin isolation level repeatable read');
  const log = await rows('select seq, at, kind, event_id, message_id, is_active from log.log order by seq');
  const events = await rows('select state from log.events');
  const messages = await rows('select id, upstream_id, received_at from log.messages');
  const polls = await rows("select started_at from log.polls where outcome <> 'failed' order by started_at");
  await client.query('commit');
  await client.end();
  return {
    entries: log.map((row) => ({
      seq: Number(row['seq']),
      at: Number(row['at']),
      kind: String(row['kind']),
      eventId: String(row['event_id']),
      messageId: String(row['message_id']),
      isActive: Number(row['is_active']) === 1,
    })),
    events: events.map((row) => JSON.parse(String(row['state'])) as EventState),
    messages: messages.map((row) => ({
      id: String(row['id']),
      upstreamId: String(row['upstream_id']),
      receivedAt: Number(row['received_at']),
    })),
    polls: polls.map((row) => Number(row['started_at'])),
  };
}

/** `wholeUntil`: up to here even what no list showed must be stored, because a history was read since. */
export function judge(record: StoredRecord, world: Feed, wholeUntil: number): Verdict {
  const first = record.polls[0] ?? 0;
  const last = record.polls.at(-1) ?? 0;
  const issued = world.issuedBetween(first, last);
  const begun = world.activeAt(first).features;
  const stored = new Set(record.messages.map(({ upstreamId }) => upstreamId));
  const listedLast = new Set(world.activeAt(last).features.map(({ properties }) => properties.id));
  const mustBeStored = ({ properties }: RawFeature) => Date.parse(properties.sent) <= wholeUntil || listedLast.has(properties.id);
  const lost = [...begun, ...issued].filter((feature) => mustBeStored(feature) && !stored.has(feature.properties.id));
  const falseEnds = falseEndsOf(record, world, [...begun, ...issued], first);
  return {
    issued: issued.length,
    ends: falseEnds.ends,
    lost: [...new Set(lost.map(({ properties }) => properties.id))],
    duplicated: duplicatesOf(record),
    falselyEnded: falseEnds.found,
    invented: inventedOf(record, [...begun, ...issued], first),
  };
}

/** The world as one who misses nothing knows it, up to an instant that only grows. */
function createTruth(features: readonly RawFeature[], startAt: number, isHeard: (message: AlertMessage) => boolean) {
  const index = createMemoryIndex();
  const coming = orderForApply(parsed(features, startAt).filter(isHeard));
  let next = 0;
  return {
    at(instant: number) {
      for (let message = coming[next]; message && message.sent <= instant; message = coming[++next]) {
        index.putMessage(message);
        const now = Math.max(startAt, message.sent);
        for (const event of applyMessage(index, message, { now, listed: true, pollStartedAt: now }).events) index.put(event);
      }
      return index;
    },
  };
}

/** EXP repeats an end that stands. Its VTEC has no seconds, so in a world that lives faster it is rounded up: it must be no reason to call an end false. */
const saysMoreThanExpired = ({ vtec }: AlertMessage) => vtec.length === 0 || vtec.some(({ action }) => action !== 'EXP');

/**
 * Every entry that says "over" against the world of that instant: all messages sent until then, in order, in the state machine. What
 * nobody had fetched yet counts too: who tells an end in ignorance tells it all the same.
 */
function falseEndsOf(record: StoredRecord, world: Feed, features: readonly RawFeature[], startAt: number) {
  const truth = createTruth(features, startAt, saysMoreThanExpired);
  const found: string[] = [];
  // Entries of one event and one instant are one commit: nobody is left with the first of them.
  const lastOfCommit = new Map(record.entries.map((entry) => [`${entry.at} ${entry.eventId}`, entry]));
  const told = [...lastOfCommit.values()].filter(({ isActive, kind }) => !isActive || kind === 'unconfirmed').sort((a, b) => a.at - b.at);
  for (const { seq, at, kind, eventId, messageId } of told) {
    const event = truth.at(at).event(eventId);
    if (event === undefined || !evaluate(event, at).isActive) continue;
    // The world has messages that vanish unmentioned: that one is missing may be told, if it is.
    if (kind === 'unconfirmed' && !isListed(world, record, messageId, at)) continue;
    found.push(`${seq} ${kind} ${eventId} at ${new Date(at).toISOString()}`);
  }
  const last = record.polls.at(-1) ?? 0;
  const ours = new Map(record.events.map((event) => [event.eventId, event]));
  for (const event of truth.at(last).events()) {
    const own = ours.get(event.eventId);
    if (evaluate(event, last).isActive && !(own && evaluate(own, last).isActive)) found.push(`${event.eventId} is not active`);
  }
  return { found, ends: told.length };
}

/** Active for us, and not in the world. */
function inventedOf(record: StoredRecord, features: readonly RawFeature[], startAt: number): string[] {
  const last = record.polls.at(-1) ?? 0;
  const truth = createTruth(features, startAt, () => true).at(last);
  const isTrue = ({ eventId }: EventState) => {
    const event = truth.event(eventId);
    return event !== undefined && evaluate(event, last).isActive;
  };
  return record.events.filter((event) => evaluate(event, last).isActive && !isTrue(event)).map(({ eventId }) => eventId);
}

function isListed(world: Feed, record: StoredRecord, messageId: string, at: number): boolean {
  const upstreamId = record.messages.find(({ id }) => id === messageId)?.upstreamId;
  return world.activeAt(at).features.some(({ properties }) => properties.id === upstreamId);
}

function parsed(features: readonly RawFeature[], receivedAt: number): AlertMessage[] {
  const messages = new Map<string, AlertMessage>();
  for (const feature of features) {
    const contentHash = createHash('sha256').update(featureContent(feature)).digest('hex');
    const read = parseFeature(feature, { source: 'simulator', receivedAt, contentHash });
    if (read.ok) messages.set(read.message.id, read.message);
  }
  return [...messages.values()];
}

/** Said by the clock or by absence: these may name a message more than once. */
const CLOCK_KINDS = new Set(['started', 'ended', 'unconfirmed', 'reconfirmed', 'located', 'withdrawn', 'revised']);

/** A message told twice for one event, an issue after an issue, a stored message twice, a number twice or left out. */
export function duplicatesOf({ entries, messages }: Pick<StoredRecord, 'entries' | 'messages'>): string[] {
  const found: string[] = [];
  const told = new Set<string>();
  for (const [at, { seq, kind, eventId, messageId }] of entries.entries()) {
    if (seq !== at + 1) found.push(`number ${seq} at place ${at + 1}`);
    // A zone group that runs out is told as `revised` with the message that stands.
    if (CLOCK_KINDS.has(kind)) continue;
    for (const key of kind === 'issued' ? [`${eventId} issued`, `${eventId} ${messageId}`] : [`${eventId} ${messageId}`]) {
      if (told.has(key)) found.push(`${kind} ${key}`);
      told.add(key);
    }
  }
  const seen = new Set<string>();
  for (const { upstreamId } of messages) {
    if (seen.has(upstreamId)) found.push(`stored ${upstreamId}`);
    seen.add(upstreamId);
  }
  return found;
}
