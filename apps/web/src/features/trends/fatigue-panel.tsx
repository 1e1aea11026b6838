import type { AlertFatigueAnalysis } from '@nwms/contract';
import { Badge } from '../../ui/badge.tsx';
import { missingWords, riskTone } from './evidence-words.ts';

/** The places where people are told most often, and what would spare them. */
export function FatigueAreas({ fatigue }: { fatigue: AlertFatigueAnalysis }) {
  const { fatigue_analysis: analysis, insufficient, coverage } = fatigue;
  const areas = analysis.high_density_areas;
  if (areas.length === 0) {
    return (
      <p className="py-4 text-muted">
        {missingWords(insufficient, 'fatigue_analysis.overall_density_score') ??
          (coverage.covered_days === 0 ? 'Nothing is known of this time.' : 'No place had three or more new events in this time.')}
      </p>
    );
  }
  return (
    <ul className="flex flex-col">
      {areas.map((area) => (
        <li key={`${area.kind} ${area.code}`} className="flex flex-col gap-1 border-t border-line py-2.5 first:border-t-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 flex-1 font-medium">{area.label}</span>
            <Badge tone={riskTone(area.fatigue_risk)}>{area.fatigue_risk} risk</Badge>
            <span className="tnum text-[13px] text-muted">
              {area.alert_count.toLocaleString('en-US')} alerts · density {area.density_score.toFixed(2)}
            </span>
          </div>
          {area.top_events.length > 0 ? (
            <p className="text-[13px] text-muted">{area.top_events.map(({ event, count }) => `${event} (${count})`).join(', ')}</p>
          ) : null}
          {area.recommendations.map((words) => (
            <p key={words} className="text-[13px]">
              {words}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}
