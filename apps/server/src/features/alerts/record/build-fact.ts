import {
  type AlertMessage,
  CODELESS_ZONE,
  evaluate,
  type EventFact,
  type EventState,
  type FactStep,
  fipsOfCountyUgc,
  hazardRank,
  type Instant,
  overAt,
  parseVtecEventId,
  SEVERITY_LEVELS,
  statesOf,
  typeOf,
  typeOfVtec,
  type ZoneState,
} from '@nwms/domain';
import { isZoneOver } from '@nwms/domain/alert/evaluate';
import type { Places } from '../../places/types.ts';
import { eventShapeInput, type MessageLookup, standingMessages } from '../alert-area.ts';
import type { OffsetAt } from './local-time.ts';

/** Polygons of these VTEC phenomena are trimmed as the storm moves: a smaller one is no easing. */
const MOVING = new Set(['TO', 'SV', 'SQ', 'EW', 'DS', 'MA', 'FF']);

/** One stored state and when it became what is known. */
export interface KnownState {
  knownFrom: Instant;
  state: EventState;
}

export interface FactDeps {
  places: Pick<Places, 'resolve'>;
  offsetAt: OffsetAt;
}

/** Reduces an event's whole life. Null when its messages are not at hand or it does not count. */
export function buildFact(
  event: EventState,
  known: readonly KnownState[],
  message: MessageLookup,
  { places, offsetAt }: FactDeps,
): EventFact | null {
  const versions = event.versions.map((version) => message(version.messageId)).filter((each) => each !== undefined);
  // Not always the first we heard of: its history may have been read later.
  const firstVersion = event.versions.toSorted((a, b) => a.sent - b.sent)[0];
  const first = firstVersion && message(firstVersion.messageId);
  const states = known.length > 0 ? known : [{ knownFrom: firstVersion?.receivedAt ?? event.updatedAt, state: event }];
  const begun = states[0]?.state ?? event;
  if (!event.countable || !first || !firstVersion) return null;
  const type = typeOf(event);
  const area = places.resolve(eventShapeInput(event, message, event.from));
  const measure = createMeasure(event, message, places);
  const steps = states.map(({ knownFrom, state }) => stepOf(state, knownFrom, message, measure));
  return {
    eventId: event.eventId,
    event: event.event,
    family: type.family,
    office: event.office,
    source: first.source,
    areaDesc: message(event.currentId)?.areaDesc ?? first.areaDesc,
    firstSent: first.sent,
    firstSeen: Math.min(...event.versions.map((version) => version.receivedAt)),
    begin: begun.from,
    overAt: overAt(event),
    offsetMinutes: offsetAt(area.timeZones[0] ?? null, begun.from, first.sentOffsetMinutes),
    severity: Math.max(...steps.map((step) => step.severity)),
    versions: event.versions.length,
    polygon: versions.some((each) => each.polygon !== null),
    lateStart: firstVersion.action !== null && firstVersion.action !== 'NEW',
    end: endOf(event),
    baseRank: type.hazardRank,
    upgradedRank: event.upgradedTo === null ? null : rankOfEvent(event.upgradedTo),
    areas: areasOf(states, versions, message),
    states: statesOf([...event.zones, ...sameZones(versions)]),
    zones: event.zones.map((zone) => zone.code).filter((code) => code !== CODELESS_ZONE),
    steps,
  };
}

type Measure = (state: EventState, zones: readonly ZoneState[], at: Instant) => number | null;

/** Areas are asked again and again for the same zones while only words change. */
function createMeasure(event: EventState, message: MessageLookup, places: FactDeps['places']): Measure {
  const phenomenon = parseVtecEventId(event.eventId)?.key.split('.')[1] ?? event.eventCode?.slice(0, 2) ?? '';
  const kept = new Map<string, number | null>();
  return (state, zones, at) => {
    if (MOVING.has(phenomenon)) return null;
    if (zones.length === 0) return 0;
    const key = `${zones.map((zone) => `${zone.code}${zone.messageId}`).join()}`;
    const found = kept.get(key);
    if (found !== undefined) return found;
    const shape = places.resolve(
      eventShapeInput({ ...state, zones: zones.map((zone) => ({ ...zone, over: null, until: null })) }, message, at),
    );
    const km2 = shape.quality === 'none' || shape.missing.length > 0 ? null : shape.areaKm2;
    kept.set(key, km2);
    return km2;
  };
}

function stepOf(state: EventState, at: Instant, message: MessageLookup, measure: Measure): FactStep {
  const standing = standingMessages(state, message);
  const live = state.zones.filter((zone) => !isZoneOver(zone, at));
  return {
    at,
    version: state.versions.length,
    severity: Math.max(0, ...standing.map((each) => SEVERITY_LEVELS[each.severity])),
    rank: Math.max(0, ...standing.map(hazardRank)),
    km2: measure(state, live, at),
    keptKm2: measure(
      state,
      state.zones.filter((zone) => zone.over?.how !== 'cancelled'),
      at,
    ),
    from: state.from,
    until: state.until,
    live: live.length > 0,
  };
}

/** By message or withdrawn when that happened; a plain end by the clock otherwise, null while open. */
function endOf(event: EventState): EventFact['end'] {
  const at = overAt(event);
  if (at === null) return null;
  const { state } = evaluate(event, at);
  return { how: state === 'cancelled' || state === 'upgraded' || state === 'withdrawn' ? state : 'ended', at };
}

function rankOfEvent(eventId: string): number | null {
  const [, phenomenon, significance] = parseVtecEventId(eventId)?.key.split('.') ?? [];
  return (phenomenon && significance && typeOfVtec(phenomenon, significance)?.hazardRank) || null;
}

/** County or marine area: SAME with its first digit set to 0 (trap 22); messages without SAME name their counties by UGC. */
export const areaCodeOf = (same: string): string => `0${same.slice(-5)}`;

function areaCodesOf(message: AlertMessage): string[] {
  if (message.same.length > 0) return message.same.map(areaCodeOf);
  return message.zones.flatMap(({ code }) => fipsOfCountyUgc(code) ?? []).map(areaCodeOf);
}

/** Every area with the instant it was first affected: the start of the zones its message spoke for then. */
function areasOf(states: readonly KnownState[], versions: readonly AlertMessage[], message: MessageLookup): [string, Instant][] {
  const firsts = new Map<string, Instant>();
  for (const { state } of states) {
    for (const each of standingMessages(state, message)) {
      const own = state.zones.filter((zone) => zone.messageId === each.id);
      const from = own.length === 0 ? state.from : Math.min(...own.map((zone) => zone.from));
      for (const code of areaCodesOf(each)) if (!firsts.has(code)) firsts.set(code, from);
    }
  }
  // Replaced within the poll that brought it: it never stood for the event, its areas were affected all the same.
  const begin = states[0]?.state.from ?? 0;
  for (const each of versions) for (const code of areaCodesOf(each)) if (!firsts.has(code)) firsts.set(code, begin);
  return [...firsts];
}

const sameZones = (messages: readonly AlertMessage[]) => messages.flatMap((each) => each.same.map((same) => ({ code: `SAME${same}` })));
