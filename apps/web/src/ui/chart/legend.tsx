import { type LegendEntry, legendOf } from './chart-legend.ts';
import { type ChartSpec, extentOf, valuesOf } from './chart-spec.ts';
import { figureText } from './chart-words.ts';
import { Swatch } from './drawing.tsx';

/** What the colours and gaps of a chart mean, as text (`legendOf`). */
export function Legend({ spec }: { spec: ChartSpec }) {
  if (spec.kind === 'heatmap' || spec.kind === 'calendar') return <RampLegend spec={spec} />;
  const entries = legendOf(spec);
  if (entries.length === 0) return null;
  if (spec.kind === 'doughnut') return <PartsLegend label={spec.data.series[0]?.name ?? ''} entries={entries} />;
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 pb-2 text-[13px] text-muted">
      {entries.map(({ name, tone, line }) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          {tone === null ? null : <Swatch tone={tone} line={line} />}
          {name}
        </li>
      ))}
    </ul>
  );
}

function RampLegend({ spec }: { spec: Extract<ChartSpec, { kind: 'heatmap' | 'calendar' }> }) {
  const values = valuesOf(spec);
  const { high } = extentOf(values);
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-2 text-[13px] text-muted">
      <span className="inline-flex items-center gap-1.5">
        <span>{spec.data.valueName}: 0</span>
        <span aria-hidden="true" className="inline-flex">
          {[1, 2, 3, 4, 5].map((step) => (
            <span key={step} className="h-2.5 w-4 first:rounded-l last:rounded-r" style={{ background: `var(--ramp-${step})` }} />
          ))}
        </span>
        <span className="tnum">{figureText(high, spec.data)}</span>
      </span>
      {values.includes(null) ? <span>Blank: not known</span> : null}
    </div>
  );
}

/** The parts of a doughnut with their values and shares: the chart in words. */
function PartsLegend({ label, entries }: { label: string; entries: readonly LegendEntry[] }) {
  return (
    <dl className="tnum min-w-44 flex-1 text-[13px]" aria-label={label}>
      {entries.map(({ name, tone, value }) => (
        <div key={name} className="flex items-center gap-2 py-0.5">
          {tone === null ? null : <Swatch tone={tone} />}
          <dt className="min-w-0 flex-1 truncate text-muted" title={name}>
            {name}
          </dt>
          <dd className="font-semibold">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
