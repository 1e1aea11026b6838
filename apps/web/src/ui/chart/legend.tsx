import { type ChartSpec, extentOf, toneAt, valuesOf } from './chart-spec.ts';
import { figureText, shareText } from './chart-words.ts';
import { Swatch } from './drawing.tsx';

/** What the colours and gaps of a chart mean, as text. One series that the title names needs none. */
export function Legend({ spec }: { spec: ChartSpec }) {
  if (spec.kind === 'heatmap' || spec.kind === 'calendar') return <RampLegend spec={spec} />;
  if (spec.kind === 'doughnut') return <PartsLegend spec={spec} />;
  const { series, gap } = spec.data;
  const hasGap = gap !== undefined && valuesOf(spec).includes(null);
  const isNamed = series.length > 1 || spec.kind === 'dual-axis';
  if (!isNamed && !hasGap) return null;
  return (
    <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1 pb-2 text-[13px] text-muted">
      {(isNamed ? series : []).map((each, at) => (
        <li key={each.name} className="inline-flex items-center gap-1.5">
          <Swatch tone={each.tone ?? toneAt(at)} line={spec.kind === 'line' || (spec.kind === 'dual-axis' && at > 0)} />
          {each.name}
          {each.unit === undefined ? '' : ` (${each.unit})`}
          {spec.kind === 'dual-axis' ? (at === 0 ? ', left' : ', right') : ''}
        </li>
      ))}
      {hasGap ? <li>Gap: {gap}</li> : null}
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
function PartsLegend({ spec: { data } }: { spec: Extract<ChartSpec, { kind: 'doughnut' }> }) {
  const [whole] = data.series;
  return (
    <dl className="tnum min-w-44 flex-1 text-[13px]" aria-label={whole?.name ?? ''}>
      {data.labels.map((label, at) => (
        <div key={label} className="flex items-center gap-2 py-0.5">
          <Swatch tone={data.tones?.[at] ?? toneAt(at)} />
          <dt className="min-w-0 flex-1 truncate text-muted" title={label}>
            {label}
          </dt>
          <dd className="font-semibold">{shareText(whole?.values[at] ?? null, whole?.values ?? [], whole ?? {})}</dd>
        </div>
      ))}
    </dl>
  );
}
