import type { Kysely } from 'kysely';
import type { Part } from '../../../platform/db/types.ts';

/** "No end known": the last instant a JavaScript date can hold, so that open intervals index and compare like closed ones. */
export const FOREVER = 8_640_000_000_000_000;

/** Tables of the alerts slice in the `log` part. JSON columns hold text that is written and read whole. */
export type AlertTables = {
  meta: { key: string; value: string };
  messages: {
    id: string;
    upstream_id: string;
    content_hash: string;
    /** Event the message was applied to first; null when it told nothing new. */
    event_id: string | null;
    source: string;
    sent: number;
    received_at: number;
    bulletin: string | null;
    parsed: string;
    raw: string;
  };
  /** Newest state of every event; times beside it answer archive questions. */
  events: {
    event_id: string;
    event_code: string | null;
    office: string | null;
    countable: number;
    in_force_from: number;
    over_at: number;
    /** Class of the length of [in_force_from, over_at), see `spans.ts`. */
    span_class: number;
    /** Times of the message that stands for the event. */
    sent: number | null;
    effective: number | null;
    onset: number | null;
    expires: number | null;
    updated_at: number;
    /** The revision that is valid now: its number, start, and end by its own plan. */
    rev_seq: number | null;
    rev_from: number | null;
    rev_over_at: number | null;
    /** Where the last entry said it is (`ShapeFacts`). */
    shape: string | null;
    state: string;
  };
  event_keys: { vtec_key: string; event_id: string };
  /** Every zone ever in the event, and its prefixes of two and three letters. */
  event_areas: { area: string; event_id: string; in_force_from: number };
  log: {
    seq: number;
    at: number;
    kind: string;
    channels: string;
    event_id: string;
    message_id: string;
    version: number;
    state: string;
    state_reason: string;
    is_active: number;
    countable: number;
    summary: string;
    diff: string | null;
    alert_json: string;
  };
  /** One row per log entry, kept for ever. Rows with a `state` are what was known in [known_from, known_until). */
  revisions: {
    event_id: string;
    seq: number;
    at: number;
    kind: string;
    version: number;
    message_id: string;
    summary: string;
    diff: string | null;
    known_from: number | null;
    known_until: number | null;
    /** Earlier of known_until and the end by the revision's own plan: until then it was shown as active. */
    shown_until: number | null;
    /** Class of the length of [known_from, shown_until). */
    span_class: number | null;
    state: string | null;
  };
  /** One row per part of the time in which a revision said "in force" (`parts-in-force.ts`), so that timelines read no states. */
  known_parts: {
    seq: number;
    part_from: number;
    /** End of the part, or when a newer revision replaced this one, whichever came first. */
    shown_until: number;
    /** Class of the length of [part_from, shown_until). */
    span_class: number;
    event_id: string;
    version: number;
    known_from: number;
    known_until: number;
    /** Of the message that stands for the event by this revision. */
    sent: number;
    severity: string;
    countable: number;
    /** What filters ask (`StoredSubject`), JSON. */
    subject: string;
  };
  polls: {
    started_at: number;
    outcome: string;
    reason: string | null;
    etag: string | null;
    last_modified: string | null;
    upstream_updated_at: number | null;
    listed_count: number | null;
  };
};

export type AlertDb = Kysely<AlertTables>;

/** The slice's view of the `log` part. */
export function alertTables(log: Part): AlertDb {
  return log.withTables<AlertTables>();
}
