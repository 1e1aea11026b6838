import type { EventState } from './event.ts';
import type { Channel, Instant, Kind, State } from './vocabulary.ts';

export interface FromTo<T> {
  from: T;
  to: T;
}

/** What changed between two versions; only what changed is present, `{}` is a plain re-issue. Member names are the wire's. */
export interface Diff {
  state?: FromTo<State>;
  severity?: FromTo<string>;
  urgency?: FromTo<string | null>;
  certainty?: FromTo<string | null>;
  hazard_rank?: FromTo<number>;
  event?: FromTo<string>;
  /** Times as UTC text; `delta_seconds` null when one side is open. */
  times?: Record<string, { from: string | null; to: string | null; delta_seconds: number | null }>;
  area?: { added: string[]; removed: { ugc: string; reason: 'cancelled' | 'upgraded' | 'expired' | 'dropped' }[] };
  tags?: Record<string, FromTo<string | number | null>>;
  geometry?: { source: FromTo<string>; area_km2: FromTo<number | null>; overlap_share: number | null };
  text?: { headline: boolean; description: boolean; instruction: boolean };
}

/** A log entry before it has its number. */
export interface EntryDraft {
  at: Instant;
  kind: Kind;
  channels: Channel[];
  eventId: string;
  /** Message of this entry; for clock and feed entries the standing one. */
  messageId: string;
  version: number;
  /** Human summary: "area +3 counties, until +2 h, wind 97 → 113 km/h". */
  summary: string;
  diff: Diff | null;
  /** State evaluated at `at`. */
  state: State;
  isActive: boolean;
  /** Whole event state after this entry (also the time-travel record). */
  event: EventState;
}
