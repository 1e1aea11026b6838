import type { Instant, Severity, Source } from '../alert/vocabulary.ts';

/** Unknown 0, Minor 1, Moderate 2, Severe 3, Extreme 4. */
export const SEVERITY_LEVELS: Record<Severity, number> = { Unknown: 0, Minor: 1, Moderate: 2, Severe: 3, Extreme: 4 };

/** What was known about an event from `at` on. */
export interface FactStep {
  at: Instant;
  version: number;
  /** Worst of the standing messages, see SEVERITY_LEVELS. */
  severity: number;
  /** hazard_rank of the worst standing message. */
  rank: number;
  /** Affected area; null when a shape is not known or the type's polygons move with the storm. */
  km2: number | null;
  /** Area of all zones but the cancelled ones: what cancelling alone has left. */
  keptKm2: number | null;
  from: Instant;
  /** Null = until further notice. */
  until: Instant | null;
  /** False when no zone is affected any more. */
  live: boolean;
}

/** One distinct event reduced to what statistics ask: a few hundred bytes instead of its messages. */
export interface EventFact {
  eventId: string;
  event: string;
  family: string;
  office: string | null;
  source: Source;
  areaDesc: string;
  /** Of the first version. */
  firstSent: Instant;
  /** When we first knew it; imports: when it was sent. */
  firstSeen: Instant;
  /** in_force_from of the first version. */
  begin: Instant;
  /** When it is over as far as known; null = open. */
  overAt: Instant | null;
  /** Minutes east of UTC at `begin` in the zone of the largest part. */
  offsetMinutes: number;
  /** Highest of its life. */
  severity: number;
  /** Messages that became versions. */
  versions: number;
  /** The issuer drew a polygon. */
  polygon: boolean;
  /** First seen in mid-life: its first message was no issuance. */
  lateStart: boolean;
  end: { how: 'cancelled' | 'upgraded' | 'ended' | 'withdrawn'; at: Instant } | null;
  /** Registry rank of the event and, when upgraded, of what replaced it. */
  baseRank: number;
  upgradedRank: number | null;
  /** SAME codes (first digit 0), each with the instant it was first affected. */
  areas: [string, Instant][];
  states: string[];
  /** UGC codes ever affected. */
  zones: string[];
  steps: FactStep[];
}
