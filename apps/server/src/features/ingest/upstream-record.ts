import type { UpstreamHealth } from '@nwms/contract';
import { formatTimestamp, type Instant } from '@nwms/domain';
import type { SteadyClock } from '../../platform/steady-clock.ts';
import type { SeenDelays } from './seen-delays.ts';
import type { IngestState } from './state.ts';
import { BEFORE_FIRST_START, type Gap, type IngestConfig, type IngestStore } from './types.ts';

/** The public record of polls, gaps and delays. Answers from memory; refreshed from the store in the background. */
export interface UpstreamRecord {
  refresh(): Promise<void>;
  read(): UpstreamHealth;
}

const DAY_MS = 86_400_000;
const GAPS_MS = 30 * DAY_MS;

export function createUpstreamRecord(deps: {
  config: IngestConfig;
  clock: SteadyClock;
  store: IngestStore;
  state: Pick<IngestState, 'facts'>;
  seenDelays: Pick<SeenDelays, 'summary'>;
}): UpstreamRecord {
  const { clock, store } = deps;
  let polls = { ok: 0, unchanged: 0, failed: 0 };
  let gaps: Gap[] = [];
  let pastWeek: UpstreamHealth['past_week'] = null;
  let quarantined = 0;
  return {
    async refresh() {
      const now = clock.now();
      const since = now - GAPS_MS;
      const counted = await store.pollCounts(now - DAY_MS);
      quarantined = await store.quarantinedSince(now - DAY_MS);
      const rows = await store.gaps(since);
      gaps = rows.filter((gap) => gap.cause !== BEFORE_FIRST_START && (gap.to === null || gap.to >= since));
      pastWeek = pastWeekOf(rows, await store.firstGoodPollAt());
      polls = counted;
    },
    read: () => {
      const at = (instant: Instant | null) => (instant === null ? null : formatTimestamp(instant));
      return {
        feed: deps.config.feed,
        polls_24h: polls,
        last_change_at: at(deps.state.facts().lastChangeAt),
        gaps: gaps.map(({ from, to, cause, backfilled }) => ({ from: formatTimestamp(from), to: at(to), cause, backfilled })),
        past_week: pastWeek,
        seen_delay_seconds: deps.seenDelays.summary(clock.now()),
        quarantined_24h: quarantined,
      };
    },
  };
}

/** How far the reading of the week before the first list has come. */
function pastWeekOf(rows: readonly Gap[], firstPollAt: Instant | null): UpstreamHealth['past_week'] {
  const mark = rows.findLast((gap) => gap.cause === BEFORE_FIRST_START);
  if (!mark || mark.to === null) return null;
  const until = mark.backfilled ? mark.to : (firstPollAt ?? mark.to);
  const share = until > mark.from ? (mark.to - mark.from) / (until - mark.from) : 1;
  return {
    from: formatTimestamp(mark.from),
    reached: formatTimestamp(mark.to),
    until: formatTimestamp(until),
    share: Math.round(share * 100) / 100,
    done: mark.backfilled,
  };
}
