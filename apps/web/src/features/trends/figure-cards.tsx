import type { AlertFatigueAnalysis, SeverityTrends } from '@nwms/contract';
import { TrendingDown, TrendingUp, Equal, Gauge } from 'lucide-react';
import { StatCard } from '../../ui/stat-card.tsx';
import { densityTone, missingWords, rangeWords, shareWords } from './evidence-words.ts';

export interface FigureCardsProps {
  trends: SeverityTrends | undefined;
  fatigue: AlertFatigueAnalysis | undefined;
  loading: boolean;
  dimmed: boolean;
}

/** INTL-03 */
export function FigureCards({ trends, fatigue, loading, dimmed }: FigureCardsProps) {
  const pending = { loading: loading && !trends, dimmed };
  const of = (name: 'escalating' | 'stable' | 'de_escalating') => ({
    value: trends?.trends[`${name}_events`] ?? null,
    note: trends ? <ShareNote trends={trends} name={name} /> : 'not known',
  });
  const analysis = fatigue?.fatigue_analysis;
  const score = analysis?.overall_density_score ?? null;
  return (
    <section aria-label="Figures" className="grid grid-cols-2 gap-3 pane:grid-cols-4">
      <StatCard label="Escalating Events" icon={<TrendingUp size={16} aria-hidden="true" />} {...of('escalating')} {...pending} />
      <StatCard label="Stable Events" icon={<Equal size={16} aria-hidden="true" />} {...of('stable')} {...pending} />
      <StatCard label="De-escalating Events" icon={<TrendingDown size={16} aria-hidden="true" />} {...of('de_escalating')} {...pending} />
      <StatCard
        label="Alert Density Score"
        icon={<Gauge size={16} aria-hidden="true" />}
        value={score === null ? null : score.toFixed(2)}
        tone={densityTone(score)}
        loading={loading && !fatigue}
        dimmed={dimmed}
        note={
          analysis === undefined
            ? 'not known'
            : score === null
              ? missingWords(fatigue?.insufficient ?? [], 'fatigue_analysis.overall_density_score')
              : [`${analysis.fatigue_risk ?? 'low'} risk of fatigue`, rangeWords(analysis.interval)].filter(Boolean).join(', ')
        }
      />
    </section>
  );
}

function ShareNote({ trends, name }: { trends: SeverityTrends; name: 'escalating' | 'stable' | 'de_escalating' }) {
  const { trends: now, previous, insufficient } = trends;
  const share = now.shares[name];
  if (now.total_events === null)
    return missingWords(insufficient, 'trends.total_events') ?? missingWords(insufficient, 'trends') ?? 'not known';
  const before = previous[`${name}_events`];
  return (
    <>
      {share ? shareWords(share) : `of ${now.total_events.toLocaleString('en-US')} events; a share from 20 events on`}
      <br />
      {before === null ? 'the time before is not covered' : `${before.toLocaleString('en-US')} in the time before`}
    </>
  );
}
