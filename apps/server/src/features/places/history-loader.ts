import type { Log } from '../../platform/log.ts';
import type { ShapeInput, ZoneStore } from './types.ts';
import { familyOf, ugcOf, type ZoneBook, type ZoneVersion } from './zone-book.ts';

/** Older versions of zones are read when a question reaches back before the newest one (trap 20), once per zone. */
export interface HistoryLoader {
  /** In the background. */
  want(input: ShapeInput): void;
  /** Resolves when everything the input needs is in memory; rejects when the store cannot be read. */
  load(input: ShapeInput): Promise<void>;
}

export function createHistoryLoader(deps: {
  book: ZoneBook;
  store: Pick<ZoneStore, 'history'>;
  log: Log;
  onLoaded: (code: string) => void;
}): HistoryLoader {
  const loads = new Map<string, Promise<void>>();

  async function loadOne(newest: ZoneVersion): Promise<void> {
    const { code, family } = newest;
    const older = (await deps.store.history(code, family)).filter((zone) => zone.effectiveFrom < newest.effectiveFrom);
    for (const { geometry: _, ...zone } of older) deps.book.add(zone);
    if (older.length > 0) deps.onLoaded(code);
  }

  function neededBy(input: ShapeInput): Promise<void>[] {
    const needed: Promise<void>[] = [];
    for (const zone of input.zones) {
      const code = ugcOf(zone);
      const newest = code === null ? null : deps.book.newest(code, familyOf(code, zone.type));
      if (!newest || newest.effectiveFrom <= input.at) continue;
      const key = `${newest.family}/${newest.code}/${newest.effectiveFrom}`;
      let load = loads.get(key);
      if (!load) {
        load = loadOne(newest);
        loads.set(key, load);
        // A failed read is tried again at the next question.
        load.catch((error: unknown) => {
          loads.delete(key);
          deps.log.warn({ code: newest.code, family: newest.family, error }, 'older zone shapes could not be read');
        });
      }
      needed.push(load);
    }
    return needed;
  }

  return {
    want: (input) => void neededBy(input),
    load: async (input) => void (await Promise.all(neededBy(input))),
  };
}
