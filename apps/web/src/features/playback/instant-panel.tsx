import { Link } from '@tanstack/react-router';
import type { playback } from '@nwms/contract';
import { useCallback, useMemo, useState } from 'react';
import { sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { Button } from '../../ui/button.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { FailedPart } from '../../ui/part-failed.tsx';
import { SeverityIcon } from '../../ui/severity.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { featuresOf, spotsAt } from './features-at.ts';
import type { DrawnMap } from './playback-map.tsx';
import type { AsOf } from './queries.ts';

const PlaybackMap = lazyPart({
  load: async () => (await import('./playback-map.tsx')).PlaybackMap,
  Waiting: () => <div className="skeleton h-72 rounded-none pane:h-full" />,
  Failed: FailedPart,
});

export interface InstantPanelProps {
  /** What was in force at `shownMs`; undefined: not here yet. */
  asOf: AsOf | undefined;
  /** The instant of `asOf`, and whether it is the cursor's. */
  shownMs: number;
  behind: boolean;
  /** The record does not cover the instant: what is listed was known before, and an empty list says nothing. */
  gap: boolean;
  error: Error | null;
  retry: () => void;
  /** While playing: the messages whose markers move with the cursor; null where not all are here. */
  moving: { items: readonly playback.TimelineItem[]; cursorMs: number } | null;
  playing: boolean;
  /** Hears of the map; null: there is none (yet). */
  onMap: (map: DrawnMap | null) => void;
}

/** Rows in the document at first, and how many more at a time. */
const STEP = 40;

/** Shapes and list of one instant, as they were known then. */
export function InstantPanel({ asOf, shownMs, behind, gap, error, retry, moving, playing, onMap }: InstantPanelProps) {
  const { labels } = useServices();
  const [most, setMost] = useState(STEP);
  const alerts = asOf?.alerts;
  const still = useMemo(() => featuresOf((alerts ?? []) as never), [alerts]);
  const features = moving ? spotsAt(moving.items, moving.cursorMs) : still;
  const nameOf = useCallback(
    (eventId: string) => {
      const found = alerts?.find((alert) => alert.event_id === eventId) ?? moving?.items.find((item) => item.event_id === eventId);
      return found ? `${found.event}, ${found.area_desc}` : null;
    },
    [alerts, moving],
  );
  const when = labels.full(shownMs, 'UTC');
  return (
    <div className="grid min-h-72 grid-cols-[minmax(0,1fr)] border-t border-line pane:h-[27rem] pane:grid-cols-[minmax(0,1fr)_24rem]">
      <PlaybackMap features={features} nameOf={nameOf} dimmed={behind && !moving} playing={playing} onMap={onMap} />
      <section
        aria-label="In force at the instant"
        className="relative min-w-0 border-line max-pane:border-t pane:overflow-y-auto pane:border-l"
        aria-busy={behind}
      >
        <p className="tnum sticky top-0 z-[1] border-b border-line bg-surface px-3 py-2 text-[13px] text-muted">
          {gap ? `Not known at ${when}` : asOf ? `${words(asOf.total)} in force at ${when}, as known then` : `As known at ${when}`}
          {asOf && asOf.alerts.length < asOf.total ? `; the ${words(asOf.alerts.length)} most dangerous are here` : ''}
        </p>
        {gap ? (
          <p className="border-b border-line bg-warn-bg px-3 py-2 text-[13px] text-warn">
            The record has a gap at this instant: what was in force then is not known here.
            {asOf && asOf.total > 0 ? ' Listed is what was known before it.' : ''}
          </p>
        ) : null}
        {(asOf?.warnings ?? []).map(({ code, message }) => (
          <p key={code} className="border-b border-line px-3 py-2 text-[13px] text-warn">
            {message}
          </p>
        ))}
        {error ? (
          <div role="alert" className="flex flex-col items-start gap-2 p-3 text-bad">
            <p>What was in force then could not be loaded: {sentenceOf(error)} This is not &ldquo;no alerts&rdquo;.</p>
            <Button onClick={retry}>Try again</Button>
          </div>
        ) : null}
        {!asOf && !error ? <Skeleton label="Loading the instant" rows={5} className="p-3" /> : null}
        {asOf && asOf.alerts.length === 0 && !error && !gap ? (
          <p className="p-6 text-center text-muted">Nothing of these severities was in force and known at this instant.</p>
        ) : null}
        <ul className={`divide-y divide-line ${behind || error ? 'opacity-60' : ''}`}>
          {(asOf?.alerts ?? []).slice(0, most).map((alert) => (
            <li key={alert.event_id}>
              <Link
                to="/weather-alerts"
                search={{ alert: alert.id, details: true }}
                className="flex gap-2.5 px-3 py-2 text-[13px] -outline-offset-2 hover:bg-hover"
              >
                <span className="pt-0.5">
                  <SeverityIcon severity={alert.severity} />
                </span>
                <span className="min-w-0">
                  <span className="block truncate text-sm font-semibold">
                    <span className="sr-only">{alert.severity} </span>
                    {alert.event}
                  </span>
                  <span className="block truncate text-muted">{alert.location || alert.area_desc}</span>
                  <span className="tnum block text-muted">
                    revision {alert.version} of then · until{' '}
                    {alert.in_force_until
                      ? labels.moment(Date.parse(alert.in_force_until), alert.time_zones[0], shownMs)
                      : 'further notice'}
                  </span>
                </span>
              </Link>
            </li>
          ))}
        </ul>
        {asOf && asOf.alerts.length > most ? (
          <div className="border-t border-line p-3 text-center">
            <Button onClick={() => setMost(most + STEP)}>Show {Math.min(STEP, asOf.alerts.length - most)} more</Button>
          </div>
        ) : null}
      </section>
    </div>
  );
}

const words = (value: number): string => value.toLocaleString('en-US');
