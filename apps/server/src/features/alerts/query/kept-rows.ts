import type { Instant } from '@nwms/domain';
import type { Row } from '../board/row.ts';
import { rowsOfEvents } from './event-rows.ts';
import { messageRowsOf } from './message-rows.ts';
import { PIECE } from './read-events.ts';
import type { QueryDeps, Question } from './select.ts';

/** A matching row that is not kept, for there are many: what its answer needs of all of them, and its name, by which it is read again. */
export interface Light<T> {
  facts: T;
  eventId: string;
  messageId: string;
}

/** A row of a selection. */
export type Kept<T> = Row | Light<T>;

export const isLight = <T>(kept: Kept<T>): kept is Light<T> => 'facts' in kept;
export const isWhole = <T>(kept: Kept<T>): kept is Row => !isLight(kept);

/** What an answer needs of every row, kept or not. */
export const factsOf =
  <T>(of: (row: Row) => T) =>
  (kept: Kept<T>): T =>
    isLight(kept) ? kept.facts : of(kept);

export const lightOf = <T>(row: Row, of: (row: Row) => T): Light<T> => ({
  facts: of(row),
  eventId: row.alert.event_id,
  messageId: row.alert.id,
});

/**
 * The rows themselves, in this order: those that were not kept are read again, a piece at a time. An event that changed since reads as it is
 * now, one that the record no longer holds is left out.
 */
export async function* rowsOf<T>(
  deps: QueryDeps,
  question: Question,
  readAt: Instant,
  kept: readonly Kept<T>[],
): AsyncGenerator<readonly Row[]> {
  for (let start = 0; start < kept.length; start += PIECE) {
    const piece = kept.slice(start, start + PIECE);
    const light = piece.filter((one) => isLight(one));
    const read = light.length > 0 ? await readAgain(deps, question, readAt, light) : null;
    yield piece.flatMap((one) => (isLight(one) ? (read?.get(nameOf(question, one.eventId, one.messageId)) ?? []) : one));
  }
}

async function readAgain<T>(deps: QueryDeps, question: Question, readAt: Instant, light: readonly Light<T>[]): Promise<Map<string, Row>> {
  const ids = [...new Set(light.map(({ eventId }) => eventId))];
  const { events, messages } = await deps.archive.events(ids, question.time.at ?? undefined);
  const wanted = new Set(light.map(({ messageId }) => messageId));
  const rows =
    question.view === 'messages'
      ? await messageRowsOf(deps, events, messages, readAt, (messageId) => wanted.has(messageId))
      : await rowsOfEvents(deps, events, messages, readAt);
  return new Map(rows.map((row) => [nameOf(question, row.alert.event_id, row.alert.id), row]));
}

/** An event that changed since has another message, and is still the row that was asked for. */
const nameOf = ({ view }: Question, eventId: string, messageId: string): string =>
  view === 'messages' ? `${eventId} ${messageId}` : eventId;
