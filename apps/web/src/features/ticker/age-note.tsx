import { useServices } from '../../api/services.ts';
import { durationLabel } from '../../lib/time-labels.ts';
import type { TickerView } from './ticker-view.ts';

/** How old what the bar shows is: quiet while it is current, marked when it is not. */
export function AgeNote({ view }: { view: TickerView }) {
  const { labels } = useServices();
  if (view.kind === 'loading' || (view.kind === 'lost' && view.sample)) return null;
  const asOf = view.asOfMs === null ? null : labels.utcClock(view.asOfMs);
  const age = view.ageSeconds === null ? null : `${durationLabel(view.ageSeconds)} ago`;
  const current = view.kind === 'alerts' || view.kind === 'clear';
  if (current) {
    return (
      <span
        className="tnum shrink-0 text-[13px] whitespace-nowrap opacity-90 max-lg:hidden"
        title={asOf ? `Data as of ${asOf}` : undefined}
      >
        <span className="max-xl:hidden">{asOf ? `as of ${asOf}, ` : null}</span>
        {age}
      </span>
    );
  }
  return (
    <span className="tnum shrink-0 rounded-md bg-(--ticker-issue-bg) px-2 py-0.5 text-xs font-semibold whitespace-nowrap text-(--ticker-issue)">
      <span className="max-md:hidden">{asOf ? `last good data ${asOf}, ` : 'age of the data unknown'}</span>
      {age ?? ''}
    </span>
  );
}
