import type { LiveAlert } from '@nwms/contract';
import type { Channel, Kind } from '@nwms/domain';
import type { Places } from '../../places/types.ts';
import type { Board } from '../board/board.ts';
import { createRow } from '../board/row.ts';
import { type AlertFilter, compileFilter } from '../query/filter.ts';
import { subjectOf } from '../query/log-subject.ts';
import type { AlertArchive, LogEntry } from '../types.ts';

export interface EntryFilter {
  passes(entry: LogEntry): Promise<boolean>;
}

export interface EntryFilterDeps {
  places: Places;
  board: Board;
  archive: AlertArchive;
}

/** Versions before that one request may look up; beyond it an entry passes: one too many is harmless, a missed ending is not. */
const MAX_LOOKUPS = 200;

/** An entry passes when the version before or after it matches, so that leaving a filter is told, too. Give entries in ascending order. */
export function createEntryFilter(
  deps: EntryFilterDeps,
  filter: AlertFilter,
  kinds?: readonly Kind[],
  channels?: readonly Channel[],
): EntryFilter {
  const compiled = compileFilter(filter, deps.places);
  const hasFilter = Object.values(filter).some((value) => value !== undefined);
  /** Did the last seen version of the event match? */
  const seen = new Map<string, boolean>();
  let lookups = 0;
  const matchedBefore = async (entry: LogEntry): Promise<boolean> => {
    const known = seen.get(entry.eventId);
    if (known !== undefined) return known;
    if (entry.diff === null || Object.keys(entry.diff).length === 0) return false;
    lookups += 1;
    if (lookups > MAX_LOOKUPS) return true;
    const before = await deps.archive.event(entry.eventId, entry.at - 1);
    if (!before) return false;
    const messages = new Map(before.messages.map((message) => [message.id, message]));
    return compiled.matches(
      createRow({
        event: before.event,
        message: (id) => messages.get(id),
        places: deps.places,
        at: entry.at - 1,
        shapes: deps.board.shapes,
      }),
    );
  };
  return {
    async passes(entry) {
      if (!entry.countable) return false;
      if (hasFilter) {
        const after = compiled.matches(subjectOf(JSON.parse(entry.alertJson) as LiveAlert, deps.board));
        const before = after || (await matchedBefore(entry));
        seen.set(entry.eventId, after);
        if (!before) return false;
      }
      return (!kinds || kinds.includes(entry.kind)) && (!channels || entry.channels.some((channel) => channels.includes(channel)));
    },
  };
}
