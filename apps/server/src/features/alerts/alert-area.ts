import type { AffectedZone, AlertMessage, EventState, Instant, ZoneState } from '@nwms/domain';
import { isZoneOver } from '@nwms/domain/alert/evaluate';
import type { ShapeInput } from '../places/types.ts';

export type MessageLookup = (messageId: string) => AlertMessage | undefined;

const isDefined = <T>(value: T | undefined): value is T => value !== undefined;

/** Messages that speak for the event, the current one first. */
export function standingMessages(event: EventState, message: MessageLookup): AlertMessage[] {
  const ids = [event.currentId, ...event.standingIds.filter((id) => id !== event.currentId)];
  return ids.map(message).filter(isDefined);
}

/** Zones the row is about: those still affected at `at`; of an event that is over, all it ever had, so that history stays findable by area. */
export function zonesInQuestion(event: EventState, at: Instant): ZoneState[] {
  const still = event.zones.filter((zone) => !isZoneOver(zone, at));
  return still.length > 0 ? still : event.zones;
}

/** Shape question of an event: issuer polygons of its standing messages, and the zones whose speaking message has none (trap 25). */
export function eventShapeInput(event: EventState, message: MessageLookup, at: Instant): ShapeInput {
  const standing = standingMessages(event, message);
  const drawn = new Set(standing.filter((m) => m.polygon !== null).map((m) => m.id));
  return {
    polygons: standing.flatMap((m) => (m.polygon === null ? [] : [m.polygon])),
    zones: zonesInQuestion(event, at).filter((zone) => !drawn.has(zone.messageId)),
    around: drawn.size === 0 ? [] : zonesInQuestion(event, at).filter((zone) => drawn.has(zone.messageId)),
    same: [...new Set(standing.filter((m) => m.polygon === null).flatMap((m) => m.same))],
    at: shapeInstant(event.from, standing[0]),
  };
}

/** Shape question of one message alone. */
export function messageShapeInput(message: AlertMessage): ShapeInput {
  const hasPolygon = message.polygon !== null;
  const zones: readonly AffectedZone[] = hasPolygon ? [] : message.zones;
  return {
    polygons: message.polygon === null ? [] : [message.polygon],
    zones,
    around: hasPolygon ? message.zones : [],
    same: hasPolygon ? [] : message.same,
    at: shapeInstant(message.sent, message),
  };
}

/** Zone shapes change with dates (trap 20): the ones valid when the text was sent are meant. */
function shapeInstant(fallback: Instant, message: AlertMessage | undefined): Instant {
  return message?.sent ?? fallback;
}
