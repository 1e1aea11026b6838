import { hash } from 'node:crypto';
import { type AlertMessage, featureContent, type Instant, isTerminal, parseFeature, type Source, windowOf } from '@nwms/domain';
import { ListItem } from '../../platform/json-list.ts';

/** What the guard needs to know of a listed message; small, kept between polls instead of the message. */
export interface ListedFact {
  upstreamId: string;
  contentHash: string;
  sent: Instant;
  /** End of what it says is in force; null = until further notice. */
  until: Instant | null;
  expires: Instant | null;
  isTerminal: boolean;
  /** What makes a later message speak of the same thing: VTEC events, else event code and office. */
  topics: string[];
  /** Upstream ids it refers to as its ancestors. */
  ancestors: string[];
}

export interface ReadFeature {
  fact: ListedFact;
  /** Null when the very same feature is known to be stored: it was not parsed again. */
  message: AlertMessage | null;
  /** Our id when known to be stored. */
  storedId: string | null;
  /** Of its text as it came: what the next list is compared with. */
  digest: string;
  /** Empty when it was not parsed again. */
  raw: string;
}

export interface UnreadableFeature {
  upstreamId: string | null;
  digest: string;
  reason: string;
  detail: string;
  raw: string;
}

export interface ReadFeatures {
  readable: ReadFeature[];
  unreadable: UnreadableFeature[];
  /** Features left out because the same id and content came already (trap 10). */
  duplicates: number;
}

/** Features known from earlier answers, by digest of their text. */
export type KnownFeatures = ReadonlyMap<string, { fact: ListedFact; storedId: string }>;

/** Features parsed between two turns of the event loop; about 10 ms of work. */
const SLICE = 50;

/**
 * Reads every feature of a list. What cannot be read becomes a quarantine row with its reason and never stops the others (A6); exact
 * duplicates collapse; what is known is recognised by its text alone, byte for byte: the same id with other content is another text.
 */
export async function readFeatures(
  features: readonly unknown[],
  context: { source: Source; receivedAt: Instant; known: KnownFeatures },
): Promise<ReadFeatures> {
  const result: ReadFeatures = { readable: [], unreadable: [], duplicates: 0 };
  const digests = new Set<string>();
  const contents = new Set<string>();
  let sinceYield = 0;
  for (const feature of features) {
    const item = feature instanceof ListItem ? feature : plainItem(feature);
    const { digest } = item;
    if (digests.has(digest)) {
      result.duplicates++;
      continue;
    }
    digests.add(digest);
    const known = context.known.get(digest);
    const read = known ? { ...known, message: null, digest, raw: '' } : readOne(item, context);
    if ('reason' in read) {
      result.unreadable.push(read);
      continue;
    }
    const content = `${read.fact.contentHash} ${read.fact.upstreamId}`;
    if (contents.has(content)) result.duplicates++;
    else result.readable.push(read);
    contents.add(content);
    if (!known && ++sinceYield % SLICE === 0) await new Promise((turn) => setImmediate(turn));
  }
  return result;
}

/** A feature that did not come as text: named by the text it would be. */
function plainItem(feature: unknown): ListItem {
  return new ListItem(sha256(JSON.stringify(feature) ?? 'null'), feature);
}

function readOne({ digest, value: feature }: ListItem, context: { source: Source; receivedAt: Instant }): ReadFeature | UnreadableFeature {
  const raw = JSON.stringify(feature) ?? 'null';
  try {
    const contentHash = sha256(featureContent(feature));
    const parsed = parseFeature(feature, { source: context.source, receivedAt: context.receivedAt, contentHash });
    if (!parsed.ok) return { upstreamId: parsed.id, digest: sha256(raw), reason: parsed.reason, detail: parsed.detail, raw };
    return { fact: factOf(parsed.message), message: parsed.message, storedId: null, digest, raw };
  } catch (error) {
    // The parser is total by contract; should it fail all the same, one feature is lost, not the poll.
    const detail = error instanceof Error ? error.message.slice(0, 200) : '';
    return { upstreamId: null, digest: sha256(raw), reason: 'parser_threw', detail, raw };
  }
}

export function factOf(message: AlertMessage): ListedFact {
  const windows = (message.vtec.length > 0 ? message.vtec : [null]).map((v) => windowOf(message, v).until);
  const topics = message.vtec.map((v) => `${v.office}.${v.phenomenon}.${v.significance}.${v.etn}`);
  return {
    upstreamId: message.upstreamId,
    contentHash: message.contentHash,
    sent: message.sent,
    until: windows.includes(null) ? null : Math.max(...windows.map((until) => until ?? 0)),
    expires: message.expires,
    isTerminal: isTerminal(message),
    topics: topics.length > 0 ? topics : [`${message.eventCode ?? message.event} ${message.office ?? message.senderName}`],
    ancestors: message.references.map((reference) => reference.id),
  };
}

function sha256(text: string): string {
  return hash('sha256', text);
}
