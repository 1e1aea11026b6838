import type { Shape } from '../geo/shape.ts';
import type {
  CapStatus,
  Certainty,
  Instant,
  MessageType,
  Severity,
  Source,
  Urgency,
  VtecAction,
  VtecClass,
  ZoneType,
} from './vocabulary.ts';

/** One primary VTEC string (NWS Directive 10-1703). Null times are VTEC zeros: "already begun" / "until further notice". */
export interface Vtec {
  raw: string;
  class: VtecClass;
  action: VtecAction;
  /** Four-letter office, e.g. KDMX. */
  office: string;
  /** Two letters, e.g. SV. */
  phenomenon: string;
  /** One letter: W warning, A watch, Y advisory, S statement, F forecast, O outlook, N synopsis. */
  significance: string;
  /** Event tracking number, 1 to 9999, unique per office, phenomenon, significance and year. */
  etn: number;
  beginsAt: Instant | null;
  endsAt: Instant | null;
}

/** One area code of a message. `code` is a UGC (IAC153, IAZ048, GMZ335) or, for messages without UGC, `SAME` + six digits. */
export interface AffectedZone {
  code: string;
  /** From the zone's URL, not from the letter: fire zones reuse Z with other numbers (trap 21). */
  type: ZoneType;
  /** True when the SAME code says part of a county (first digit 1 to 9, trap 22). */
  partial: boolean;
}

export interface Reference {
  /** Upstream identifier of the referred message. */
  id: string;
  sender: string | null;
  sent: Instant | null;
  kind: 'reference' | 'expired_reference';
}

export interface ImpactTags {
  emergency: 'tornado' | 'flash_flood' | null;
  tornadoDetection: string | null;
  tornadoDamageThreat: string | null;
  thunderstormDamageThreat: string | null;
  flashFloodDetection: string | null;
  flashFloodDamageThreat: string | null;
  snowSquallDetection: string | null;
  snowSquallImpact: string | null;
  waterspoutDetection: string | null;
  windThreat: string | null;
  maxWindGustKmh: number | null;
  hailThreat: string | null;
  maxHailSizeMm: number | null;
  motion: { at: Instant; towardDegrees: number; speedKmh: number; points: [number, number][] } | null;
}

/**
 * One CAP alert message as received: immutable. Times are UTC instants; the upstream feature is kept whole beside it (`raw`
 * in the store), so nothing that is not modelled here is lost.
 */
export interface AlertMessage {
  /** Our primary key: the upstream identifier, plus `~` + 8 hex of `contentHash` when other content came first under the same identifier. */
  id: string;
  /** Identifier as upstream wrote it (a URN as a rule, not always: county-issued messages). */
  upstreamId: string;
  /** Hex SHA-256 over the canonical JSON of properties and geometry. */
  contentHash: string;
  source: Source;
  status: CapStatus;
  /** True when the message must not count although upstream may call it Actual: VTEC class T/E/X or a known test-only wording (trap 31). */
  isTest: boolean;
  /** True when an Actual message's header line says TEST: kept everywhere, marked, push held (A5). */
  testSuspected: boolean;
  messageType: MessageType | null;
  event: string;
  /** eventCode.NationalWeatherService, e.g. SVW (trap 27). */
  eventCode: string | null;
  /** eventCode.SAME; often just NWS. */
  sameEventCode: string | null;
  category: string;
  severity: Severity;
  urgency: Urgency | null;
  certainty: Certainty | null;
  response: string | null;
  headline: string | null;
  description: string | null;
  instruction: string | null;
  areaDesc: string;
  sender: string | null;
  senderName: string;
  /** Four-letter office from VTEC, else from WMOidentifier, else null. */
  office: string | null;
  language: string;
  sent: Instant;
  effective: Instant | null;
  onset: Instant | null;
  expires: Instant | null;
  ends: Instant | null;
  eventEndingTime: Instant | null;
  /** Minutes east of UTC that `sent` was written with: the office's own clock. */
  sentOffsetMinutes: number;
  zones: AffectedZone[];
  same: string[];
  vtec: Vtec[];
  references: Reference[];
  /** Upstream id of the message that replaces this one, when upstream says so. */
  replacedBy: string | null;
  tags: ImpactTags;
  wea: { handling: string | null; text: string | null } | null;
  /** Issuer's own polygon, untouched. */
  polygon: Shape | null;
  /** https URL on weather.gov or below, else null (W11). */
  sourceUrl: string | null;
  /** Segment-less product hash of the URN: messages that share it are one bulletin (trap 11). */
  bulletin: string | null;
  /** When we first saw it; for imports: `sent`. */
  receivedAt: Instant;
}
