/** The log, archive and boot of the reading side in memory, driven by the real state machine. Imported by tests and benchmarks only. */
import {
  type AlertMessage,
  applyMessage,
  applyPresence,
  createMemoryIndex,
  type EntryDraft,
  evaluate,
  type EventState,
  type Instant,
  orderForApply,
  overAt,
  tick,
} from '@nwms/domain';
import { createAlertEncoder } from '../src/features/alerts/index.ts';
import { messageIdsOf } from '../src/features/alerts/storage/batch.ts';
import type {
  AlertArchive,
  AlertBoot,
  AlertLog,
  ArchiveBounds,
  CommittedBatch,
  LogEntry,
  RecordBounds,
  RecordKey,
} from '../src/features/alerts/types.ts';
import { AppError } from '../src/platform/app-error.ts';
import type { Places } from '../src/features/places/types.ts';

export const EPOCH = 'abcdefgh';

/** Messages go in as a good poll would bring them; what readers see comes out. */
export function createMemoryLog(now: () => Instant, places: Places) {
  const index = createMemoryIndex();
  const messages = new Map<string, AlertMessage>();
  const entries: LogEntry[] = [];
  /** States of each event with the instant they became known. */
  const known = new Map<string, { at: Instant; event: EventState }[]>();
  const listeners = new Set<(batch: CommittedBatch) => void>();
  const encode = createAlertEncoder(places);

  const commit = (drafts: readonly EntryDraft[], events: readonly EventState[], added: readonly AlertMessage[]) => {
    const fresh = drafts.map((draft): LogEntry => {
      const { reason } = evaluate(draft.event, draft.at);
      return {
        ...draft,
        seq: entries.length + 1 + drafts.indexOf(draft),
        stateReason: reason,
        countable: draft.event.countable,
        alertJson: encode(draft.event, (id) => messages.get(id), draft.at),
      };
    });
    entries.push(...fresh);
    for (const event of events) known.set(event.eventId, [...(known.get(event.eventId) ?? []), { at: now(), event }]);
    for (const listener of listeners) listener({ entries: fresh, events: [...events], messages: [...added] });
  };

  const show = (events: EventState[]) => ({ events, messages: [...messages.values()] });
  const idsOf = ({ events }: { events: EventState[] }) => events.map(({ eventId }) => eventId);
  const asKnown = (at: Instant) => [...known.values()].flatMap((states) => states.findLast((state) => state.at <= at)?.event ?? []);
  const bounded = (events: EventState[], { limit }: ArchiveBounds) => {
    if (events.length <= limit) return show(events);
    throw new AppError('query.window_too_large', { public: `More than ${limit} alerts match.` });
  };
  /** Of the bounds only those that a question about an instant falls back to. */
  const within = (events: EventState[], at: Instant, { from, activeOnly }: ArchiveBounds) =>
    events.filter((event) => (overAt(event) ?? Infinity) > (activeOnly ? at : (from ?? -Infinity)));

  const inRecord = ({ endedBefore, countableOnly }: RecordBounds) =>
    [...index.events()].filter((event) => (overAt(event) ?? Infinity) < endedBefore && (event.countable || !countableOnly));

  const log: AlertLog = {
    catchUp: async () => {},
    epoch: () => EPOCH,
    latestSeq: () => entries.length,
    oldestSeq: () => 0,
    read: async (after, limit) => entries.slice(after, after + limit),
    onCommitted(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const archive: AlertArchive = {
    asOf: async (at, bounds) => bounded(within(asKnown(at), at, bounds), bounds),
    countAt: async (at, bounds) => within(asKnown(at), at, bounds).length,
    idsAt: async (at, bounds) => idsOf(bounded(within(asKnown(at), at, bounds), bounds)),
    find: async (bounds) => bounded([...index.events()], bounds),
    ids: async (bounds) => idsOf(bounded([...index.events()], bounds)),
    async recordKeys({ order, descending, after, limit, ...bounds }) {
      const value = (event: EventState) =>
        order === 'ended'
          ? (overAt(event) ?? Infinity)
          : order === 'updated'
            ? event.updatedAt
            : (messages.get(event.currentId)?.sent ?? 0);
      const turn = descending ? -1 : 1;
      const compare = (a: RecordKey, b: RecordKey) =>
        (a.value - b.value) * turn || (a.eventId < b.eventId ? -1 : Number(a.eventId > b.eventId));
      const keys = inRecord(bounds).map((event) => ({ value: value(event), eventId: event.eventId }));
      return keys
        .filter((key) => after === null || compare(key, after) > 0)
        .sort(compare)
        .slice(0, limit);
    },
    countRecord: async (bounds, cap) => Math.min(inRecord(bounds).length, cap ?? Infinity),
    events: async (ids, at) => show((at === undefined ? [...index.events()] : asKnown(at)).filter(({ eventId }) => ids.includes(eventId))),
    async event(eventId, at) {
      const states = known.get(eventId) ?? [];
      const event = at === undefined ? states.at(-1)?.event : states.findLast((state) => state.at <= at)?.event;
      return event ? show([event]).events.map((one) => ({ event: one, messages: [...messages.values()] }))[0]! : null;
    },
    async eventOfMessage(id) {
      const message = messages.get(id);
      const event = index.byMessage(id);
      return message && event ? { event, message, messages: [...messages.values()] } : null;
    },
    async revisions(eventId) {
      return entries
        .filter((entry) => entry.eventId === eventId)
        .map((entry) => ({ ...entry, sent: messages.get(entry.messageId)!.sent, receivedAt: entry.at, action: null }));
    },
    messages: async (ids) => ids.flatMap((id) => messages.get(id) ?? []),
    raw: async (id) => (messages.has(id) ? JSON.stringify({ raw: id }) : null),
    bulletin: async (hash) => [...messages.values()].filter((message) => message.bulletin === hash).map((message) => message.id),
  };
  const boot: AlertBoot = {
    async load() {
      const events = [...index.events()];
      // As at a real start: only messages that still speak for something.
      const speaking = new Set(events.flatMap(messageIdsOf));
      const kept = [...messages.values()].filter((message) => speaking.has(message.id));
      return { events, messages: kept, latestSeq: entries.length, epoch: EPOCH };
    },
  };
  return {
    log,
    archive,
    boot,
    entries,
    apply(added: readonly AlertMessage[], { listed = true } = {}) {
      const drafts: EntryDraft[] = [];
      const touched = new Map<string, EventState>();
      for (const message of orderForApply([...added])) {
        messages.set(message.id, message);
        index.putMessage(message);
        const applied = applyMessage(index, message, { now: now(), listed, pollStartedAt: listed ? now() : null });
        for (const event of applied.events) {
          index.put(event);
          touched.set(event.eventId, event);
        }
        drafts.push(...applied.entries);
      }
      commit(drafts, [...touched.values()], added);
    },
    poll(listed: readonly string[]) {
      const stepped = [...index.events()].map((event) => applyPresence(event, { startedAt: now(), listed: new Set(listed) }, now()));
      for (const { event } of stepped) index.put(event);
      commit(
        stepped.flatMap((step) => step.entries),
        stepped.map((step) => step.event),
        [],
      );
    },
    tick() {
      const stepped = [...index.events()].map((event) => tick(event, now()));
      for (const { event } of stepped) index.put(event);
      commit(
        stepped.flatMap((step) => step.entries),
        stepped.filter((step) => step.entries.length > 0).map((step) => step.event),
        [],
      );
    },
  };
}
