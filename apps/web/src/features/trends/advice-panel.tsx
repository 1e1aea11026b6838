import type { Recommendation, SystemRecommendations } from '@nwms/contract';
import { Badge } from '../../ui/badge.tsx';
import { riskTone } from './evidence-words.ts';

/** rules that name what they measured. */
export function AdviceList({ items, none }: { items: readonly Recommendation[]; none: string }) {
  if (items.length === 0) return <p className="py-2 text-muted">{none}</p>;
  return (
    <ul className="flex flex-col">
      {items.map(({ id, priority, title, description, impact, evidence }) => (
        <li key={id} className="flex flex-col gap-1 border-t border-line py-2.5 first:border-t-0">
          <div className="flex flex-wrap items-center gap-2">
            <Badge tone={riskTone(priority)}>{priority}</Badge>
            <span className="font-medium">{title}</span>
          </div>
          <p className="text-sm">{description}</p>
          <p className="tnum text-[13px] text-muted">
            {impact} Measured: {evidence.metric.replaceAll('_', ' ')} {evidence.value}
            {evidence.unit === null ? '' : ` ${evidence.unit}`} (threshold {evidence.threshold}, n = {evidence.n.toLocaleString('en-US')},{' '}
            {evidence.window_days} {evidence.window_days === 1 ? 'day' : 'days'}).
          </p>
        </li>
      ))}
    </ul>
  );
}

/** Rules that could not say anything are counted, so that silence is not taken for health. */
export function silentWords({ silent }: Pick<SystemRecommendations, 'silent'>): string | null {
  if (silent.length === 0) return null;
  return `${silent.length} ${silent.length === 1 ? 'rule has' : 'rules have'} too little data to say anything: ${silent.map(({ id }) => id.replaceAll('_', ' ')).join(', ')}.`;
}
