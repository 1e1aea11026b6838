import { SEVERITY_TOKEN, SeverityIcon } from '../../ui/severity.tsx';
import { BAR_SEVERITIES, barShare, type LiveFigures, SEVERITY_MAXIMA } from './live-figures.ts';

/** Active alerts by severity on fixed scales (LAND-06). Unknown counts are a dash and no bar. */
export function SeverityBars({ figures, waiting }: { figures: LiveFigures; waiting: boolean }) {
  const { severities, active } = figures;
  return (
    <section aria-label="Active alerts by severity" className="card p-5">
      <h3 className="flex flex-wrap items-baseline justify-between gap-x-4 font-semibold">
        Active alerts by severity
        <span className="tnum text-[13px] font-normal text-muted">
          {active !== null ? `${active} active` : waiting ? 'Being counted' : 'We cannot tell right now'}
        </span>
      </h3>
      <ul className="grid gap-x-10 gap-y-4 pt-4 md:grid-cols-2">
        {BAR_SEVERITIES.map((severity) => {
          const count = severities?.[severity] ?? null;
          const maximum = SEVERITY_MAXIMA[severity];
          return (
            <li key={severity} className="grid grid-cols-[6.5rem_1fr_auto] items-center gap-3">
              <span className="flex items-center gap-2">
                <SeverityIcon severity={severity} />
                {severity}
              </span>
              <span aria-hidden="true" className="h-2.5 overflow-clip rounded-full bg-skeleton">
                <span
                  className="landing-bar block h-full rounded-full"
                  style={{
                    transform: `translateX(${(count === null ? 0 : barShare(severity, count)) * 100 - 100}%)`,
                    background: `var(--fill-${SEVERITY_TOKEN[severity]})`,
                  }}
                />
              </span>
              <span className="tnum w-20 text-right">
                <span className="font-semibold">{count ?? '—'}</span>
                <span className="text-[13px] text-muted"> of {maximum}</span>
              </span>
            </li>
          );
        })}
      </ul>
      <p className="pt-4 text-[13px] text-muted">Each bar is full at the number behind it; there may be more.</p>
    </section>
  );
}
