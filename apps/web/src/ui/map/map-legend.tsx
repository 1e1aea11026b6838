import { SEVERITIES } from '@nwms/domain/alert/vocabulary';
import { SeverityIcon } from '../severity.tsx';

/** What colours and outlines mean. `over`: the map also shows what is not in force any more. */
export function MapLegend({ over = false, ahead = true }: { over?: boolean; ahead?: boolean }) {
  return (
    <section aria-label="Legend" className="flex flex-wrap gap-x-6 gap-y-1.5 text-[13px] text-muted">
      <ul aria-label="Severity" className="flex flex-wrap gap-x-4 gap-y-1">
        {SEVERITIES.map((name) => (
          <li key={name} className="inline-flex items-center gap-1.5">
            <SeverityIcon severity={name} /> {name}
          </li>
        ))}
      </ul>
      <ul aria-label="Outlines" className="flex flex-wrap gap-x-4 gap-y-1">
        <Outline dash="" label="issued area" />
        <Outline dash="5 3" label="zones" />
        <Outline dash="1.5 2.5" label="counties" />
        {ahead ? <Strength opacity={0.32} label="upcoming" /> : null}
        {over ? <Strength opacity={0.14} label="over" /> : null}
      </ul>
    </section>
  );
}

export function Outline({ dash, label }: { dash: string; label: string }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      <svg width="20" height="8" aria-hidden="true">
        <line x1="0" x2="20" y1="4" y2="4" stroke="currentColor" strokeWidth="2" strokeDasharray={dash} />
      </svg>
      {label}
    </li>
  );
}

function Strength({ opacity, label }: { opacity: number; label: string }) {
  return (
    <li className="inline-flex items-center gap-1.5">
      <svg width="16" height="12" aria-hidden="true">
        <rect x="0.5" y="0.5" width="15" height="11" fill="currentColor" fillOpacity={opacity} stroke="currentColor" strokeOpacity="0.4" />
      </svg>
      {label}
    </li>
  );
}
