import { CircleCheck, CircleQuestionMark, SearchX, ServerOff } from 'lucide-react';
import { sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { useFreshness } from '../../api/use-freshness.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

export type EmptyKind = 'none' | 'filtered' | 'unknown' | 'failed';

/**
 * What an empty list may say. "None" only for a fresh, successful, empty answer: nothing loaded is a failure, old data with
 * nothing in it proves nothing about now.
 */
export function emptyKind(given: { loaded: boolean; level: 'fresh' | 'stale' | 'unknown'; scopeTotal: number }): EmptyKind {
  if (!given.loaded) return 'failed';
  if (given.scopeTotal > 0) return 'filtered';
  return given.level === 'fresh' ? 'none' : 'unknown';
}

export function EmptyNotice(props: { kind: EmptyKind; error: Error | null; retry: () => void; clear: () => void }) {
  const { labels } = useServices();
  const { asOfMs } = useFreshness();
  const asOf = asOfMs === null ? null : labels.utcClock(asOfMs);
  const retry = <Button onClick={props.retry}>Try again</Button>;
  switch (props.kind) {
    case 'none':
      return (
        <Notice icon={<CircleCheck size={28} aria-hidden="true" />} title="No weather alerts found">
          No alerts are currently available, as of {asOf}.
        </Notice>
      );
    case 'filtered':
      return (
        <Notice
          icon={<SearchX size={28} aria-hidden="true" />}
          title="No alert matches these filters"
          action={<Button onClick={props.clear}>Clear All Filters</Button>}
        >
          There are alerts, only none like this{asOf ? ` as of ${asOf}` : ''}.
        </Notice>
      );
    case 'unknown':
      return (
        <Notice icon={<CircleQuestionMark size={28} aria-hidden="true" />} tone="bad" title="We cannot tell right now" action={retry}>
          {asOf ? `The last good data, from ${asOf}, held no alerts. ` : ''}That says nothing about this moment. For warnings go to
          weather.gov or a NOAA weather radio.
        </Notice>
      );
    default:
      return (
        <Notice icon={<ServerOff size={28} aria-hidden="true" />} tone="bad" title="We cannot tell right now" action={retry}>
          {props.error ? `${sentenceOf(props.error)} ` : ''}This is not &ldquo;no alerts&rdquo;: nothing has been loaded yet. For warnings
          go to weather.gov or a NOAA weather radio.
        </Notice>
      );
  }
}
