import type { ReplyOf, trends } from '@nwms/contract';
import {
  COVERED_SHARE,
  coveredMs,
  DAY_MS,
  directionOf,
  type EventFact,
  type Instant,
  mannKendall,
  overdispersion,
  quantileOf,
  rateRatio,
} from '@nwms/domain';
import { bucketAt, bucketEdges, maxOpen, type TrendBucket } from './buckets.ts';
import { bounds, coverageOf, type Covered, createLacking, type Lacking, round2, spansFor } from './covered.ts';
import type { TrendsDeps } from './deps.ts';
import type { DerivedQuestion } from './question.ts';

type Reply = Omit<ReplyOf<typeof trends.trendAnalysis>, 'freshness'>;
type Series = Reply['series'][number];
export type TrendGroup = 'none' | 'severity' | 'event' | 'state' | 'office' | 'family';

const LEAST_EVENTS = 20;
const LEAST_TREND_EVENTS = 30;
const LEAST_BUCKETS = 8;
const TOP_GROUPS = 10;
const SEVERITY_NAMES = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme'];

export interface AnalysisQuestion extends DerivedQuestion {
  from: Instant;
  to: Instant;
  bucket: TrendBucket;
  groupBy: TrendGroup;
}

/** Events over time with trend, life, lead time and delay. */
export async function trendAnalysis(deps: TrendsDeps, question: AnalysisQuestion): Promise<Reply> {
  const { from, to, filter, bucket } = question;
  const length = to - from;
  const since = await deps.record.facts.since();
  const spans = spansFor(deps, filter, question.groupBy === 'state' ? 'state' : undefined);
  const covered = await coverageOf(spans, from, to, since);
  const before = await coverageOf(spans, from - length, from, since);
  const lacking = createLacking();
  const edges = bucketEdges(bucket, from, to);
  const present: EventFact[] = [];
  let previous = 0;
  for await (const page of deps.record.facts.meeting(from - length, to, filter)) {
    for (const fact of page) {
      if (fact.begin >= from - length && fact.begin < from && before.days.has(Math.floor(fact.begin / DAY_MS))) previous += 1;
      if (fact.begin < to && (fact.overAt ?? Infinity) > from) present.push(fact);
    }
  }
  const begun = present.filter((fact) => fact.begin >= from);
  const now = { total: begun.filter((fact) => covered.days.has(Math.floor(fact.begin / DAY_MS))).length, days: covered.days.size };
  return {
    range: { from: new Date(from).toISOString(), to: new Date(to).toISOString() },
    bucket,
    source: question.source,
    series: seriesOf(question, present, edges, covered, lacking),
    comparison: comparisonOf(now, { total: previous, days: before.days.size }, perDay(begun, covered), lacking),
    ...quantiles(begun, question.now, lacking),
    coverage: covered.wire,
    insufficient: lacking.list,
    warnings: question.warnings,
  };
}

function groupsOf(fact: EventFact, by: TrendGroup): string[] {
  if (by === 'none') return ['all'];
  if (by === 'severity') return [SEVERITY_NAMES[fact.severity] ?? 'Unknown'];
  if (by === 'event') return [fact.event];
  if (by === 'family') return [fact.family];
  if (by === 'office') return [fact.office ?? 'none'];
  return fact.states.length === 0 ? ['none'] : fact.states;
}

function seriesOf(
  question: AnalysisQuestion,
  present: readonly EventFact[],
  edges: readonly Instant[],
  covered: Covered,
  lacking: Lacking,
): Series[] {
  const { from, groupBy } = question;
  const groups = new Map<string, EventFact[]>(groupBy === 'none' ? [['all', []]] : []);
  for (const fact of present) for (const key of groupsOf(fact, groupBy)) push(groups, key, fact);
  const begun = (facts: readonly EventFact[]) => facts.filter((fact) => fact.begin >= from).length;
  const sorted = [...groups].toSorted(([a, one], [b, two]) => begun(two) - begun(one) || (a < b ? -1 : 1));
  const shown = sorted.slice(0, TOP_GROUPS);
  // An event of two states that are both in the rest is one event of the rest.
  const rest = [...new Set(sorted.slice(TOP_GROUPS).flatMap(([, facts]) => facts))];
  const all: [string, EventFact[]][] = rest.length > 0 ? [...shown, ['other', rest]] : shown;
  return all.map(([key, facts]) => oneSeries(key, facts, { question, edges, covered, lacking }));
}

function push(groups: Map<string, EventFact[]>, key: string, fact: EventFact): void {
  const own = groups.get(key);
  if (own) own.push(fact);
  else groups.set(key, [fact]);
}

interface SeriesInput {
  question: AnalysisQuestion;
  edges: readonly Instant[];
  covered: Covered;
  lacking: Lacking;
}

function oneSeries(key: string, facts: readonly EventFact[], { question, edges, covered, lacking }: SeriesInput): Series {
  const { from, to } = question;
  const counts = Array.from({ length: edges.length - 1 }, () => 0);
  for (const { begin } of facts) {
    const at = begin >= from && begin < to ? bucketAt(edges, begin) : -1;
    if (at >= 0) counts[at] = (counts[at] ?? 0) + 1;
  }
  const most = maxOpen(
    edges,
    facts.map((fact) => ({ from: Math.max(fact.begin, from), until: Math.min(fact.overAt ?? to, to) })),
  );
  const points = counts.map((count, index) => {
    const start = Math.max(edges[index] ?? 0, from);
    const end = Math.min(edges[index + 1] ?? 0, to);
    const known = coveredMs(covered.spans, start, end) >= COVERED_SHARE * (end - start);
    const at = new Date(edges[index] ?? 0).toISOString();
    return { at, begun: known ? count : null, in_force_max: known ? (most[index] ?? 0) : null, covered: known };
  });
  const total = counts.reduce((sum, count) => sum + count, 0);
  const known = points.filter((point) => point.covered).length;
  const enough = total >= LEAST_TREND_EVENTS && known >= LEAST_BUCKETS;
  const found = enough
    ? mannKendall(
        points.map((point) => point.begun),
        LEAST_BUCKETS,
      )
    : null;
  if (!found) {
    lacking.add(
      `series.${key}.trend`,
      'sample_too_small',
      `${LEAST_BUCKETS} covered buckets and ${LEAST_TREND_EVENTS} events`,
      `${known} buckets and ${total} events`,
    );
  }
  return {
    key,
    points,
    total,
    slope_per_bucket: found ? round2(found.slope) : null,
    trend: found?.trend ?? null,
    p_value: found ? Math.round(found.pValue * 1000) / 1000 : null,
  };
}

interface Half {
  total: number;
  days: number;
}

function comparisonOf(now: Half, before: Half, daily: readonly number[], lacking: Lacking): Reply['comparison'] {
  const ratio =
    now.total >= LEAST_EVENTS && before.total >= LEAST_EVENTS
      ? rateRatio({ events: now.total, days: now.days }, { events: before.total, days: before.days }, overdispersion(daily))
      : null;
  if (!ratio)
    lacking.add(
      'comparison.ratio',
      'sample_too_small',
      `${LEAST_EVENTS} events on covered days in both times`,
      `${now.total} and ${before.total} events`,
    );
  return {
    previous_total: before.days === 0 ? null : before.total,
    ratio: ratio && round2(ratio.ratio),
    interval: ratio && bounds(ratio, 'rate_ratio'),
    direction: ratio && directionOf(ratio),
  };
}

function perDay(begun: readonly EventFact[], covered: Covered): number[] {
  const days = new Map([...covered.days].map((day) => [day, 0]));
  for (const { begin } of begun) {
    const day = Math.floor(begin / DAY_MS);
    const before = days.get(day);
    if (before !== undefined) days.set(day, before + 1);
  }
  return [...days.values()];
}

function quantiles(
  begun: readonly EventFact[],
  now: Instant,
  lacking: Lacking,
): Pick<Reply, 'life' | 'lead_time' | 'update_count' | 'delay'> {
  const life = begun.flatMap(({ begin, overAt }) =>
    overAt !== null && overAt <= now && overAt > begin ? [(overAt - begin) / 60_000] : [],
  );
  const lead = begun.flatMap(({ begin, firstSent }) => (begin > firstSent ? [(begin - firstSent) / 60_000] : []));
  const updates = begun.map((fact) => fact.versions);
  // Read from a history after it was over: that says nothing about how fast alerts come.
  const wasSeen = ({ source, firstSeen, overAt }: EventFact) => source !== 'import' && (overAt === null || firstSeen < overAt);
  const delay = begun.flatMap((fact) => (wasSeen(fact) ? [(fact.firstSeen - fact.firstSent) / 1000] : []));
  const at = (path: string, values: readonly number[], share: number) =>
    values.length < LEAST_EVENTS
      ? lacking.add(path, 'sample_too_small', `${LEAST_EVENTS} events`, `${values.length} events`)
      : round2(quantileOf(values, share));
  return {
    life: { median_minutes: at('life.median_minutes', life, 0.5), p90_minutes: at('life.p90_minutes', life, 0.9), n: life.length },
    lead_time: { median_minutes: at('lead_time.median_minutes', lead, 0.5), n: lead.length },
    update_count: { median: at('update_count.median', updates, 0.5), n: updates.length },
    delay: { p50_seconds: at('delay.p50_seconds', delay, 0.5), p90_seconds: at('delay.p90_seconds', delay, 0.9), n: delay.length },
  };
}
