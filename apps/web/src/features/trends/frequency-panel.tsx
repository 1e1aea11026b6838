import type { HistoricalPatterns } from '@nwms/contract';
import type { ReactNode } from 'react';
import { Missing } from './evidence.tsx';

const BASIS = { same_dates_earlier_years: 'against the same dates of earlier years', within_window: 'within these 90 days' } as const;
const WORDS = { increasing: 'Increasing', decreasing: 'Decreasing', stable: 'Stable' } as const;

/** How often, whether that changes, and in which months. */
export function FrequencyFacts({ patterns }: { patterns: HistoricalPatterns }) {
  const { insufficient } = patterns;
  const found = patterns.patterns.frequency_analysis;
  const path = 'patterns.frequency_analysis';
  const ratio = found.trend_ratio === null ? null : `ratio ${found.trend_ratio}`;
  const range = found.interval ? `interval ${found.interval.low} to ${found.interval.high}` : null;
  return (
    <dl className="grid gap-x-6 gap-y-3 sm:grid-cols-3">
      <Fact label="Events per month">
        {found.events_per_month === null ? (
          <Missing {...{ insufficient }} path={`${path}.events_per_month`} otherwise="Not known." />
        ) : (
          found.events_per_month.toLocaleString('en-US')
        )}
      </Fact>
      <Fact label="Trend">
        {found.trend === null ? (
          <Missing {...{ insufficient }} path={`${path}.trend`} otherwise="Not known." />
        ) : (
          <>
            {WORDS[found.trend]}
            <span className="block text-[13px] font-normal text-muted">
              {[found.trend_basis ? BASIS[found.trend_basis] : null, ratio, range].filter(Boolean).join(', ')}
            </span>
          </>
        )}
      </Fact>
      <Fact label="Peak months">
        {found.peak_months.length === 0 ? (
          <Missing {...{ insufficient }} path={`${path}.peak_months`} otherwise="No month stands out." />
        ) : (
          found.peak_months.join(', ')
        )}
      </Fact>
    </dl>
  );
}

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-[13px] text-muted">{label}</dt>
      <dd className="tnum font-semibold">{children}</dd>
    </div>
  );
}
