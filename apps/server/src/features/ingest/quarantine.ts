import type { Instant } from '@nwms/domain';
import type { Log } from '../../platform/log.ts';
import type { UnreadableFeature } from './parse.ts';
import type { IngestStore } from './types.ts';

/** Unreadable features: kept, counted, told once (A6). */
export interface Quarantine {
  keep(features: readonly UnreadableFeature[], at: Instant): Promise<void>;
  counts(): { reason: string; count: number }[];
}

const RAW_CHARS = 65_536;
/** Features remembered as told; the same broken feature comes with every poll. */
const REMEMBERED = 5_000;
/** Rows written per round at most: a broken deployment upstream must not fill the disk. */
const ROWS_PER_ROUND = 50;

export function createQuarantine(deps: { store: Pick<IngestStore, 'quarantine'>; log: Log }): Quarantine {
  const told = new Set<string>();
  const counts = new Map<string, number>();
  return {
    async keep(features, at) {
      const fresh = features.filter(({ digest }) => !told.has(digest));
      for (const { digest, upstreamId, reason, detail, raw } of fresh.slice(0, ROWS_PER_ROUND)) {
        await deps.store.quarantine({ at, upstreamId, contentHash: digest, reason, detail, raw: raw.slice(0, RAW_CHARS) });
        if (told.size >= REMEMBERED) told.clear();
        told.add(digest);
        counts.set(reason, (counts.get(reason) ?? 0) + 1);
        deps.log.warn({ upstreamId, reason, detail }, 'An upstream feature could not be read');
      }
      if (fresh.length > ROWS_PER_ROUND) deps.log.error({ unreadable: fresh.length }, 'Many upstream features could not be read');
    },
    counts: () => [...counts].map(([reason, count]) => ({ reason, count })),
  };
}
