import { adviceOf, percent, recommend } from './advice.ts';
import { type AreaLoad, isNight, localHour } from './area-load.ts';
import { round2 } from './covered.ts';

/** What would make the alerts of one place less tiring, each rule with the counts of that area. */
export function areaAdvice(area: AreaLoad, days: number) {
  const { begins } = area;
  const n = begins.length;
  const share = (count: number) => (n === 0 ? 0 : count / n);
  const overlapping = overlaps(area);
  const mild = begins.filter(({ fact }) => fact.severity === 1 || fact.severity === 2).length;
  const night = begins.filter(({ fact, from }) => isNight(localHour(fact, from))).length;
  const polygons = begins.filter(({ fact }) => fact.polygon).length;
  const messages = begins.reduce((total, { fact }) => total + fact.versions, 0);
  const [top] = topEvents(area);
  const rule = (id: string, title: string, description: string, metric: string, value: number, threshold: number) =>
    value < threshold
      ? null
      : recommend({
          id,
          priority: 'medium',
          category: 'fatigue',
          title,
          description,
          impact: 'Fewer interruptions, nothing withheld.',
          evidence: { metric, value: round2(value), threshold, n, window_days: days },
        });
  return adviceOf(
    [
      rule('merge', 'Alerts overlap', `Merge by event_id: ${messages} messages become ${n}.`, 'overlap_share', share(overlapping), 0.5),
      rule(
        'daily_summary',
        'Most alerts are mild',
        `Let Severe and Extreme interrupt, put ${mild} of ${n} in the daily summary.`,
        'minor_moderate_share',
        share(mild),
        0.6,
      ),
      rule(
        'quiet_hours',
        'Many alerts come at night',
        `Quiet hours would hold ${night} of ${n}; life-threat alerts pass.`,
        'night_share',
        share(night),
        0.3,
      ),
      top &&
        rule(
          'one_event',
          'One kind dominates',
          `${top.event} makes ${percent(share(top.count))} of ${n}.`,
          'top_event_share',
          share(top.count),
          0.5,
        ),
      rule(
        'exact_place',
        'Many alerts cover only a part',
        `Match the exact place instead of the county: ${polygons} of ${n} are drawn as polygons.`,
        'polygon_share',
        share(polygons),
        0.4,
      ),
    ].map((each) => each ?? null),
  );
}

/** Begins while another event of the same family was in force here. */
function overlaps({ begins }: AreaLoad): number {
  const sorted = begins.toSorted((a, b) => a.from - b.from);
  const open = new Map<string, { until: number; eventId: string }>();
  let count = 0;
  for (const { fact, from, until } of sorted) {
    const before = open.get(fact.family);
    if (before && before.until > from && before.eventId !== fact.eventId) count += 1;
    if (!before || until > before.until) open.set(fact.family, { until, eventId: fact.eventId });
  }
  return count;
}

export function topEvents({ begins }: AreaLoad): { event: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { fact } of begins) counts.set(fact.event, (counts.get(fact.event) ?? 0) + 1);
  return [...counts]
    .map(([event, count]) => ({ event, count }))
    .toSorted((a, b) => b.count - a.count || (a.event < b.event ? -1 : 1))
    .slice(0, 3);
}
