import { type AlertMessage, hazardRank, type Instant, type Severity, typeOf } from '@nwms/domain';
import type { FilterSubject } from '../board/row.ts';
import type { AlertFilter } from '../query/filter.ts';
import { partSubjectOf, type PartSubject } from '../storage/part-rows.ts';
import { partsInForce } from '../storage/parts-in-force.ts';
import type { EventReigns, Reign, ReignSpan } from './types.ts';

/** What a timeline must know of every revision before it shows any: when it said "in force", how severe it was, and what filters ask. */
export interface KnownParts {
  version: number;
  messageId: string;
  sent: Instant;
  severity: Severity;
  /** Parts of the time from its beginning on in which it says "in force", as if nothing had replaced it. */
  parts: readonly { from: Instant; until: Instant }[];
  subject: FilterSubject;
}

/** Members of a filter that `subject` can answer; any other needs the whole row, area and all. */
const LIGHT = new Set(['severity', 'event', 'event_code', 'family', 'office', 'min_rank', 'status', 'source']);

export const isLight = (filter: AlertFilter): boolean =>
  Object.entries(filter).every(([name, value]) => value === undefined || LIGHT.has(name));

export interface KnownPartsIndex {
  /** In the order of the spans; null for one that is gone. */
  of(spans: readonly ReignSpan[], signal: AbortSignal): Promise<(KnownParts | null)[]>;
}

/**
 * A revision never changes once it is written; only when it stopped being known does. So what is derived from its state is kept: about
 * 700 bytes each, where the state and its message weigh 8 kB and take 0.2 ms to read. Two months of a busy country fit.
 */
const MOST_KEPT = 120_000;
const PER_READ = 300;
const OPEN = 8_640_000_000_000_000;

export function createKnownPartsIndex(reigns: Pick<EventReigns, 'of'>, pause: () => Promise<void>): KnownPartsIndex {
  const kept = new Map<number, KnownParts>();
  return {
    async of(spans, signal) {
      const missing = spans.filter((span) => !kept.has(span.seq));
      const fresh = new Map<number, KnownParts>();
      for (let start = 0; start < missing.length; start += PER_READ) {
        signal.throwIfAborted();
        const { reigns: found, messages } = await reigns.of(missing.slice(start, start + PER_READ));
        const byId = new Map(messages.map((message) => [message.id, message]));
        for (const reign of found) {
          await pause();
          const own = byId.get(reign.event.currentId);
          if (!own) continue;
          const parts = knownPartsOf(reign, own);
          fresh.set(reign.seq, parts);
          // At once: an asker who gives up leaves it to the next one.
          kept.set(reign.seq, parts);
        }
      }
      const all = spans.map(({ seq }) => kept.get(seq) ?? fresh.get(seq) ?? null);
      for (const seq of kept.keys()) {
        if (kept.size <= MOST_KEPT) break;
        kept.delete(seq);
      }
      return all;
    },
  };
}

/** The same words as the presented row (`present.ts`), without its area. */
function knownPartsOf({ event, version, knownFrom }: Reign, own: AlertMessage): KnownParts {
  return {
    version,
    messageId: own.id,
    sent: own.sent,
    severity: own.severity,
    parts: partsInForce(event, knownFrom, OPEN),
    subject: subjectOf(partSubjectOf(event, own), event.countable),
  };
}

/** What a filter of LIGHT members sees of a version. */
export function subjectOf(of: PartSubject, countable: boolean): FilterSubject {
  const members = {
    event: of.event,
    event_code: of.eventCode,
    family: typeOf(of).family,
    severity: of.severity,
    hazard_rank: hazardRank({ ...of, tags: of.tags as AlertMessage['tags'] }),
    office: of.office,
    status: of.isTest ? 'Test' : of.status,
    source: of.source,
  };
  // Asked for the members of LIGHT only.
  return { alert: members as unknown as FilterSubject['alert'], countable, shape: () => null, folded: () => '' };
}
