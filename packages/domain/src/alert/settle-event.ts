import type { EntryDraft } from './entry.ts';
import { evaluate, spanOf } from './evaluate.ts';
import type { EventState, ZoneState } from './event.ts';
import { expiresOf, type Lookup, newestOf, standingOf } from './standing.ts';
import { expireZones, neverListedEnd } from './tick.ts';
import type { Instant } from './vocabulary.ts';

/** Everything that follows from the zones: what stands, current message, times, ends. */
export function settle(draft: EventState, now: Instant, lookup: Lookup): EventState {
  const zones = expireZones(draft.zones, now);
  const standing = standingOf(zones, lookup);
  const open = zones.filter((zone) => !zone.over);
  const currentId = standing[0] ?? newestOf({ ...draft, zones }) ?? draft.currentId;
  const standingIds = standing.length > 0 ? standing : [currentId];
  const span = spanOf(open.length > 0 ? open : zones);
  const event = { ...draft, zones, currentId, standingIds, ...span, expires: expiresOf(standingIds, lookup) ?? draft.expires };
  return withNeverListedEnd({ ...event, endedByMessage: endOf(zones) }, now);
}

/** An open-ended message no poll ever listed and whose text lapsed long ago is history, not an alert. */
function withNeverListedEnd(event: EventState, now: Instant): EventState {
  const at = neverListedEnd(event);
  return at !== null && at <= now ? { ...event, withdrawnAt: at } : event;
}

/**
 * History that makes an event active which was not: no list held it, so it went without a word. When its text lapsed is the latest
 * anybody vouched for it; without that, now.
 */
export function endPast(before: EventState | undefined, after: EventState, now: Instant): EventState {
  if (!evaluate(after, now).isActive || (before && evaluate(before, now).isActive)) return after;
  return { ...after, withdrawnAt: Math.min(now, after.expires ?? now) };
}

/** How messages ended it, once every zone is over and the last end was a message's. */
function endOf(zones: readonly ZoneState[]): EventState['endedByMessage'] {
  let last: ZoneState['over'] = null;
  let upgraded = false;
  for (const { over } of zones) {
    if (!over) return null;
    upgraded ||= over.how === 'upgraded';
    if (!last || over.at > last.at || (over.at === last.at && last.how === 'expired')) last = over;
  }
  if (!last || last.how === 'expired') return null;
  return { how: upgraded ? 'upgraded' : 'cancelled', at: last.at };
}

/** Records the kind, and which transitions it told. */
export function finish(draft: EventState, kind: EntryDraft['kind'], now: Instant): EventState {
  const evaluation = evaluate(draft, now);
  const versions = draft.versions.map((version, at) => (at === draft.versions.length - 1 ? { ...version, kind } : version));
  const told = {
    started: evaluation.state !== 'upcoming',
    ended: !evaluation.isActive,
    unconfirmed: evaluation.isActive && draft.told.unconfirmed,
  };
  return { ...draft, versions, told };
}
