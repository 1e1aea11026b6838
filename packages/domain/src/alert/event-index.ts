import type { EventState } from './event.ts';
import type { AlertMessage } from './message.ts';

/**
 * Read side the machine needs; synchronous, answered from memory. What it does not know does not exist for the machine, so it must
 * hold every event that is not over, and events that are over for as long as a late message may still come (21 days of keys).
 */
export interface EventIndex {
  event(eventId: string): EventState | undefined;
  /** All generations known of `OFFICE.PH.S.ETN` (`vtecKey`, `parseVtecEventId`), test events included. */
  byVtecKey(key: string): EventState[];
  /** The event one of whose versions is this message: our id, or the upstream id of it. */
  byMessage(messageId: string): EventState | undefined;
  /** Events not over (or over for less than a day) whose `eventCode` is `code` and whose `office` is `office`. */
  candidates(code: string, office: string | null): EventState[];
  message(messageId: string): AlertMessage | undefined;
}

/** An index over maps, for tests, imports and working sets. `put` replaces the event of the same id. */
export interface MemoryIndex extends EventIndex {
  put(event: EventState): void;
  putMessage(message: AlertMessage): void;
  remove(eventId: string): void;
  events(): EventState[];
}
