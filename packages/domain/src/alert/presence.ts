import type { Diff, EntryDraft } from './entry.ts';
import { evaluate } from './evaluate.ts';
import type { EventState } from './event.ts';
import { draftEntry, stateDiff, type Stepped, WITHDRAW_AFTER_MS } from './tick.ts';
import type { Instant } from './vocabulary.ts';

/** One missing poll is flicker (stale CDN nodes); two fresh ones in a row are told (trap 13). */
export const UNCONFIRMED_AFTER_POLLS = 2;

export interface AcceptedPoll {
  startedAt: Instant;
  /** Our ids of every message in the accepted list. */
  listed: ReadonlySet<string>;
}

/**
 * What one accepted full poll says about an event. Absence ends nothing that has a known end (A4): it becomes unconfirmed after two
 * polls and runs to its end; only an open-ended event whose text lapsed is withdrawn after 12 hours of absence, and the list takes that
 * back. A listed event changes in `presence.lastListedAt` alone, which need not be stored at once.
 */
export function applyPresence(event: EventState, poll: AcceptedPoll, now: Instant): Stepped {
  if (event.withdrawnAt !== null && event.told.ended) return cameBack(event, poll, now);
  if (event.told.ended || !evaluate(event, now).isActive) return { event, entries: [] };
  if (poll.startedAt <= (event.presence.lastListedAt ?? -Infinity)) return { event, entries: [] };
  // A list asked for before we first saw the event cannot have been expected to hold it.
  if (event.presence.lastListedAt === null && poll.startedAt <= newestReceipt(event)) return { event, entries: [] };
  return isListed(event, poll.listed) ? present(event, poll, now) : absent(event, poll, now);
}

/** A shape that came late, or from newer zones: told once, without a new version. */
export function locate(event: EventState, geometry: NonNullable<Diff['geometry']>, now: Instant): Stepped {
  const located = { ...event, updatedAt: now };
  return { event: located, entries: [draftEntry(located, 'located', now, { geometry })] };
}

function isListed(event: EventState, listed: ReadonlySet<string>): boolean {
  // A stale node may still list an older version: the event is there all the same.
  return event.standingIds.some((id) => listed.has(id)) || event.versions.some((version) => listed.has(version.messageId));
}

function newestReceipt(event: EventState): Instant {
  return Math.max(...event.versions.map((version) => version.receivedAt));
}

function present(event: EventState, poll: AcceptedPoll, now: Instant): Stepped {
  const presence = { lastListedAt: poll.startedAt, absentSince: null, absentPolls: 0 };
  if (!event.told.unconfirmed) {
    const { lastListedAt, absentSince, absentPolls } = event.presence;
    const stepped: Stepped = { event: { ...event, presence }, entries: [] };
    return lastListedAt !== null && absentSince === null && absentPolls === 0 ? { ...stepped, isListing: true } : stepped;
  }
  const told = { ...event.told, unconfirmed: false };
  const next = { ...event, presence, told, updatedAt: now };
  return withEntry(event, next, 'reconfirmed', now);
}

/** Withdrawn is what we concluded from absence: a list that holds what stood is the better witness. */
function cameBack(event: EventState, poll: AcceptedPoll, now: Instant): Stepped {
  const back = { ...event, withdrawnAt: null, presence: { lastListedAt: poll.startedAt, absentSince: null, absentPolls: 0 } };
  if (!event.standingIds.some((id) => poll.listed.has(id)) || !evaluate(back, now).isActive) return { event, entries: [] };
  const told = { started: evaluate(back, now).state !== 'upcoming', ended: false, unconfirmed: false };
  return withEntry(event, { ...back, told, updatedAt: now }, 'reconfirmed', now);
}

function absent(event: EventState, poll: AcceptedPoll, now: Instant): Stepped {
  const absentSince = event.presence.absentSince ?? poll.startedAt;
  const absentPolls = Math.min(event.presence.absentPolls + 1, UNCONFIRMED_AFTER_POLLS);
  const live = event.zones.filter((zone) => !zone.over);
  const openEnded = live.every((zone) => zone.until === null);
  const lapsed = event.expires !== null && event.expires <= now;
  if (openEnded && lapsed && poll.startedAt - absentSince >= WITHDRAW_AFTER_MS) return withdraw(event, now);
  if (event.told.unconfirmed) return { event, entries: [] };
  const presence = { ...event.presence, absentSince, absentPolls };
  if (absentPolls < UNCONFIRMED_AFTER_POLLS) return { event: { ...event, presence }, entries: [] };
  return withEntry(event, { ...event, presence, told: { ...event.told, unconfirmed: true }, updatedAt: now }, 'unconfirmed', now);
}

function withdraw(event: EventState, now: Instant): Stepped {
  const told = { started: true, ended: true, unconfirmed: false };
  return withEntry(event, { ...event, withdrawnAt: now, told, updatedAt: now }, 'withdrawn', now);
}

function withEntry(before: EventState, event: EventState, kind: EntryDraft['kind'], now: Instant): Stepped {
  return { event, entries: [draftEntry(event, kind, now, stateDiff(before, evaluate(event, now).state))] };
}
