import type { Instant, Kind, StateReason, VtecAction, ZoneType } from './vocabulary.ts';

/** Why and when one zone of an event stopped being affected. */
export interface ZoneOver {
  how: 'cancelled' | 'upgraded' | 'expired';
  at: Instant;
  messageId: string;
}

/** State of one zone of one event: the machine's unit (trap 4). `dropped` zones (silently missing in a CON) stay without `over`. */
export interface ZoneState {
  code: string;
  type: ZoneType;
  partial: boolean;
  /** The message that speaks for this zone now. */
  messageId: string;
  from: Instant;
  /** Null = until further notice. */
  until: Instant | null;
  over: ZoneOver | null;
}

export interface EventVersion {
  version: number;
  messageId: string;
  sent: Instant;
  receivedAt: Instant;
  action: VtecAction | null;
  kind: Kind;
}

/** Presence in the upstream active list. Absence alone ends nothing that has a known end (trap 13, A4). */
export interface Presence {
  /** Start of the last good poll that listed any standing message of the event; null for imports and backfill. */
  lastListedAt: Instant | null;
  /** Start of the first good poll of the present absence; null while listed. */
  absentSince: Instant | null;
  absentPolls: number;
}

/**
 * One hazard's whole life: plain JSON, produced only by the state machine, stored whole with every log entry.
 * What is in force at an instant is `evaluate(event, at)`; nothing here depends on the clock at reading time.
 */
export interface EventState {
  /** `OFFICE.PH.S.ETN.YYYY[-g]`, else `n.<event code>.<office>.<12 base32>`. */
  eventId: string;
  /** More than one only when a message carries several VTEC strings. */
  eventIds: string[];
  identity: 'vtec' | 'inferred' | 'weak';
  /** False for tests, drafts and system messages: kept, never counted, never delivered (A5). */
  countable: boolean;
  event: string;
  eventCode: string | null;
  office: string | null;
  zones: ZoneState[];
  versions: EventVersion[];
  /** Message that stands for the event: of the messages that still speak for a zone the worst, then newest; when all is over, the newest. */
  currentId: string;
  /** Messages that still speak for at least one zone that is not over (when all is over: the current one only). Their shapes make the event's shape. */
  standingIds: string[];
  /** Earliest `from` and latest `until` (null wins) over the zones that count; both keep the plan after a cancel. */
  from: Instant;
  until: Instant | null;
  /** Latest CAP `expires` of the standing messages: when the text goes stale (trap 15). */
  expires: Instant | null;
  /** When it stopped being active by message; clock ends are computed. */
  endedByMessage: { how: 'cancelled' | 'upgraded' | 'expired'; at: Instant } | null;
  withdrawnAt: Instant | null;
  presence: Presence;
  /** Reason shown while it is in force. */
  liveReason: StateReason;
  upgradedTo: string | null;
  upgradedFrom: string | null;
  /** Transitions already told to the log, so that each is told once. */
  told: { started: boolean; ended: boolean; unconfirmed: boolean };
  /** Our clock at the last change of this state. */
  updatedAt: Instant;
}
