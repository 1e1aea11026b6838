import { overAt, type AlertMessage, type EventState, type Instant } from '@nwms/domain';
import { messageIdsOf, messagesOf } from './batch.ts';
import type { CommittedLog } from './log.ts';
import type { Identity, MessagesStore, StoredEvent } from './messages-store.ts';
import { META, type AlertStore, type PresenceMark } from './store.ts';
import type { AlertBoot } from '../types.ts';
import type { WorkingSet } from './working-set.ts';
import { HELD_AFTER_OVER_MS } from './writer.ts';

export interface RecentAlerts {
  events: StoredEvent[];
  messages: AlertMessage[];
  identities: Identity[];
}

/**
 * What a process holds in memory: events not over and those over for at most a week. Read through the index on `over_at`, so that
 * the start does not grow with the archive (P11).
 */
export async function loadRecent(store: MessagesStore, alerts: AlertStore, now: Instant): Promise<RecentAlerts> {
  const { events, identities } = await store.recent(now - HELD_AFTER_OVER_MS);
  const messages = await store.messages(events.flatMap(({ event }) => messageIdsOf(event)));
  const mark = await alerts.meta(META.presence);
  const presence = mark === null ? null : (JSON.parse(mark) as PresenceMark);
  return { events: events.map((stored) => ({ ...stored, event: withListing(stored.event, presence) })), messages, identities };
}

/** A listing that changed nothing else was not written with the event: it is the last poll used for presence while it was not over. */
function withListing(event: EventState, presence: PresenceMark | null): EventState {
  const { lastListedAt, absentSince } = event.presence;
  if (!presence || lastListedAt === null || absentSince !== null || lastListedAt >= presence.startedAt) return event;
  if ((overAt(event) ?? Infinity) <= presence.now) return event;
  return { ...event, presence: { ...event.presence, lastListedAt: presence.startedAt } };
}

/** Makes the working set what the store says. Everything is read before anything is replaced. */
export function fillWorkingSet(set: WorkingSet, recent: RecentAlerts, now: Instant): void {
  set.clear();
  for (const stored of recent.events) set.load(stored, now);
  for (const message of recent.messages) set.loadMessage(message);
  for (const identity of recent.identities) set.loadIdentity(identity);
}

/** The writer's process starts its board from the memory it has; `read` is for processes that do not lead, where `set` answers null. */
export function createAlertBoot(log: CommittedLog, from: { set: () => WorkingSet | null; read: () => Promise<RecentAlerts> }): AlertBoot {
  return {
    async load() {
      // The number first: what is committed in between is announced again, and applying it twice changes nothing.
      const head = { latestSeq: log.latestSeq(), epoch: log.epoch() };
      const set = from.set();
      if (set) {
        const events = [...set.all()].map((held) => held.event);
        return { events, messages: messagesOf(events, (id) => set.message(id)), ...head };
      }
      const recent = await from.read();
      return { events: recent.events.map(({ event }) => event), messages: recent.messages, ...head };
    },
  };
}
