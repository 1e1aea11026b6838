import { Radio, RefreshCw, TriangleAlert, WifiOff } from 'lucide-react';
import { memo, type ReactNode } from 'react';
import { useLiveStatus, useServices } from '../../api/services.ts';
import { useFreshness } from '../../api/use-freshness.ts';
import { durationLabel } from '../../lib/time-labels.ts';
import { Button } from '../../ui/button.tsx';

/** Words for why data is not fresh. */
const REASONS: Record<string, string> = {
  poll_failing: 'the weather service cannot be reached',
  upstream_frozen: 'the weather service repeats an old list',
  shrink_quarantined: 'the last list lost too many alerts at once and is being checked',
  starting: 'the server is starting',
  never_polled: 'nothing has been loaded yet',
  paused: 'polling is paused',
  coverage_gap: 'there is a gap in the record',
};

export interface FreshnessLineProps {
  summary: string | null;
  /** The last attempt to load failed. */
  failed: boolean;
  automatic: boolean;
  setAutomatic: (on: boolean) => void;
  refreshing: boolean;
  refresh: () => void;
  /** How often, where it can be chosen. */
  interval?: ReactNode;
}

/** How old the alerts are, how sure we are of it, and whether changes arrive by themselves. */
export const FreshnessLine = memo(function FreshnessLine(props: FreshnessLineProps) {
  return (
    <section aria-label="Freshness" className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 text-[13px]">
      {/* Room for two lines from the start: what is said at first is shorter than what follows. */}
      <div className="flex min-h-6 min-w-0 flex-wrap content-center items-center gap-x-3 gap-y-1 sm:min-h-[2.625rem] sm:grow sm:basis-0">
        <DataAge failed={props.failed} />
        <Connection />
        {props.summary ? <p className="tnum border-line-strong text-muted max-sm:hidden sm:border-l sm:pl-3">{props.summary}</p> : null}
      </div>
      <div className="flex items-center gap-2 max-sm:w-full max-sm:justify-between">
        <label className="target flex items-center gap-2 px-1 text-sm whitespace-nowrap text-muted">
          <input
            type="checkbox"
            className="size-4 accent-(--accent)"
            checked={props.automatic}
            onChange={(event) => props.setAutomatic(event.target.checked)}
          />
          Auto-refresh
        </label>
        {props.interval}
        <Button onClick={props.refresh} disabled={props.refreshing}>
          <RefreshCw size={15} aria-hidden="true" className={props.refreshing ? 'motion-safe:animate-spin' : ''} /> Refresh
        </Button>
      </div>
    </section>
  );
});

function DataAge({ failed }: { failed: boolean }) {
  const { labels } = useServices();
  const view = useFreshness();
  if (!view.heard && !failed) return <p className="text-muted">Asking the server …</p>;
  const asOf = view.asOfMs === null ? null : labels.utcClock(view.asOfMs);
  const age = view.ageSeconds === null ? null : durationLabel(view.ageSeconds);
  const reason = view.reason ? REASONS[view.reason] : undefined;
  if (view.level === 'unknown') {
    return (
      <p className="flex items-center gap-2 font-medium text-bad">
        <TriangleAlert size={16} aria-hidden="true" className="shrink-0" />
        <span className="tnum">
          We cannot tell right now{asOf ? `: last good data from ${asOf}` : ''}
          {reason ? ` (${reason})` : ''}
        </span>
      </p>
    );
  }
  if (view.level === 'stale') {
    return (
      <p className="flex items-center gap-2 font-medium text-warn">
        <TriangleAlert size={16} aria-hidden="true" className="shrink-0" />
        <span className="tnum">
          Not up to date: as of {asOf}, {age} ago{reason ? `; ${reason}` : ''}
        </span>
      </p>
    );
  }
  return (
    <p className="flex items-center gap-2">
      <Radio size={16} aria-hidden="true" className="shrink-0 text-ok" />
      <span className="font-semibold text-ok">{view.simulated ? 'Live, simulated' : 'Live'}</span>
      <span className="tnum text-muted">
        as of {asOf}, {age} ago
      </span>
    </p>
  );
}

function Connection() {
  const { live } = useServices();
  const status = useLiveStatus();
  if (status.state === 'CONNECTED' || status.state === 'CLOSING') return null;
  // Not begun yet: it begins with the first list. What was given up has a reason.
  if (status.state === 'DISCONNECTED' && status.error === null) return null;
  // On a phone it is a line of its own for half a second, which moves all that is below; what goes on for longer is told.
  if (status.state === 'CONNECTING') return <p className="text-muted max-sm:hidden">Connecting …</p>;
  // While it is trying, the trying matters; why it stopped matters once it has.
  const words =
    status.state === 'RECONNECTING'
      ? `Reconnecting … (${status.attempt}/${status.maxAttempts})`
      : (status.error ?? 'Changes do not arrive by themselves right now');
  return (
    <p className="flex items-center gap-2 text-warn">
      <WifiOff size={15} aria-hidden="true" className="shrink-0" />
      <span>{words}</span>
      {status.state === 'DISCONNECTED' ? (
        <button type="button" className="target rounded-md px-2 font-medium text-accent hover:underline" onClick={() => live.reconnect()}>
          Reconnect
        </button>
      ) : null}
    </p>
  );
}
