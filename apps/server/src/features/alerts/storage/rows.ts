import { parseVtecEventId, type AlertMessage, type EventState } from '@nwms/domain';
import type { SqlValue } from '../../../platform/db/bulk.ts';
import { spanClassOf } from './spans.ts';
import type { AlertTables } from './tables.ts';
import type { Incoming, LogEntry, StoredRevision } from '../types.ts';
import type { Held } from './working-set.ts';

/** Column order of every table the writer fills; `rowValues` follows it. */
export const COLUMNS = {
  messages: ['id', 'upstream_id', 'content_hash', 'event_id', 'source', 'sent', 'received_at', 'bulletin', 'parsed', 'raw'],
  events: [
    'event_id',
    'event_code',
    'office',
    'countable',
    'in_force_from',
    'over_at',
    'span_class',
    'sent',
    'effective',
    'onset',
    'expires',
    'updated_at',
    'rev_seq',
    'rev_from',
    'rev_over_at',
    'shape',
    'state',
  ],
  event_keys: ['vtec_key', 'event_id'],
  event_areas: ['area', 'event_id', 'in_force_from'],
  log: [
    'seq',
    'at',
    'kind',
    'channels',
    'event_id',
    'message_id',
    'version',
    'state',
    'state_reason',
    'is_active',
    'countable',
    'summary',
    'diff',
    'alert_json',
  ],
  revisions: [
    'event_id',
    'seq',
    'at',
    'kind',
    'version',
    'message_id',
    'summary',
    'diff',
    'known_from',
    'known_until',
    'shown_until',
    'span_class',
    'state',
  ],
  known_parts: [
    'seq',
    'part_from',
    'shown_until',
    'span_class',
    'event_id',
    'version',
    'known_from',
    'known_until',
    'sent',
    'severity',
    'countable',
    'subject',
  ],
} as const satisfies { [T in keyof AlertTables]?: readonly (keyof AlertTables[T])[] };

/** Text of an object that several rows hold, made once. */
export type TextOf = (value: object) => string;

export function textOnce(): TextOf {
  const texts = new Map<object, string>();
  return (value) => {
    let text = texts.get(value);
    if (text === undefined) texts.set(value, (text = JSON.stringify(value)));
    return text;
  };
}

export function messageRow({ message, raw }: Incoming, eventId: string | null): SqlValue[] {
  const { id, upstreamId, contentHash, source, sent, receivedAt, bulletin } = message;
  return [id, upstreamId, contentHash, eventId, source, sent, receivedAt, bulletin, JSON.stringify(message), raw];
}

export function eventRow({ event, overAt, revision, shape }: Held, current: AlertMessage | undefined, text: TextOf): SqlValue[] {
  return [
    event.eventId,
    event.eventCode,
    event.office,
    Number(event.countable),
    event.from,
    overAt,
    spanClassOf(event.from, overAt),
    current?.sent ?? null,
    current?.effective ?? null,
    current?.onset ?? null,
    current?.expires ?? null,
    event.updatedAt,
    revision?.seq ?? null,
    revision?.from ?? null,
    revision?.overAt ?? null,
    shape && JSON.stringify(shape),
    text(event),
  ];
}

export function keyRows(event: EventState): SqlValue[][] {
  const vtec = parseVtecEventId(event.eventId);
  return vtec ? [[vtec.key, event.eventId]] : [];
}

/** A question for `IA`, `IAC` or `IAC153` is one equality each. */
export function areaRows(event: EventState): SqlValue[][] {
  const areas = new Set<string>();
  for (const { code } of event.zones) for (const length of [2, 3, code.length]) areas.add(code.slice(0, length));
  return [...areas].map((area) => [area, event.eventId, event.from]);
}

export function logRow(entry: LogEntry): SqlValue[] {
  return [
    entry.seq,
    entry.at,
    entry.kind,
    JSON.stringify(entry.channels),
    entry.eventId,
    entry.messageId,
    entry.version,
    entry.state,
    entry.stateReason,
    Number(entry.isActive),
    Number(entry.countable),
    entry.summary,
    entry.diff && JSON.stringify(entry.diff),
    entry.alertJson,
  ];
}

export function logEntryOf(row: AlertTables['log']): LogEntry {
  return {
    seq: row.seq,
    at: row.at,
    kind: row.kind as LogEntry['kind'],
    channels: JSON.parse(row.channels) as LogEntry['channels'],
    eventId: row.event_id,
    messageId: row.message_id,
    version: row.version,
    state: row.state as LogEntry['state'],
    stateReason: row.state_reason as LogEntry['stateReason'],
    isActive: row.is_active === 1,
    countable: row.countable === 1,
    summary: row.summary,
    diff: row.diff === null ? null : (JSON.parse(row.diff) as LogEntry['diff']),
    alertJson: row.alert_json,
  };
}

/** What a revision row needs beside its log entry; null = told something, but what is known did not change. */
export interface Known {
  from: number;
  until: number;
  overAt: number;
  state: EventState;
}

/** Members of an entry that its revision keeps. */
type Told = Pick<LogEntry, 'eventId' | 'seq' | 'at' | 'kind' | 'version' | 'messageId' | 'summary' | 'diff'>;

export function revisionRow(entry: Told, known: Known | null, text: TextOf): SqlValue[] {
  const { eventId, seq, at, kind, version, messageId, summary } = entry;
  const told = [eventId, seq, at, kind, version, messageId, summary, entry.diff && JSON.stringify(entry.diff)];
  if (!known) return [...told, null, null, null, null, null];
  const shownUntil = Math.min(known.until, known.overAt);
  return [...told, known.from, known.until, shownUntil, spanClassOf(known.from, shownUntil), text(known.state)];
}

type RevisionRow = Pick<AlertTables['revisions'], 'seq' | 'at' | 'kind' | 'version' | 'message_id' | 'summary' | 'diff'>;

/** Times and VTEC action come from the version the entry speaks of. */
export function storedRevisionOf(row: RevisionRow, event: EventState): StoredRevision {
  const version = event.versions.find((each) => each.messageId === row.message_id);
  return {
    version: row.version,
    messageId: row.message_id,
    sent: version?.sent ?? row.at,
    receivedAt: version?.receivedAt ?? row.at,
    seq: row.seq,
    kind: row.kind as StoredRevision['kind'],
    action: version?.action ?? null,
    summary: row.summary,
    diff: row.diff === null ? null : (JSON.parse(row.diff) as StoredRevision['diff']),
  };
}
