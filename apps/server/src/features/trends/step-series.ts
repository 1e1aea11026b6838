import type { ReplyOf, trends } from '@nwms/contract';
import { COVERED_SHARE, coveredMs, DAY_MS, dayOf, type EventFact, type Instant, type Span, stepSigns } from '@nwms/domain';

export type BucketSize = 'hour' | 'day' | 'week';
type Row = ReplyOf<typeof trends.severityTrends>['series'][number];

const SIZE_MS: Record<BucketSize, number> = { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS };

/**
 * Steps per bucket of UTC: the last `daysBack` days up to and including today, so exactly that many rows for days, whatever local clocks do
 * (I8). Weeks are cut from the newest day backwards.
 */
export function createStepSeries(now: Instant, daysBack: number, size: BucketSize, spans: readonly Span[]) {
  const ms = SIZE_MS[size];
  const end = (dayOf(now) + 1) * DAY_MS;
  const count = Math.ceil((daysBack * DAY_MS) / ms);
  const start = end - count * ms;
  const rows = Array.from({ length: count }, () => ({ issued: 0, escalations: 0, deEscalations: 0 }));
  const bucketAt = (at: Instant) => (at >= start && at <= now ? rows[Math.floor((at - start) / ms)] : undefined);
  return {
    add(fact: EventFact): void {
      const issued = bucketAt(fact.firstSeen);
      if (issued) issued.issued += 1;
      const ends =
        fact.end?.how === 'upgraded' && fact.upgradedRank !== null ? [{ at: fact.end.at, sign: fact.upgradedRank - fact.baseRank }] : [];
      for (const { at, sign } of [...stepSigns(fact), ...ends]) {
        const bucket = bucketAt(at);
        if (bucket && sign > 0) bucket.escalations += 1;
        if (bucket && sign < 0) bucket.deEscalations += 1;
      }
    },
    rows(): Row[] {
      return rows.map(({ issued, escalations, deEscalations }, index) => {
        const at = start + index * ms;
        const till = Math.min(at + ms, now);
        const known = till <= at || coveredMs(spans, at, till) >= COVERED_SHARE * (till - at);
        const value = (n: number) => (known ? n : null);
        return {
          at: new Date(at).toISOString(),
          issued: value(issued),
          escalations: value(escalations),
          de_escalations: value(deEscalations),
        };
      });
    },
  };
}
