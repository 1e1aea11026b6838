import type { HistoricalPatterns } from '@nwms/contract';
import { confidenceOf } from './evidence-words.ts';
import { Missing } from './evidence.tsx';
import { Fact } from './frequency-panel.tsx';

/** When the next such events are likely, how often that rule held, and on what it rests. */
export function PredictionFacts({ patterns }: { patterns: HistoricalPatterns }) {
  const { predictions, insufficient } = patterns;
  const { next_likely_period: period, confidence } = predictions;
  return (
    <dl className="flex flex-col gap-3">
      <Fact label="Next likely period">
        {period ?? <Missing {...{ insufficient }} path="predictions" otherwise="No pattern stands out." />}
        {predictions.next_period?.in_season ? <span className="block text-[13px] font-normal text-muted">It is under way.</span> : null}
      </Fact>
      <Fact label="Confidence">
        {confidence === null ? <span className="font-normal text-muted">None without a period.</span> : <Bar value={confidence} />}
      </Fact>
      {period === null ? null : (
        <Fact label="Basis">
          <span className="font-normal">
            {predictions.basis}; {predictions.events_used.toLocaleString('en-US')} events
            {predictions.years > 0 ? `, ${predictions.years} ${predictions.years === 1 ? 'year' : 'years'}` : ''}
            {predictions.hits === null ? '' : `; held ${predictions.hits} times when tried without the year or day it spoke of`}
          </span>
        </Fact>
      )}
    </dl>
  );
}

function Bar({ value }: { value: number }) {
  const { label, token } = confidenceOf(value);
  const percent = Math.round(value * 100);
  return (
    <span className="flex items-center gap-3">
      <span className="tnum">
        {label} ({percent}%)
      </span>
      <span aria-hidden="true" className="h-2 w-32 overflow-hidden rounded-full bg-skeleton">
        <span className="block h-full rounded-full" style={{ width: `${percent}%`, background: `var(--${token})` }} />
      </span>
    </span>
  );
}
