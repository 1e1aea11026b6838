import type { AlertMessage, EventState, Instant } from '@nwms/domain';
import type { MessageLookup } from '../alert-area.ts';
import { createRow, type Row } from '../board/row.ts';
import type { AlertFilter } from './filter.ts';
import type { QueryDeps } from './select.ts';

/** Superseded messages one answer may read; of more, those of the events that changed last. */
const MESSAGE_LIMIT = 10_000;
/** Rows presented before the event loop gets a turn: about 5 ms. */
const SLICE = 100;

/** Ids of an event's messages, each once. */
export const messageIdsOf = (event: EventState): string[] => [...new Set(event.versions.map((version) => version.messageId))];

export interface MessageRows {
  rows: Row[];
  /** False when some had to be left out. */
  complete: boolean;
}

/**
 * Rows of messages whose words the board does not keep: they speak for no zone any more, so each is superseded. Nothing is read where
 * the filter asks for none of them.
 */
export async function supersededRows(deps: QueryDeps, filter: AlertFilter): Promise<MessageRows> {
  if (filter.active_only || (filter.lifecycle && !filter.lifecycle.includes('superseded'))) return { rows: [], complete: true };
  const elsewhere = [...deps.board.messagesElsewhere()].sort((a, b) => b.event.updatedAt - a.event.updatedAt);
  const asked = elsewhere.slice(0, MESSAGE_LIMIT);
  const message = await lookupWith(
    deps,
    asked.map(({ messageId }) => messageId),
    [],
  );
  const found = asked.filter(({ messageId }) => message(messageId) !== undefined);
  const rows = await createRows(deps, found, message, deps.clock.now());
  return { rows, complete: rows.length === elsewhere.length };
}

/** Rows of every message of events from the archive, or of those that are wanted. */
export async function messageRowsOf(
  deps: QueryDeps,
  events: readonly EventState[],
  messages: readonly AlertMessage[],
  at: Instant,
  isWanted: (messageId: string) => boolean = () => true,
): Promise<Row[]> {
  const wanted = events.flatMap((event) =>
    messageIdsOf(event)
      .filter(isWanted)
      .map((messageId) => ({ event, messageId })),
  );
  const message = await lookupWith(
    deps,
    wanted.map(({ messageId }) => messageId),
    messages,
  );
  const found = wanted.filter(({ messageId }) => message(messageId) !== undefined);
  return createRows(deps, found, message, at);
}

/** Messages at hand, the board's, and what both lack of `ids` from the archive. */
async function lookupWith({ archive, board }: QueryDeps, ids: readonly string[], atHand: readonly AlertMessage[]): Promise<MessageLookup> {
  const known = new Map(atHand.map((message) => [message.id, message]));
  const lookup = (id: string) => known.get(id) ?? board.message(id);
  const missing = ids.filter((id) => lookup(id) === undefined);
  if (missing.length > 0) for (const message of await archive.messages(missing)) known.set(message.id, message);
  return lookup;
}

async function createRows(
  { places, board }: QueryDeps,
  wanted: readonly { event: EventState; messageId: string }[],
  message: MessageLookup,
  at: Instant,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [index, { event, messageId }] of wanted.entries()) {
    if (index % SLICE === SLICE - 1) await new Promise<void>((turn) => setImmediate(turn));
    rows.push(createRow({ event, message, messageId, places, at, shapes: board.shapes }));
  }
  return rows;
}
