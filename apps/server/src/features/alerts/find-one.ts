import type { AlertMessage, EventState, Instant } from '@nwms/domain';
import { invariant } from '../../platform/app-error.ts';
import type { MessageLookup } from './alert-area.ts';
import { createRow, type Row } from './board/row.ts';
import type { RouteDeps } from './deps.ts';

export interface Found {
  row: Row;
  /** Message the row shows. */
  message: AlertMessage;
  messages: MessageLookup;
  /** The id named an older message: the row is that message alone. */
  isMessageRow: boolean;
  onBoard: boolean;
  at: Instant;
}

/**
 * An event id gives its newest version, a superseded message gives that message. From the board when it is there, else from the
 * archive; with `at` as known then.
 */
export async function findOne(deps: RouteDeps, id: string, at: Instant | null): Promise<Found | null> {
  const { board, archive } = deps;
  if (at === null) {
    const byEvent = board.row(id);
    if (byEvent) return foundOf(deps, byEvent.event, undefined, board.message, deps.clock.now(), true);
    const byMessage = board.rowOfMessage(id);
    if (byMessage) return messageOnBoard(deps, byMessage.event, id);
  }
  const known = at ?? undefined;
  const event = await archive.event(id, known);
  const clockAt = at ?? deps.clock.now();
  if (event) return foundOf(deps, event.event, undefined, lookup(event.messages), clockAt, false);
  const message = await archive.eventOfMessage(id, known);
  if (!message) return null;
  return foundOf(deps, message.event, message.message.id, lookup([message.message, ...message.messages]), clockAt, false);
}

/** The board keeps the words of messages that still speak for something; an older one's come from the archive. */
async function messageOnBoard(deps: RouteDeps, event: EventState, id: string): Promise<Found | null> {
  const { board, archive, clock } = deps;
  const own = ownId(event, id, board.message);
  if (board.message(own)) return foundOf(deps, event, own, board.message, clock.now(), true);
  const [message] = await archive.messages([own]);
  if (!message) return null;
  const known: MessageLookup = (wanted) => (wanted === message.id ? message : board.message(wanted));
  return foundOf(deps, event, own, known, clock.now(), true);
}

const lookup = (messages: readonly AlertMessage[]): MessageLookup => {
  const byId = new Map(messages.map((message) => [message.id, message]));
  return (id) => byId.get(id);
};

/** Our id of a message named by upstream's. */
function ownId(event: EventState, id: string, message: MessageLookup): string {
  const ids = event.versions.map((version) => version.messageId);
  return ids.find((own) => own === id) ?? ids.find((own) => message(own)?.upstreamId === id) ?? id;
}

function foundOf(
  deps: RouteDeps,
  event: EventState,
  messageId: string | undefined,
  messages: MessageLookup,
  at: Instant,
  onBoard: boolean,
): Found {
  const isMessageRow = messageId !== undefined && messageId !== event.currentId;
  const row = isMessageRow || !onBoard ? undefined : deps.board.row(event.eventId);
  const input = {
    event,
    message: messages,
    messageId: isMessageRow ? messageId : undefined,
    places: deps.places,
    at,
    shapes: deps.board.shapes,
  };
  const message = messages(isMessageRow ? messageId : event.currentId);
  invariant(message, `the message of ${event.eventId} is not at hand`);
  return { row: row ?? createRow(input), message, messages, isMessageRow, onBoard, at };
}
