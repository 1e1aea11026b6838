import type { Channel, Diff, Kind, State, StateReason } from '@nwms/domain';
import Type, { type Static } from 'typebox';
import type { LiveAlert } from './alert.ts';
import { alertFilters } from './filters.ts';
import type { Freshness } from './freshness.ts';
import { oneOf, orNull } from './schema.ts';

/** The live protocol `nwms.v1`; its numbered rules LV1 to LV40 are in docs/live-protocol.md. */
export const LIVE_SUBPROTOCOL = 'nwms.v1';
export const HEARTBEAT_SECONDS = 25;

const id = Type.Optional(Type.String({ minLength: 1, maxLength: 64 }));
const channels = Type.Array(oneOf(['alerts', 'severe_alerts', 'updates']), { minItems: 1, maxItems: 10 });

/** LV12: filter of one connection; members and meanings as the list's filters, at most 20 values each. */
export const LiveFilter = Type.Object(
  {
    severity: alertFilters.severity,
    event: alertFilters.event,
    event_code: alertFilters.event_code,
    family: alertFilters.family,
    ugc: alertFilters.ugc,
    same: alertFilters.same,
    office: alertFilters.office,
    tag: alertFilters.tag,
    min_rank: alertFilters.min_rank,
    bbox: Type.Optional(Type.Unsafe<string | number[]>({ description: 'west,south,east,north as text or array' })),
    polygon: Type.Optional(Type.Unsafe<string | [number, number][]>({ description: 'positions as text or array, at most 100' })),
    lat: alertFilters.lat,
    lon: alertFilters.lon,
    radius_km: alertFilters.radius_km,
  },
  { additionalProperties: false },
);
export type LiveFilter = Static<typeof LiveFilter>;

export const Subscribe = Type.Object({
  type: Type.Literal('subscribe'),
  channels,
  since: Type.Optional(Type.String({ maxLength: 60 })),
  snapshot: Type.Optional(oneOf(['always', 'on_gap'])),
  filter: Type.Optional(orNull(LiveFilter)),
  id,
});
export const Unsubscribe = Type.Object({ type: Type.Literal('unsubscribe'), channels: Type.Array(Type.String(), { maxItems: 10 }), id });
export const Ping = Type.Object({ type: Type.Literal('ping'), id });
export const Auth = Type.Object({ type: Type.Literal('auth'), token: Type.String({ maxLength: 8192 }), id });
export type ClientMessage = Static<typeof Subscribe> | Static<typeof Unsubscribe> | Static<typeof Ping> | Static<typeof Auth>;

export interface AlertMessageOut {
  type: 'alert';
  seq: number;
  cursor: string;
  at: string;
  kind: 'issued';
  channels: Channel[];
  alert: LiveAlert;
}
export interface UpdateMessageOut {
  type: 'update';
  seq: number;
  cursor: string;
  at: string;
  kind: Kind;
  channels: Channel[];
  update: {
    kind: Kind;
    event_id: string;
    id: string;
    version: number;
    state: State;
    state_reason: StateReason;
    is_active: boolean;
    summary: string;
    diff: Diff | null;
    alert: LiveAlert;
  };
}
export interface Heartbeat {
  type: 'heartbeat';
  at: string;
  epoch: string;
  cursor: string | null;
  latest_cursor: string;
  oldest_cursor: string;
  freshness: Freshness;
  interval_seconds: number;
  limits?: Record<string, number>;
}
export interface Pong {
  type: 'pong';
  at: string;
  cursor: string | null;
  id?: string;
}
export interface LiveError {
  type: 'error';
  error: string;
  code: LiveErrorCode;
  detail: string | null;
  id: string | null;
  fatal: boolean;
  retry_after_seconds: number | null;
}
export interface Ack {
  type: 'ack';
  id: string;
  channels: Channel[];
  from_cursor: string;
  recovered: boolean | null;
}
export interface Snapshot {
  type: 'snapshot';
  part: number;
  parts: number;
  cursor: string;
  total: number;
  alerts: LiveAlert[];
  freshness: Freshness;
}
export interface Gap {
  type: 'gap';
  reason: 'epoch_changed' | 'too_old' | 'ahead';
  requested: string;
  oldest_cursor: string;
  cursor: string;
}
export type ServerMessage = AlertMessageOut | UpdateMessageOut | Heartbeat | Pong | LiveError | Ack | Snapshot | Gap;

/** LV25 codes with LV35 close code (null: not fatal) and the text for the error box. */
export const LIVE_ERRORS = {
  'live.bad_message': { close: null, text: 'Message not understood' },
  'live.unknown_type': { close: null, text: 'Unknown message type' },
  'live.unknown_channel': { close: null, text: 'Unknown channel' },
  'live.bad_filter': { close: null, text: 'Filter not accepted' },
  'live.bad_cursor': { close: null, text: 'Cursor not understood' },
  'live.since_too_late': { close: null, text: 'A position can only be given in the first subscribe' },
  'live.protocol': { close: 4400, text: 'Protocol violation' },
  'live.too_large': { close: 1009, text: 'Message too large' },
  'live.rate': { close: 4429, text: 'Too many messages' },
  'live.slow': { close: 4413, text: 'Reading too slowly' },
  'live.idle': { close: 4408, text: 'No subscription' },
  'live.auth_failed': { close: 4401, text: 'Authentication failed' },
  'live.auth_expired': { close: 4401, text: 'Sign-in expired' },
  'live.session_ended': { close: 4401, text: 'Session ended' },
  'live.limit': { close: 4429, text: 'Too many connections' },
  'live.quota': { close: 4429, text: 'Quota used up' },
  'live.shutting_down': { close: 1001, text: 'Server is restarting' },
  'live.overloaded': { close: 4503, text: 'Server is overloaded' },
} as const;
export type LiveErrorCode = keyof typeof LIVE_ERRORS;
