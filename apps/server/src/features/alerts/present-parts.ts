import type { Alert } from '@nwms/contract';
import {
  type AlertMessage,
  CODELESS_ZONE,
  type EventState,
  evaluateZone,
  type ImpactTags,
  type Instant,
  vtecKey,
  type ZoneState,
} from '@nwms/domain';
import type { Places } from '../places/types.ts';
import { wireTime, wireTimeOrNull } from './wire-time.ts';

export function presentVtec(message: AlertMessage, event: EventState): Alert['vtec'] {
  return message.vtec.map((vtec) => {
    const key = `${vtecKey(vtec)}.`;
    return {
      raw: vtec.raw,
      class: vtec.class,
      action: vtec.action,
      office: vtec.office,
      phenomenon: vtec.phenomenon,
      significance: vtec.significance,
      etn: vtec.etn,
      begins_at: wireTimeOrNull(vtec.beginsAt),
      ends_at: wireTimeOrNull(vtec.endsAt),
      event_id: event.eventIds.find((id) => id.startsWith(key)) ?? event.eventId,
    };
  });
}

export function presentTags(tags: ImpactTags): Alert['impact_tags'] {
  return {
    emergency: tags.emergency,
    tornado_detection: tags.tornadoDetection,
    tornado_damage_threat: tags.tornadoDamageThreat,
    thunderstorm_damage_threat: tags.thunderstormDamageThreat,
    flash_flood_detection: tags.flashFloodDetection,
    flash_flood_damage_threat: tags.flashFloodDamageThreat,
    snow_squall_detection: tags.snowSquallDetection,
    snow_squall_impact: tags.snowSquallImpact,
    waterspout_detection: tags.waterspoutDetection,
    wind_threat: tags.windThreat,
    max_wind_gust_kmh: tags.maxWindGustKmh,
    hail_threat: tags.hailThreat,
    max_hail_size_mm: tags.maxHailSizeMm,
    motion: tags.motion && {
      at: wireTime(tags.motion.at),
      toward_degrees: tags.motion.towardDegrees,
      speed_kmh: tags.motion.speedKmh,
      points: tags.motion.points,
    },
  };
}

export function presentReferences(message: AlertMessage): Alert['references'] {
  return message.references.map((reference) => ({
    id: reference.id,
    sender: reference.sender,
    sent: wireTimeOrNull(reference.sent),
    kind: reference.kind,
  }));
}

/** Every zone ever in the event with its own state (trap 4); the place that stands for no zone at all is none. */
export function presentZones(event: EventState, zones: readonly ZoneState[], places: Places, at: Instant): Alert['zones'] {
  const known = new Set(event.zones.map((zone) => zone.code));
  const named = zones.filter((zone) => zone.code !== CODELESS_ZONE);
  return named.map((zone) => ({
    ugc: zone.code,
    type: zone.type,
    name: places.zoneInfo(zone.code, zone.type)?.name ?? null,
    state: known.has(zone.code) ? evaluateZone(event, zone.code, at).state : 'superseded',
    partial: zone.partial,
  }));
}
