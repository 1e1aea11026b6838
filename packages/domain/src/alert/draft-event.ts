import { isCountable } from './channels.ts';
import type { EventState } from './event.ts';
import type { Target } from './identify.ts';
import type { AlertMessage, Vtec } from './message.ts';
import type { Spoken } from './speak.ts';
import type { Lookup } from './standing.ts';
import { hazardCode, typeOfVtec } from './types.ts';
import type { Instant, StateReason } from './vocabulary.ts';

export interface ApplyContext {
  /** Our clock. */
  now: Instant;
  /** True when it came from the active list; false for backfill and imports. */
  listed: boolean;
  /** Start of the poll that listed it. */
  pollStartedAt: Instant | null;
  /**
   * From the time before the first list of this record, read after that list: what it says is history. It is never news, and it makes
   * nothing active that the list does not hold.
   */
  past?: boolean;
}

/** What a message brings to an event, besides its zones. */
export interface DraftInput {
  before: EventState | undefined;
  message: AlertMessage;
  target: Target;
  /** Ids of all events of the message. */
  eventIds: string[];
  spoken: Spoken;
  lookup: Lookup;
  context: ApplyContext;
}

/** The event with the message's version added; what follows from the zones is still missing (`settle`). */
export function draftEvent({ before, message, target, eventIds, spoken, lookup, context }: DraftInput): EventState {
  const version = {
    version: (before?.versions.length ?? 0) + 1,
    messageId: message.id,
    sent: message.sent,
    receivedAt: message.receivedAt,
    action: target.v?.action ?? null,
    kind: 'revised' as const,
  };
  const name = nameOf(message, target.v, before);
  const lastListedAt = context.listed ? (context.pollStartedAt ?? context.now) : null;
  return {
    eventId: target.eventId,
    eventIds,
    identity: before?.identity ?? target.identity,
    countable: isCountable(message),
    ...name,
    office: before?.office ?? target.v?.office ?? message.office,
    zones: spoken.zones,
    versions: [...(before?.versions ?? []), version],
    currentId: before?.currentId ?? message.id,
    standingIds: before?.standingIds ?? [],
    from: before?.from ?? 0,
    until: before?.until ?? null,
    expires: before?.expires ?? null,
    endedByMessage: null,
    withdrawnAt: spoken.changed ? null : (before?.withdrawnAt ?? null),
    presence: lastListedAt === null ? (before?.presence ?? NEVER_LISTED) : { lastListedAt, absentSince: null, absentPolls: 0 },
    liveReason: spoken.changed ? liveReasonOf(before, message, target.v, spoken, lookup) : (before?.liveReason ?? 'issued'),
    upgradedTo: before?.upgradedTo ?? null,
    upgradedFrom: before?.upgradedFrom ?? null,
    told: {
      started: before?.told.started ?? false,
      ended: before?.told.ended ?? false,
      unconfirmed: context.listed ? false : (before?.told.unconfirmed ?? false),
    },
    updatedAt: context.now,
  };
}

const NEVER_LISTED = { lastListedAt: null, absentSince: null, absentPolls: 0 };

/** Several VTEC strings share one message, so each event is named by its own string. */
function nameOf(message: AlertMessage, v: Vtec | null, before: EventState | undefined): Pick<EventState, 'event' | 'eventCode'> {
  const newest = before?.versions.every((version) => version.sent <= message.sent) ?? true;
  if (before && (!newest || message.vtec.length > 1)) return { event: before.event, eventCode: before.eventCode };
  const type = v && message.vtec.length > 1 ? typeOfVtec(v.phenomenon, v.significance) : undefined;
  return type ? { event: type.event, eventCode: type.eventCode } : { event: message.event, eventCode: hazardCode(message) };
}

function liveReasonOf(before: EventState | undefined, message: AlertMessage, v: Vtec | null, spoken: Spoken, lookup: Lookup): StateReason {
  if (!before) return 'issued';
  if (v?.action === 'EXT' || v?.action === 'EXB') return 'extended';
  if (v?.action === 'EXA' || spoken.added.length + spoken.removed.length > 0) return 'area_changed';
  if (v?.action === 'CON' || v?.action === 'ROU') return 'continued';
  const previous = lookup(spoken.predecessorId ?? '');
  const end = (of: AlertMessage | undefined) => of?.ends ?? of?.expires ?? null;
  return previous && (end(message) ?? 0) > (end(previous) ?? 0) ? 'extended' : 'reissued';
}
