import type { ReplyOf, trends } from '@nwms/contract';
import { type Change, type ChangeClass, classify, DAY_MS, type EventFact, type Instant, newcombe, wilson } from '@nwms/domain';
import { adviceOf, percent, recommend } from './advice.ts';
import { bounds, coverageOf, type Covered, createLacking, type Lacking, round2, spansFor } from './covered.ts';
import type { TrendsDeps } from './deps.ts';
import type { DerivedQuestion } from './question.ts';
import { type BucketSize, createStepSeries } from './step-series.ts';
import { topChanges } from './change-examples.ts';

type Reply = Omit<ReplyOf<typeof trends.severityTrends>, 'freshness'>;
/** A share of fewer events says nothing. */
export const LEAST_EVENTS = 20;

export interface SeverityQuestion extends DerivedQuestion {
  daysBack: number;
  bucket: BucketSize;
}

export interface Classed {
  fact: EventFact;
  change: Change;
}

/** How the events of a window changed, beside the window of the same length before it. */
export async function severityTrends(deps: TrendsDeps, question: SeverityQuestion): Promise<Reply> {
  const { now, filter, daysBack } = question;
  const from = now - daysBack * DAY_MS;
  const since = await deps.record.facts.since();
  const covered = await coverageOf(spansFor(deps, filter), from, now, since);
  const before = await coverageOf(spansFor(deps, filter), from - daysBack * DAY_MS, from, since);
  const lacking = createLacking();
  const series = createStepSeries(now, daysBack, question.bucket, covered.spans);
  const current: Classed[] = [];
  const previous = emptyTally();
  for await (const page of deps.record.facts.meeting(from - daysBack * DAY_MS, now, filter)) {
    for (const fact of page) {
      const change = changeIn(fact, from, now);
      if (change) current.push({ fact, change });
      const earlier = changeIn(fact, from - daysBack * DAY_MS, from);
      if (earlier) previous[earlier.class] += 1;
      series.add(fact);
    }
  }
  const tally = emptyTally();
  for (const { change } of current) tally[change.class] += 1;
  const counted = present('trends', tally, covered, lacking);
  return {
    period: { from: iso(from), to: iso(now), days_back: daysBack },
    source: question.source,
    trends: { ...counted, shares: sharesOf(counted.total_events === null ? null : tally, lacking), ...aside(current) },
    previous: {
      ...present('previous', previous, before, lacking),
      escalating_share_change: shareChange(covered.days.size > 0 ? tally : null, before.days.size > 0 ? previous : null, lacking),
    },
    by_event: byEvent(current),
    series: series.rows(),
    examples: topChanges(current),
    // Counts that are not known cannot recommend anything.
    ...adviceOf(covered.days.size === 0 ? [] : rules(current, tally, daysBack)),
    coverage: covered.wire,
    insufficient: lacking.list,
    warnings: question.warnings,
  };
}

const iso = (at: Instant) => new Date(at).toISOString();
type Tally = Record<ChangeClass, number>;
const emptyTally = (): Tally => ({ escalating: 0, stable: 0, de_escalating: 0 });
const totalOf = (tally: Tally) => tally.escalating + tally.stable + tally.de_escalating;

/** Null when the event was not known and alive at any instant of the window. */
function changeIn(fact: EventFact, from: Instant, to: Instant): Change | null {
  return fact.firstSeen < to && (fact.overAt ?? Infinity) > from ? classify(fact, from, to) : null;
}

function present(path: string, tally: Tally, covered: Covered, lacking: Lacking) {
  if (covered.days.size === 0) {
    lacking.add(path, 'no_coverage', '1 covered day', '0 covered days');
    return { escalating_events: null, stable_events: null, de_escalating_events: null, total_events: null };
  }
  return {
    escalating_events: tally.escalating,
    stable_events: tally.stable,
    de_escalating_events: tally.de_escalating,
    total_events: totalOf(tally),
  };
}

function sharesOf(tally: Tally | null, lacking: Lacking): Reply['trends']['shares'] {
  const total = tally ? totalOf(tally) : 0;
  if (!tally || total < LEAST_EVENTS) {
    if (tally) lacking.add('trends.shares', 'sample_too_small', `${LEAST_EVENTS} events`, `${total} events`);
    return { escalating: null, stable: null, de_escalating: null };
  }
  const share = (hits: number) => ({ share: round2(hits / total), interval: bounds(wilson(hits, total), 'wilson') });
  return { escalating: share(tally.escalating), stable: share(tally.stable), de_escalating: share(tally.de_escalating) };
}

function shareChange(now: Tally | null, before: Tally | null, lacking: Lacking): Reply['previous']['escalating_share_change'] {
  const [n, m] = [now ? totalOf(now) : 0, before ? totalOf(before) : 0];
  if (!now || !before || n < LEAST_EVENTS || m < LEAST_EVENTS) {
    return lacking.add(
      'previous.escalating_share_change',
      'sample_too_small',
      `${LEAST_EVENTS} events in both windows`,
      `${n} and ${m} events`,
    );
  }
  const { difference, ...interval } = newcombe({ hits: now.escalating, n }, { hits: before.escalating, n: m });
  const direction = interval.low > 0 ? 'rising' : interval.high < 0 ? 'falling' : 'steady';
  return { difference: round2(difference), interval: bounds(interval, 'newcombe'), direction };
}

function aside(current: readonly Classed[]) {
  const by_reason: Record<string, number> = {};
  for (const { change } of current) if (change.reason) by_reason[change.reason] = (by_reason[change.reason] ?? 0) + 1;
  const count = (test: (each: Classed) => boolean) => current.filter(test).length;
  return {
    by_reason,
    single_version: count(({ fact }) => fact.versions === 1),
    swung: count(({ change }) => change.swung),
    extended: count(({ change }) => change.extended),
    shortened: count(({ change }) => change.shortened),
    late_start: count(({ fact }) => fact.lateStart),
  };
}

function byEvent(current: readonly Classed[]): Reply['by_event'] {
  const rows = new Map<string, Reply['by_event'][number]>();
  for (const { fact, change } of current) {
    const row = rows.get(fact.event) ?? { event: fact.event, escalating: 0, stable: 0, de_escalating: 0, total: 0 };
    row[change.class] += 1;
    row.total += 1;
    rows.set(fact.event, row);
  }
  return [...rows.values()].toSorted((a, b) => b.total - a.total || (a.event < b.event ? -1 : 1)).slice(0, 50);
}

function rules(current: readonly Classed[], tally: Tally, days: number) {
  const n = totalOf(tally);
  if (n < LEAST_EVENTS) return [];
  const share = (count: number) => count / n;
  const early = share(current.filter(({ change }) => change.reason === 'early_end').length);
  const extended = share(current.filter(({ change }) => change.extended).length);
  const [worst] = byEvent(current).toSorted((a, b) => b.escalating - a.escalating);
  const worstShare = tally.escalating === 0 ? 0 : (worst?.escalating ?? 0) / tally.escalating;
  const evidence = (metric: string, value: number, threshold: number) => ({
    metric,
    value: round2(value),
    threshold,
    n,
    window_days: days,
  });
  return [
    share(tally.escalating) >= 0.3
      ? recommend({
          id: 'listen_escalated',
          priority: 'high',
          title: 'Alerts often get worse after they are issued',
          description: `${percent(share(tally.escalating))} of ${n} events escalated: listen for "escalated", not only for "issued".`,
          impact: 'Who reads only the first message misses the worst one.',
          evidence: evidence('escalating_share', share(tally.escalating), 0.3),
        })
      : null,
    early >= 0.25
      ? recommend({
          id: 'act_on_cancelled',
          priority: 'medium',
          title: 'Alerts are often cancelled early',
          description: `${percent(early)} of ${n} events were cancelled well before their planned end: act on "cancelled".`,
          impact: 'Measures can end earlier.',
          evidence: evidence('early_end_share', early, 0.25),
        })
      : null,
    extended >= 0.4
      ? recommend({
          id: 'ends_move',
          priority: 'medium',
          title: 'Ends are often moved back',
          description: `${percent(extended)} of ${n} events were extended: do not schedule by the first in_force_until.`,
          impact: 'Plans made from the first message end too early.',
          evidence: evidence('extended_share', extended, 0.4),
        })
      : null,
    worst && worstShare >= 0.5
      ? recommend({
          id: 'one_event_escalates',
          priority: 'low',
          title: `${worst.event} makes most of the escalations`,
          description: `${percent(worstShare)} of the escalations are of one kind: ${worst.event}.`,
          impact: 'Watching this kind alone catches most of them.',
          evidence: evidence('escalations_of_one_event', worstShare, 0.5),
        })
      : null,
  ];
}
