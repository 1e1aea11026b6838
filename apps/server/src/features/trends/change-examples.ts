import type { ReplyOf, trends } from '@nwms/contract';
import type { FactStep } from '@nwms/domain';
import type { Classed } from './severity-trends.ts';

type Example = ReplyOf<typeof trends.severityTrends>['examples'][number];

const MAX = 10;
const SEVERITY_NAMES = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme'];

/** The most dangerous events that changed, with what changed in words. */
export function topChanges(current: readonly Classed[]): Example[] {
  const changed = current.filter(({ change }) => change.class !== 'stable');
  const rank = ({ change }: Classed) => Math.max(change.before.rank, change.after.rank);
  return changed
    .toSorted((a, b) => rank(b) - rank(a) || (a.fact.eventId < b.fact.eventId ? -1 : 1))
    .slice(0, MAX)
    .flatMap(({ fact, change }) => {
      if (change.class === 'stable' || change.reason === null) return [];
      const [from, to] = wordsOf(change.reason, change.before, change.after, fact);
      return [
        {
          event_id: fact.eventId,
          event: fact.event,
          area_desc: fact.areaDesc,
          class: change.class,
          reason: change.reason,
          at: new Date(change.at ?? change.after.at).toISOString(),
          from,
          to,
          summary: `${fact.event}: ${from} → ${to}`,
        },
      ];
    });
}

function wordsOf(reason: Example['reason'], before: FactStep, after: FactStep, fact: Classed['fact']): [string, string] {
  switch (reason) {
    case 'replaced':
      return [`rank ${fact.baseRank}`, `replaced by an event of rank ${fact.upgradedRank ?? 0}`];
    case 'severity':
      return [SEVERITY_NAMES[before.severity] ?? '', SEVERITY_NAMES[after.severity] ?? ''];
    case 'impact_tags':
      return [`rank ${before.rank}`, `rank ${after.rank}`];
    case 'area':
      return [
        `${Math.round(before.km2 ?? 0)} km²`,
        `${Math.round((after.km2 ?? 0) > (before.km2 ?? 0) ? (after.km2 ?? 0) : (after.keptKm2 ?? 0))} km²`,
      ];
    default:
      return ['planned until its end', 'cancelled early'];
  }
}
