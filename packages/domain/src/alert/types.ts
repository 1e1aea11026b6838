import type { AlertMessage } from './message.ts';
import { CODE_SYNONYMS, TYPES_TABLE } from './types-table.ts';
import type { Severity } from './vocabulary.ts';

const EMOJI = {
  tornado: '🌪️',
  thunderstorm: '⛈️',
  flood: '🌊',
  winter: '❄️',
  wind: '💨',
  heat: '🌡️',
  cold: '🥶',
  fire: '🔥',
  tropical: '🌀',
  marine: '⚓',
  fog: '🌫️',
  air: '😷',
  coastal: '🏖️',
  tsunami: '🌊',
  volcano: '🌋',
  civil: '📢',
  other: '⚠️',
} as const;

export type Family = keyof typeof EMOJI;
export const FAMILIES = Object.keys(EMOJI) as Family[];

export interface AlertType {
  event: string;
  /** eventCode.NationalWeatherService; null when NWS gives none of its own. */
  eventCode: string | null;
  family: Family;
  defaultSeverity: Severity;
  /** Base rank, 0 to 1000, higher is worse; impact tags raise it. */
  hazardRank: number;
  emoji: string;
  /** NWS map colour, `#rrggbb`. */
  color: string;
  /** VTEC significance letter, null outside VTEC. */
  significance: string | null;
}

/** Changes whenever the table changes in meaning; clients cache by it. */
export const ALERT_TYPES_VERSION = '2026-11-1';

/** The registry, worst first. */
export const ALERT_TYPES: readonly AlertType[] = TYPES_TABLE.trim()
  .split('\n')
  .map((row): AlertType => {
    const [code = '', event = '', family = '', severity = '', rank = '', color = '', significance = ''] = row.split('|');
    return {
      event,
      eventCode: code === '-' ? null : code,
      family: family as Family,
      defaultSeverity: severity as Severity,
      hazardRank: Number(rank),
      emoji: EMOJI[family as Family],
      color: color.toLowerCase(),
      significance: significance === '-' ? null : significance,
    };
  });

const BY_CODE: ReadonlyMap<string, AlertType> = new Map(ALERT_TYPES.filter((t) => t.eventCode !== null).map((t) => [t.eventCode ?? '', t]));
/** Of two types with one name the worse stands for the name. */
const BY_NAME: ReadonlyMap<string, AlertType> = new Map([...ALERT_TYPES].reverse().map((t) => [t.event.toLowerCase(), t]));

/** By the name as it is nearly always written: no text is made to ask. */
const BY_USUAL_NAME: ReadonlyMap<string, AlertType> = new Map(ALERT_TYPES.map((t) => [t.event, BY_NAME.get(t.event.toLowerCase()) ?? t]));

/** Rank of events we do not know: shown low, never hidden (trap 27). */
export const UNKNOWN_RANK = 100;

/** Type of an event: by code (names drift), checked against the name where a code has two meanings, else by name, else unknown. */
export function typeOf(of: { event: string; eventCode: string | null }): AlertType {
  const byName = BY_USUAL_NAME.get(of.event) ?? BY_NAME.get(of.event.trim().toLowerCase());
  const byCode = of.eventCode === null ? undefined : BY_CODE.get(CODE_SYNONYMS[of.eventCode] ?? of.eventCode);
  // SAME and NWS share three-letter codes (LEW: lake effect snow and law enforcement), so a known name wins.
  return byName ?? byCode ?? unknownType(of.event, of.eventCode);
}

function unknownType(event: string, eventCode: string | null): AlertType {
  return {
    event,
    eventCode,
    family: 'other',
    defaultSeverity: 'Unknown',
    hazardRank: UNKNOWN_RANK,
    emoji: EMOJI.other,
    color: '#c0c0c0',
    significance: null,
  };
}

/** Type of a VTEC phenomenon and significance, undefined when not in the registry. */
export function typeOfVtec(phenomenon: string, significance: string): AlertType | undefined {
  const code = phenomenon + significance;
  return BY_CODE.get(CODE_SYNONYMS[code] ?? code);
}

/**
 * Code that groups messages of one kind of hazard: the message's own, else its VTEC's, else the registry's, else the event name.
 * `candidates` of the event index are asked by it.
 */
export function hazardCode(of: Pick<AlertMessage, 'event' | 'eventCode' | 'vtec'>): string {
  const [v] = of.vtec;
  return of.eventCode ?? (v ? v.phenomenon + v.significance : (typeOf(of).eventCode ?? of.event));
}

/** Rank at and above which a tag says that lives are in danger now. */
export function isLifeThreat(message: Pick<AlertMessage, 'tags'>): boolean {
  const { tags } = message;
  const worst = [tags.tornadoDamageThreat, tags.flashFloodDamageThreat, tags.thunderstormDamageThreat];
  return (
    tags.emergency !== null || worst.some((threat) => threat === 'considerable' || threat === 'destructive' || threat === 'catastrophic')
  );
}

/** Danger of a message, 0 to 1000, higher is worse: registry base, raised (never lowered) by impact tags (trap 29). */
export function hazardRank(message: Pick<AlertMessage, 'event' | 'eventCode' | 'tags'>): number {
  const type = typeOf(message);
  return Math.min(1000, Math.max(type.hazardRank + tagRaise(type, message.tags), emergencyRank(message.tags)));
}

function emergencyRank(tags: AlertMessage['tags']): number {
  return tags.emergency === 'tornado' ? 1000 : tags.emergency === 'flash_flood' ? 870 : 0;
}

function tagRaise(type: AlertType, tags: AlertMessage['tags']): number {
  switch (type.event) {
    case 'Tornado Warning':
      return (tags.tornadoDetection === 'observed' ? 20 : 0) + (tags.tornadoDamageThreat === 'considerable' ? 40 : 0);
    case 'Severe Thunderstorm Warning': {
      const damage = { destructive: 120, catastrophic: 120, considerable: 60 }[tags.thunderstormDamageThreat ?? ''] ?? 0;
      return damage + (tags.tornadoDetection === 'possible' ? 30 : 0);
    }
    case 'Flash Flood Warning':
      return (tags.flashFloodDamageThreat === 'considerable' ? 60 : 0) + (tags.flashFloodDetection === 'observed' ? 10 : 0);
    case 'Snow Squall Warning':
      return tags.snowSquallImpact === 'significant' ? 20 : 0;
    case 'Special Marine Warning':
      return tags.waterspoutDetection === 'observed' ? 8 : tags.waterspoutDetection === 'possible' ? 4 : 0;
    default:
      return 0;
  }
}
