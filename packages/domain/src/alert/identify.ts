import { DAY_MS, HOUR_MS } from '../time/timestamp.ts';
import { shortHash } from '../text/short-hash.ts';
import { isCountable } from './channels.ts';
import { overAt } from './evaluate.ts';
import type { EventState } from './event.ts';
import type { EventIndex } from './event-index.ts';
import { findLoose } from './identify-loose.ts';
import { sameLane } from './lane.ts';
import type { AlertMessage, Vtec } from './message.ts';
import { hazardCode } from './types.ts';
import { isMarineUgc } from './ugc.ts';
import { parseVtecEventId, vtecEventId, vtecKey } from './vtec.ts';

/** The event one VTEC string (or a message without any) belongs to. */
export interface Target {
  v: Vtec | null;
  eventId: string;
  identity: EventState['identity'];
  existing: EventState | undefined;
}

/** ETNs come back after a year change or by mistake; a chain is never silent for longer (trap 5). */
export const GENERATION_GAP_MS = 21 * DAY_MS;
/** A second segment or a correction of a NEW follows within the hour. */
const SAME_ISSUE_MS = HOUR_MS;
/** References older than this cannot belong to the same event's issue year. */
const MAX_CHAIN_MS = 300 * DAY_MS;
/** Offices whose marine VTEC in CAP is made up, with ETNs from here on (trap 23). */
const FABRICATING_OFFICES: ReadonlySet<string> = new Set(['PAFC', 'PAFG', 'PAJK']);
const FABRICATED_ETN_FROM = 3000;

/** Events a message belongs to, one per distinct VTEC string (trap 12), existing or new. */
export function identify(index: EventIndex, message: AlertMessage): Target[] {
  const byKey = new Map<string, Vtec>();
  for (const v of message.vtec) {
    const key = vtecKey(v);
    if (!byKey.has(key)) byKey.set(key, v);
  }
  if (byKey.size === 0) return [identifyLoose(index, message, null, 'inferred')];
  return [...byKey.values()].map((v) =>
    isFabricated(message, v) ? identifyLoose(index, message, v, 'weak') : identifyVtec(index, message, v),
  );
}

export function isFabricated(message: AlertMessage, v: Vtec): boolean {
  if (v.etn < FABRICATED_ETN_FROM || !FABRICATING_OFFICES.has(v.office)) return false;
  return message.zones.length > 0 && message.zones.every((zone) => isMarineUgc(zone.code));
}

function identifyLoose(index: EventIndex, message: AlertMessage, v: Vtec | null, identity: 'inferred' | 'weak'): Target {
  const existing = findLoose(index, message, v, identity);
  const code =
    hazardCode(message)
      .toUpperCase()
      .replaceAll(/[^A-Z0-9]/g, '')
      .slice(0, 12) || 'NONE';
  const base = `${testPrefix(message)}n.${code}.${message.office ?? 'NONE'}.${shortHash(message.id)}`;
  return { v, identity, existing, eventId: existing?.eventId ?? freeId(index, (n) => (n === 1 ? base : `${base}-${n}`)) };
}

function identifyVtec(index: EventIndex, message: AlertMessage, v: Vtec): Target {
  const known = index.byVtecKey(vtecKey(v)).filter((event) => sameLane(index, event, message));
  const existing = chooseGeneration(known, message, v);
  const prefix = testPrefix(message);
  const year = issueYear(message, v);
  const eventId = existing?.eventId ?? freeId(index, (generation) => prefix + vtecEventId(v, year, generation));
  return { v, identity: 'vtec', existing, eventId };
}

/** Tests share ETNs with real events and must never take their ids. */
function testPrefix(message: AlertMessage): string {
  return isCountable(message) ? '' : 't.';
}

function freeId(index: EventIndex, idOf: (generation: number) => string): string {
  let generation = 1;
  while (index.event(idOf(generation))) generation++;
  return idOf(generation);
}

/** UTC year of first issue: of the earliest ancestor when this is not the first message. */
function issueYear(message: AlertMessage, v: Vtec): number {
  let first = message.sent;
  if (v.action !== 'NEW') {
    for (const { sent } of message.references) {
      if (sent !== null && sent > message.sent - MAX_CHAIN_MS) first = Math.min(first, sent);
    }
  }
  return new Date(first).getUTCFullYear();
}

function chooseGeneration(known: EventState[], message: AlertMessage, v: Vtec): EventState | undefined {
  const referred = new Set(message.references.map((reference) => reference.id));
  const byReference = known.find((event) => event.versions.some((version) => referred.has(version.messageId)));
  if (byReference) return byReference;
  const possible = known.filter(
    (event) => silenceMs(event, message) <= GENERATION_GAP_MS && (v.action !== 'NEW' || sameIssue(event, message)),
  );
  if (possible.length < 2) return possible[0];
  const codes = new Set(message.zones.map((zone) => zone.code));
  const score = (event: EventState) =>
    (v.beginsAt !== null && event.from === v.beginsAt ? 10_000 : 0) + event.zones.filter((zone) => codes.has(zone.code)).length;
  return possible.sort((a, b) => score(b) - score(a) || lastSent(b) - lastSent(a))[0];
}

/** How long nothing was known of the event before (or, for a late message, after) this one. */
function silenceMs(event: EventState, message: AlertMessage): number {
  const lastLife = Math.max(lastSent(event), overAt(event) ?? lastSent(event));
  const before = message.sent - lastLife;
  const after = firstSent(event) - Math.max(message.sent, message.ends ?? message.sent);
  return Math.max(0, before, after);
}

/** Whether a NEW can be the event's own issue rather than an ETN that started again. */
function sameIssue(event: EventState, message: AlertMessage): boolean {
  const sameYear = parseVtecEventId(event.eventId)?.year === new Date(message.sent).getUTCFullYear();
  if (sameYear || Math.abs(message.sent - firstSent(event)) <= SAME_ISSUE_MS) return true;
  return message.sent < firstSent(event) && event.versions.every((version) => version.action !== 'NEW');
}

function firstSent(event: EventState): number {
  return Math.min(...event.versions.map((version) => version.sent));
}

function lastSent(event: EventState): number {
  return Math.max(...event.versions.map((version) => version.sent));
}
