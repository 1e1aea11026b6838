import type { AlertMessage, Channel, Diff, EventState, Instant, Kind, Source, State, StateReason } from '@nwms/domain';

/** A parsed message with the upstream text it came from. */
export interface Incoming {
  message: AlertMessage;
  /** The upstream feature, JSON text as received (member order kept). */
  raw: string;
}

/** One committed entry of the numbered log. */
export interface LogEntry {
  seq: number;
  at: Instant;
  kind: Kind;
  channels: Channel[];
  eventId: string;
  messageId: string;
  version: number;
  state: State;
  stateReason: StateReason;
  isActive: boolean;
  /** False for tests and drafts: never delivered, never listed in changes (A5). */
  countable: boolean;
  summary: string;
  diff: Diff | null;
  /** The alert as of this entry, encoded once as wire JSON (`LiveAlert`). */
  alertJson: string;
}

/** What one transaction wrote; announced after commit, in order, never twice. */
export interface CommittedBatch {
  entries: LogEntry[];
  /** New state of every event touched (also those touched without an entry). */
  events: EventState[];
  /** Messages those events refer to and that readers may not have yet. */
  messages: AlertMessage[];
}

/** Facts about polls, written in the same transaction as what the poll brought. */
export interface PollRecord {
  startedAt: Instant;
  /** ok = changed content; unchanged = 304 or same content. */
  outcome: 'ok' | 'unchanged';
  etag: string | null;
  lastModified: string | null;
  /** Upstream's `updated` of the collection. */
  upstreamUpdatedAt: Instant | null;
  /** How many messages the accepted list held. */
  listedCount: number;
}

export interface SnapshotInput {
  source: Source;
  /** Null when what arrives is no accepted poll (pages of a backfill, a list under quarantine): nothing is recorded about polls then. */
  poll: PollRecord | null;
  /** Messages not stored yet (unknown id + content hash). */
  incoming: Incoming[];
  /**
   * Our ids of all messages in the accepted full list; null when the list must not be used for presence (backfill, import). Of messages in
   * `incoming` it holds `message.id` as given; the writer translates where it stores one under another id. A message of `incoming` that is not in
   * the set came from the upstream history (`ApplyContext.listed` is false for it).
   */
  listed: ReadonlySet<string> | null;
  /** `incoming` is from before this record began, read after its first list (`ApplyContext.past`). */
  past?: boolean;
}

export interface ApplyResult {
  /** Log numbers written; null when nothing changed. */
  seqs: { first: number; last: number } | null;
  stored: number;
  duplicates: number;
}

/** Write side: one writer at a time; every call is one durable transaction. */
export interface AlertWriter {
  /** Our id under which this upstream id + content is stored, or null. From memory for recent messages, else from the store. */
  storedId(upstreamId: string, contentHash: string): Promise<string | null>;
  applySnapshot(input: SnapshotInput): Promise<ApplyResult>;
  /** Clock transitions due now (started, ended, withdrawn). */
  tick(): Promise<ApplyResult>;
  /** Next instant `tick` has something to do, null if never. */
  nextTickAt(): Instant | null;
  /** Late shapes: writes `located` entries for events whose shape changed. */
  relocate(codes: readonly string[]): Promise<ApplyResult>;
}

/** Read side of the numbered log (2.6). Cursor text is `{epoch}:{seq}`. */
export interface AlertLog {
  epoch(): string;
  latestSeq(): number;
  /** Smallest seq S such that every entry above S is readable. */
  oldestSeq(): number;
  /** Entries with seq > after, ascending; recent ones from memory, older from the store. */
  read(after: number, limit: number): Promise<LogEntry[]>;
  onCommitted(listener: (batch: CommittedBatch) => void): () => void;
  /** Takes over what other processes committed; at once where this process writes. For positions another process gave out. */
  catchUp(): Promise<void>;
}

export interface StoredRevision {
  version: number;
  messageId: string;
  sent: Instant;
  receivedAt: Instant;
  seq: number | null;
  kind: Kind;
  action: string | null;
  summary: string;
  diff: Diff | null;
}

/** Archive questions: anything the board does not hold. */
export interface AlertArchive {
  /** State of every event as known at `at`, with the messages needed to show it. `activeOnly` bounds the answer to events not over at `at`. */
  asOf(at: Instant, bounds: ArchiveBounds): Promise<{ events: EventState[]; messages: AlertMessage[] }>;
  /** How many `asOf` would read, counted up to one more than the limit. */
  countAt(at: Instant, bounds: ArchiveBounds): Promise<number>;
  /** Names of the events `asOf` would read; no state is read. */
  idsAt(at: Instant, bounds: ArchiveBounds): Promise<string[]>;
  /** Newest state of events matching the bounds. */
  find(bounds: ArchiveBounds): Promise<{ events: EventState[]; messages: AlertMessage[] }>;
  /** Names of the events `find` would read; no state is read. */
  ids(bounds: ArchiveBounds): Promise<string[]>;
  /** Keys of events over before an instant, in an order of an index; nothing else of them is read. */
  recordKeys(walk: RecordWalk): Promise<RecordKey[]>;
  /** How many there are; with `cap` at most that many are counted. */
  countRecord(bounds: RecordBounds, cap: number | null): Promise<number>;
  /** Newest states of these events, or those known at an instant, with their messages, in no order; unknown ids are left out. The caller bounds how many. */
  events(ids: readonly string[], at?: Instant): Promise<{ events: EventState[]; messages: AlertMessage[] }>;
  event(eventId: string, at?: Instant): Promise<{ event: EventState; messages: AlertMessage[] } | null>;
  /** Event that a message (our id or upstream id) belongs to. */
  eventOfMessage(id: string, at?: Instant): Promise<{ event: EventState; message: AlertMessage; messages: AlertMessage[] } | null>;
  /** Messages by our ids, in no order; unknown ids are left out. The caller bounds how many. */
  messages(ids: readonly string[]): Promise<AlertMessage[]>;
  revisions(eventId: string): Promise<StoredRevision[]>;
  raw(messageId: string): Promise<string | null>;
  bulletin(hash: string): Promise<string[]>;
}

/** Which part of the record: what was over before an instant, narrowed by what columns know. */
export interface RecordBounds {
  endedBefore: Instant;
  /** Tests and drafts are left out. */
  countableOnly: boolean;
  eventCodes?: string[];
  offices?: string[];
  ugcPrefixes?: string[];
}

/** Place of an event in an order: its value, and its id among equals, always ascending. */
export interface RecordKey {
  value: number;
  eventId: string;
}

export interface RecordWalk extends RecordBounds {
  order: 'ended' | 'sent' | 'updated';
  descending: boolean;
  /** Exclusive; null = from the beginning. */
  after: RecordKey | null;
  limit: number;
}

export interface ArchiveBounds {
  /** Only events that overlap [from, to) by `timeField`. */
  from?: Instant;
  to?: Instant;
  timeField?: 'in_force' | 'sent' | 'effective' | 'onset' | 'expires' | 'ended';
  activeOnly?: boolean;
  inForceAt?: Instant;
  updatedSince?: Instant;
  eventCodes?: string[];
  offices?: string[];
  ugcPrefixes?: string[];
  /** Hard bound on rows; more is query.window_too_large. */
  limit: number;
}

/** What a process loads at start to answer at once: events not over, or over for at most 7 days. */
export interface AlertBoot {
  load(): Promise<{ events: EventState[]; messages: AlertMessage[]; latestSeq: number; epoch: string }>;
}
