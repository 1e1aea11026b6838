import type { AlertMessage, EventState, Instant } from '@nwms/domain';
import { createRow, type Row } from '../board/row.ts';
import type { QueryDeps } from './select.ts';

/** Rows presented before the event loop gets a turn: about 5 ms. */
const SLICE = 100;

/** Rows of events from the archive, as they read at an instant. */
export async function rowsOfEvents(
  { places, board }: QueryDeps,
  events: readonly EventState[],
  messages: readonly AlertMessage[],
  at: Instant,
): Promise<Row[]> {
  const byId = new Map(messages.map((message) => [message.id, message]));
  const message = (id: string) => byId.get(id) ?? board.message(id);
  const rows: Row[] = [];
  for (const [index, event] of events.entries()) {
    if (index % SLICE === SLICE - 1) await new Promise<void>((turn) => setImmediate(turn));
    rows.push(createRow({ event, message, places, at, shapes: board.shapes }));
  }
  return rows;
}
