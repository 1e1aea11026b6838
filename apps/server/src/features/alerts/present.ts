import type { Alert, SlimAlert } from '@nwms/contract';
import {
  type AlertMessage,
  CODELESS_ZONE,
  type EventState,
  type Evaluation,
  evaluate,
  evaluateMessage,
  hazardRank,
  type Instant,
  shortLocation,
  statesOf,
  typeOf,
  type ZoneState,
} from '@nwms/domain';
import { invariant } from '../../platform/app-error.ts';
import type { Places, ResolvedShape } from '../places/types.ts';
import { eventShapeInput, type MessageLookup, messageShapeInput, standingMessages, zonesInQuestion } from './alert-area.ts';
import { presentReferences, presentTags, presentVtec, presentZones } from './present-parts.ts';
import { ownTime, wireTime, wireTimeOrNull } from './wire-time.ts';

/** Members left out by `detail=slim`, without the geometry, which travels as ready text. */
export type HeavyMembers = Omit<Alert, keyof SlimAlert | 'geometry'> & Pick<Alert, 'impact_tags'>;

export interface Presented {
  slim: SlimAlert;
  heavy: HeavyMembers;
  /** Shape with its display geometry already encoded (`json`). */
  area: ResolvedShape;
  evaluation: Evaluation;
  /** Zone and county codes the row is about (`SAME` + six digits where there is no UGC). */
  zoneCodes: string[];
}

export interface PresentInput {
  event: EventState;
  message: MessageLookup;
  places: Places;
  /** Clock the state is evaluated at. */
  at: Instant;
  /** Set for a row of `view=messages`: this version instead of the event's newest. */
  messageId?: string | undefined;
}

/** Domain to wire: one alert row with every documented member; unknown is null. */
export function presentAlert(input: PresentInput): Presented {
  const { event, message, places, at } = input;
  const own = message(input.messageId ?? event.currentId);
  invariant(own, `message ${input.messageId ?? event.currentId} of ${event.eventId} is not at hand`);
  const alone = input.messageId !== undefined;
  const evaluation = alone ? evaluateMessage(event, own.id, at) : evaluate(event, at);
  const area = places.resolve(alone ? messageShapeInput(own) : eventShapeInput(event, message, at));
  const zones = alone ? zonesOfMessage(event, own) : event.zones;
  const speaking = alone ? [own] : standingMessages(event, message);
  const facts: RowFacts = { event, own, evaluation, area, speaking, affected: alone ? zones : zonesInQuestion(event, at), alone };
  return {
    slim: slimMembers(facts),
    heavy: heavyMembers(facts, zones, places, at),
    area,
    evaluation,
    zoneCodes: facts.affected.map((zone) => zone.code),
  };
}

interface RowFacts {
  event: EventState;
  own: AlertMessage;
  evaluation: Evaluation;
  area: ResolvedShape;
  speaking: AlertMessage[];
  affected: readonly ZoneState[];
  alone: boolean;
}

/** Zones of one message with the life they have in the event; a zone the event lost sight of keeps the message's own words. */
function zonesOfMessage(event: EventState, own: AlertMessage): ZoneState[] {
  const known = new Map(event.zones.map((zone) => [zone.code, zone]));
  return own.zones.map((zone) => known.get(zone.code) ?? { ...zone, messageId: own.id, from: event.from, until: event.until, over: null });
}

function slimMembers(facts: RowFacts): SlimAlert {
  const { event, own, area } = facts;
  const type = typeOf({ event: own.event, eventCode: own.eventCode });
  return {
    ...capMembers(facts),
    emoji: type.emoji,
    ...lifeMembers(facts),
    event_code: own.eventCode,
    family: type.family,
    category: own.category,
    response: own.response,
    hazard_rank: hazardRank(own),
    language: own.language,
    sender_name: own.senderName,
    office: own.office ?? event.office,
    time_zones: area.timeZones,
    ugc: facts.affected.map((zone) => zone.code).filter((code) => code !== CODELESS_ZONE && !code.startsWith('SAME')),
    same: [...new Set(facts.speaking.flatMap((message) => message.same))],
    states: statesOf(facts.affected),
    geometry_source: area.source,
    geometry_quality: area.quality,
    geometry_missing: area.missing,
    label_point: area.labelPoint,
    bbox: area.bbox,
    area_km2: area.areaKm2 === null ? null : Math.round(area.areaKm2 * 10) / 10,
    received_at: ownTime(own.receivedAt),
    seen_delay_seconds: own.source === 'import' ? null : Math.round((own.receivedAt - own.sent) / 1000),
    source_url: own.sourceUrl,
    impact_tags: slimTags(own),
    sample: false,
  };
}

function capMembers({ own, speaking, event }: RowFacts) {
  const areaDesc = joinAreas(speaking.map((message) => message.areaDesc));
  const sent = wireTime(own.sent);
  return {
    id: own.id,
    event: own.event,
    severity: own.severity,
    urgency: own.urgency,
    certainty: own.certainty,
    // A test by VTEC class or wording counts as Test whatever CAP says (trap 31).
    status: own.isTest ? ('Test' as const) : own.status,
    message_type: own.messageType,
    headline: own.headline,
    area_desc: areaDesc,
    effective: wireTimeOrNull(own.effective),
    onset: wireTimeOrNull(own.onset),
    expires: wireTimeOrNull(own.expires),
    sent,
    updated_at: ownTime(event.updatedAt),
    location: shortLocation(areaDesc),
    timestamp: sent,
    source: own.source,
  };
}

function lifeMembers({ event, own, evaluation, alone }: RowFacts) {
  const index = event.versions.findIndex((version) => version.messageId === own.id);
  const next = alone && evaluation.state === 'superseded' ? event.versions[index + 1] : undefined;
  return {
    event_id: event.eventId,
    event_ids: event.eventIds,
    version: event.versions[index]?.version ?? event.versions.length,
    versions: event.versions.length,
    state: evaluation.state,
    state_reason: evaluation.reason,
    is_active: evaluation.isActive,
    in_force_from: wireTime(evaluation.inForceFrom),
    in_force_until: wireTimeOrNull(evaluation.inForceUntil),
    ends: wireTimeOrNull(own.ends),
    ended_at: wireTimeOrNull(evaluation.endedAt),
    text_overdue: evaluation.textOverdue,
    test_suspected: own.testSuspected,
    identity: event.identity,
    upgraded_to: event.upgradedTo,
    upgraded_from: event.upgradedFrom,
    superseded_by: next?.messageId ?? null,
  };
}

function heavyMembers({ event, own }: RowFacts, zones: readonly ZoneState[], places: Places, at: Instant): HeavyMembers {
  return {
    description: own.description,
    instruction: own.instruction,
    vtec: presentVtec(own, event),
    impact_tags: presentTags(own.tags),
    wea: own.wea,
    references: presentReferences(own),
    zones: presentZones(event, zones, places, at),
  };
}

function slimTags(own: AlertMessage): SlimAlert['impact_tags'] {
  const { motion: _motion, ...rest } = presentTags(own.tags);
  return rest;
}

/** Places of several segments, each once, in order. */
function joinAreas(texts: readonly string[]): string {
  if (texts.length === 1) return texts[0] ?? '';
  return [
    ...new Set(
      texts
        .flatMap((text) => text.split(';'))
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    ),
  ].join('; ');
}
