import { boxesOverlap, plainBbox } from './polygon-measure.ts';
import { isZoneOver } from './evaluate.ts';
import type { EventState } from './event.ts';
import type { EventIndex } from './event-index.ts';
import { compareText, type Window, windowOf, zonesSpokenFor } from './in-force.ts';
import { sameLane } from './lane.ts';
import type { AlertMessage, Vtec } from './message.ts';
import { hazardCode } from './types.ts';

/**
 * Event of a message without a usable event number: by its references first; else an event of the same hazard and office whose time
 * overlaps and whose zones are the same set (`inferred`, trap 9) or overlap (`weak`, trap 23).
 */
export function findLoose(index: EventIndex, message: AlertMessage, v: Vtec | null, identity: 'inferred' | 'weak'): EventState | undefined {
  const referred = byReference(index, message, identity);
  if (referred) return referred;
  const window = windowOf(message, v);
  const codes = new Set(zonesSpokenFor(message).map((zone) => zone.code));
  const found = index
    .candidates(hazardCode(message), message.office)
    .filter(
      (event) =>
        event.identity === identity &&
        sameLane(index, event, message) &&
        (identity === 'inferred' ? sameZones(event, codes) : event.zones.some((zone) => codes.has(zone.code))) &&
        timesOverlap(event, window) &&
        (identity === 'weak' || shapesMayOverlap(index, event, message)),
    );
  return found.sort((a, b) => shared(b, codes) - shared(a, codes) || lastSent(b) - lastSent(a) || compareText(a.eventId, b.eventId))[0];
}

function byReference(index: EventIndex, message: AlertMessage, identity: 'inferred' | 'weak'): EventState | undefined {
  const direct = message.references.filter((reference) => reference.kind === 'reference');
  const expired = message.references.filter((reference) => reference.kind === 'expired_reference');
  for (const references of [direct, expired]) {
    let newest: EventState | undefined;
    for (const reference of references) {
      const event = index.byMessage(reference.id);
      if (!event || !sameLane(index, event, message) || !sameHazard(event, message)) continue;
      if (identity === 'weak' && event.identity !== 'weak') continue;
      if (!newest || lastSent(event) > lastSent(newest)) newest = event;
    }
    if (newest) return newest;
  }
  return undefined;
}

function sameHazard(event: EventState, message: AlertMessage): boolean {
  return event.eventCode === hazardCode(message) || event.event.toLowerCase() === message.event.toLowerCase();
}

function sameZones(event: EventState, codes: ReadonlySet<string>): boolean {
  return event.zones.length === codes.size && event.zones.every((zone) => codes.has(zone.code));
}

function shared(event: EventState, codes: ReadonlySet<string>): number {
  return event.zones.filter((zone) => codes.has(zone.code)).length;
}

/** Half-open intervals; an event that a message ended takes no further messages. */
function timesOverlap(event: EventState, window: Window): boolean {
  if (event.zones.every((zone) => isZoneOver(zone, -Infinity))) return false;
  return (event.until === null || window.from < event.until) && (window.until === null || event.from < window.until);
}

/** Two polygons of one zone that do not touch are two storms, not two versions. */
function shapesMayOverlap(index: EventIndex, event: EventState, message: AlertMessage): boolean {
  const other = index.message(event.currentId)?.polygon;
  return !other || !message.polygon || boxesOverlap(plainBbox(other), plainBbox(message.polygon));
}

function lastSent(event: EventState): number {
  return Math.max(...event.versions.map((version) => version.sent));
}
