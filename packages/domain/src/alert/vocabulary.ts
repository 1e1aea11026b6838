/** Words shared by the whole product. CAP 1.2 terms keep CAP's spelling; NWS terms (VTEC, UGC) keep NWS Directive 10-1703's. */

/** An instant in epoch milliseconds, UTC. */
export type Instant = number;

export const SEVERITIES = ['Extreme', 'Severe', 'Moderate', 'Minor', 'Unknown'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const URGENCIES = ['Immediate', 'Expected', 'Future', 'Past', 'Unknown'] as const;
export type Urgency = (typeof URGENCIES)[number];

export const CERTAINTIES = ['Observed', 'Likely', 'Possible', 'Unlikely', 'Unknown'] as const;
export type Certainty = (typeof CERTAINTIES)[number];

export const CAP_STATUSES = ['Actual', 'Exercise', 'System', 'Test', 'Draft'] as const;
export type CapStatus = (typeof CAP_STATUSES)[number];

export const MESSAGE_TYPES = ['Alert', 'Update', 'Cancel'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** Where a message came from. `import` = history loaded by an operator. */
export const SOURCES = ['nws', 'simulator', 'replay', 'import'] as const;
export type Source = (typeof SOURCES)[number];

/** VTEC product class: Operational, Test, Experimental, eXperimental in operational product. */
export type VtecClass = 'O' | 'T' | 'E' | 'X';
export const VTEC_ACTIONS = ['NEW', 'CON', 'EXT', 'EXA', 'EXB', 'UPG', 'CAN', 'EXP', 'COR', 'ROU'] as const;
export type VtecAction = (typeof VTEC_ACTIONS)[number];

export const ZONE_TYPES = ['public', 'county', 'fire', 'marine', 'offshore', 'unknown'] as const;
export type ZoneType = (typeof ZONE_TYPES)[number];

/** Life of an event (or of one of its zones, or of one message row). Table with the rules: docs/alert-states.md. */
export const STATES = [
  'superseded',
  'cancelled',
  'upgraded',
  'ended',
  'withdrawn',
  'upcoming',
  'unconfirmed',
  'expiring',
  'in_force',
] as const;
export type State = (typeof STATES)[number];

export const STATE_REASONS = [
  'superseded_by_update',
  'duplicate',
  'correction',
  'cancelled_by_message',
  'upgraded',
  'end_time_passed',
  'expired_by_message',
  'absent_12h',
  'starts_later',
  'absent_from_feed',
  'ends_soon',
  'issued',
  'extended',
  'area_changed',
  'continued',
  'reissued',
] as const;
export type StateReason = (typeof STATE_REASONS)[number];

/** What one entry of the numbered log tells. */
export const KINDS = [
  'issued',
  'revised',
  'escalated',
  'corrected',
  'located',
  'started',
  'ended',
  'cancelled',
  'upgraded',
  'unconfirmed',
  'reconfirmed',
  'withdrawn',
  'backfilled',
] as const;
export type Kind = (typeof KINDS)[number];

export const CHANNELS = ['alerts', 'severe_alerts', 'updates'] as const;
export type Channel = (typeof CHANNELS)[number];

export const GEOMETRY_SOURCES = ['polygon', 'zones', 'counties', 'none'] as const;
export type GeometrySource = (typeof GEOMETRY_SOURCES)[number];
export const GEOMETRY_QUALITIES = ['exact', 'resolved', 'partial', 'none'] as const;
export type GeometryQuality = (typeof GEOMETRY_QUALITIES)[number];
