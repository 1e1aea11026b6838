import { MINUTE_MS } from '../time/timestamp.ts';
import type { EventState } from './event.ts';
import type { EventIndex } from './event-index.ts';
import { sameLane } from './lane.ts';
import type { AlertMessage } from './message.ts';
import { typeOf } from './types.ts';

/** The replacing product is written in the same session as the UPG (trap 6: "within minutes"). */
const UPGRADE_WINDOW_MS = 30 * MINUTE_MS;

/** Codes that can be upgraded into one another: one hazard in its grades. Never across hazards. */
const HAZARD_GROUPS: readonly string[][] = [
  ['TOA', 'TOW'],
  ['SVA', 'SVW'],
  ['FFA', 'FAA', 'FLA', 'FFW', 'FAW', 'FLW', 'FAY', 'FLY', 'FFS', 'FLS'],
  ['WSA', 'BZA', 'LEA', 'WSW', 'BZW', 'ISW', 'LEW', 'WWY', 'LEY', 'ZRY', 'SQW'],
  ['HWA', 'HWW', 'WIY', 'LWY', 'EWW'],
  ['DUY', 'DUW', 'DSW'],
  ['ECA', 'WCA', 'ECW', 'WCW', 'CWY', 'WCY'],
  ['FZA', 'HZA', 'FZW', 'HZW', 'FRY'],
  ['EHA', 'XHA', 'EHW', 'XHW', 'HTY'],
  ['FWA', 'FWW'],
  ['CFA', 'CFW', 'CFY', 'CFS', 'LSA', 'LSW', 'LSY', 'LSS'],
  ['SUY', 'SUW', 'RPS', 'BHS'],
  ['HUA', 'TYA', 'TRA', 'HUW', 'TYW', 'TRW'],
  ['SSA', 'SSW'],
  ['SCY', 'BWY', 'SIY', 'SWY', 'RBY', 'GLA', 'GLW', 'SRA', 'SRW', 'HFA', 'HFW', 'SEA', 'SEW'],
  ['UPA', 'UPW', 'UPY', 'ZYA', 'ZYW', 'ZYY'],
  ['TSA', 'TSY', 'TSW'],
];
const GROUP_OF: ReadonlyMap<string, readonly string[]> = new Map(
  HAZARD_GROUPS.flatMap((group) => group.map((code) => [code, group] as const)),
);

/**
 * Links an upgraded event with the event that replaced it, whichever message came first: same office, one hazard group, a zone in
 * common, within 30 minutes. `events` are those a message just changed; linked partners are added.
 */
export function linkUpgrades(index: EventIndex, events: readonly EventState[], message: AlertMessage): EventState[] {
  const byId = new Map(events.map((event) => [event.eventId, event] as const));
  for (const { eventId } of events) {
    const event = byId.get(eventId);
    const group = event?.eventCode ? GROUP_OF.get(event.eventCode) : undefined;
    if (!event || !group || event.identity === 'weak') continue;
    for (const code of group) {
      for (const stored of index.candidates(code, event.office)) {
        const other = byId.get(stored.eventId) ?? stored;
        if (other.eventId === eventId || !sameLane(index, other, message)) continue;
        linkPair(byId, eventId, other);
      }
    }
    for (const other of events)
      if (other.eventId !== eventId && group.includes(other.eventCode ?? '')) linkPair(byId, eventId, byId.get(other.eventId) ?? other);
  }
  return [...byId.values()];
}

function linkPair(byId: Map<string, EventState>, eventId: string, other: EventState): void {
  const event = byId.get(eventId);
  if (!event) return;
  if (replaces(other, event)) {
    byId.set(eventId, { ...event, upgradedTo: other.eventId });
    byId.set(other.eventId, { ...other, upgradedFrom: other.upgradedFrom ?? eventId });
  } else if (replaces(event, other)) {
    byId.set(eventId, { ...event, upgradedFrom: event.upgradedFrom ?? other.eventId });
    byId.set(other.eventId, { ...other, upgradedTo: eventId });
  }
}

/** `next` was issued (or grew) when `old` was upgraded in a zone that both have. */
function replaces(next: EventState, old: EventState): boolean {
  if (old.upgradedTo !== null || next.upgradedTo === old.eventId) return false;
  if (isWatch(next) && !isWatch(old)) return false;
  return old.zones.some((zone) => {
    if (zone.over?.how !== 'upgraded') return false;
    const taken = next.zones.find((candidate) => candidate.code === zone.code && candidate.over?.how !== 'upgraded');
    const sent = taken && next.versions.findLast((version) => version.messageId === taken.messageId)?.sent;
    return sent !== undefined && Math.abs(sent - (zone.over?.at ?? 0)) <= UPGRADE_WINDOW_MS;
  });
}

function isWatch(event: EventState): boolean {
  return typeOf(event).significance === 'A';
}
