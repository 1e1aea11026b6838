import { AppError } from '../../../platform/app-error.ts';
import type { AlertLog } from '../types.ts';

/** Where a reader stands: "I have everything up to here". */
export const cursorText = (log: AlertLog, seq: number): string => `${log.epoch()}:${seq}`;

const CURSOR = /^([a-z2-7]{8}):(\d{1,15})$/;

/** A cursor that lies ahead may come from another process, whose entries are on their way here. */
export async function awaitCursor(log: AlertLog, text: string): Promise<void> {
  const [, epoch, digits] = CURSOR.exec(text) ?? [];
  if (epoch === log.epoch() && Number(digits) > log.latestSeq()) await log.catchUp();
}

/** @throws AppError query.cursor_invalid, feed.epoch_changed, feed.cursor_expired; the last two say where to go on */
export function seqOfCursor(log: AlertLog, text: string): number {
  const match = CURSOR.exec(text);
  if (!match) throw new AppError('query.cursor_invalid', { public: 'since is not a cursor; it reads like "k3x9q2ab:1042".' });
  const [, epoch = '', digits = ''] = match;
  const seq = Number(digits);
  const members = { oldest_cursor: cursorText(log, log.oldestSeq()), latest_cursor: cursorText(log, log.latestSeq()) };
  if (epoch !== log.epoch()) {
    throw new AppError('feed.epoch_changed', {
      public: 'The log was rebuilt since. Load the list, then go on from latest_cursor.',
      members,
    });
  }
  if (seq > log.latestSeq()) throw new AppError('query.cursor_invalid', { public: 'since lies ahead of the log.', members });
  if (seq < log.oldestSeq()) {
    throw new AppError('feed.cursor_expired', {
      public: 'since is older than what is kept. Load the list, then go on from latest_cursor.',
      members,
    });
  }
  return seq;
}
