import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { SEVERITIES, type Severity } from '@nwms/domain/alert/vocabulary';
import { useCallback, useMemo, useRef } from 'react';
import { sentenceOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { readSeverities, switched, writeSeverities } from '../../lib/severities.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page.tsx';
import { SeverityChip } from '../../ui/severity-chip.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import { ErrorCard, Skeleton, StaleNote } from '../../ui/states.tsx';
import { CoverageNote } from './coverage-note.tsx';
import { InstantPanel } from './instant-panel.tsx';
import type { DrawnMap } from './playback-map.tsx';
import { asOfQuery, timelineQuery, windowQuery } from './queries.ts';
import { TimeBar } from './time-bar.tsx';
import { TimeControls } from './time-controls.tsx';
import { countsAt, isInGap, markersOf, spanOf, totalOf, windowAround } from './timeline-rules.ts';
import { type Range, RANGES, readTimelineSearch, type TimelineSearch, writeInstant, zoomOf } from './timeline-search.ts';
import { usePlayback } from './use-playback.ts';

/** Milliseconds the cursor must rest before the instant is asked for; while playing it is asked for about once a second. */
const REST_MS = 250;
const EVERY_WHILE_PLAYING_MS = 1000;

function useTimelineSearch() {
  const search = readTimelineSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<TimelineSearch>) =>
      void navigate({ to: '.', search: (old: object) => ({ ...old, ...next }), replace: true, resetScroll: false }),
    [navigate],
  );
  return { search, change };
}

/** The past as it was known then: a range, a cursor that plays through it, and what was in force at it. */
export function AlertTimeline() {
  const { api, labels } = useServices();
  const { search, change } = useTimelineSearch();
  const on = readSeverities(search.on);
  const range: Range = search.range ?? '24h';
  const severity = useMemo(() => severityList(search.on), [search.on]);
  const timeline = useQuery(timelineQuery(api, range, severity, on.size > 0));
  const data = on.size > 0 ? timeline.data : undefined;
  const span = useMemo(() => (data ? spanOf(data) : null), [data]);
  const map = useRef<DrawnMap | null>(null);
  const onMap = useCallback((next: DrawnMap | null) => (map.current = next), []);
  const play = usePlayback(span, search.at ? Date.parse(search.at) : null, {
    onRest: (atMs) => change({ at: atMs === null ? undefined : writeInstant(atMs) }),
    isDrawn: () => map.current?.isStill() ?? false,
  });
  const { cursorMs, playing } = play;
  const settledMs = useSettled(cursorMs, playing ? EVERY_WHILE_PLAYING_MS : REST_MS, playing);
  const complete = data !== undefined && !data.truncated;
  const part = useMemo(
    () => (data && span && data.truncated && settledMs > 0 ? windowAround(span, data.total, settledMs) : null),
    [data, span, settledMs],
  );
  const around = useQuery(windowQuery(api, part, severity));
  const asOf = useQuery(asOfQuery(api, span && settledMs > 0 ? Math.min(settledMs, span.toMs) : null, severity));
  const items = complete ? data.items : (around.data?.items ?? NO_ITEMS);
  const markers = useMemo(() => (span ? markersOf(items, span) : []), [items, span]);
  const gaps = useMemo(
    () => (data?.coverage.gaps ?? []).map(({ from, to }) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) })),
    [data],
  );
  const counts = data && span ? countsAt(data.frames, span, cursorMs) : null;
  // The answer names the longest gaps only; where there may be more, the steps tell.
  const inGap = (atMs: number): boolean =>
    data !== undefined &&
    span !== null &&
    (isInGap(gaps, span, atMs) || (gaps.length >= GAPS_NAMED && countsAt(data.frames, span, atMs) === null));
  const stale = timeline.isPlaceholderData || (timeline.isError && data !== undefined);

  return (
    <Panel
      title="Interactive Alert Timeline"
      note="What was in force at any instant, as it was known then. Messages are markers by the time they were sent."
      actions={<Ranges range={range} onRange={(next) => change({ range: next === '24h' ? undefined : next, at: undefined })} />}
      flush
    >
      <div className="flex flex-col gap-3 px-4 pb-4">
        <fieldset className="flex flex-wrap gap-1.5">
          <legend className="sr-only">Severity</legend>
          {SEVERITIES.map((name) => (
            <SeverityChip
              key={name}
              severity={name}
              on={on.has(name)}
              onSwitch={() => change({ on: writeSeverities(switched(on, name)) })}
            />
          ))}
          {data?.items.some((item) => item.simulated) ? <Badge>Simulated weather</Badge> : null}
        </fieldset>
        <Tiles counts={counts} loading={timeline.isPending && on.size > 0} dimmed={stale} />
        {timeline.isError && data ? (
          <StaleNote onRetry={() => void timeline.refetch()} busy={timeline.isFetching}>
            The timeline could not be asked anew: {sentenceOf(timeline.error)} Shown is what was known at{' '}
            {labels.utcClock(timeline.dataUpdatedAt)}.
          </StaleNote>
        ) : null}
        {timeline.isError && !data && on.size > 0 ? (
          <ErrorCard message={sentenceOf(timeline.error)} onRetry={() => void timeline.refetch()} busy={timeline.isFetching} />
        ) : null}
        {on.size === 0 ? (
          <p className="py-8 text-center text-muted">Every severity is switched off: switch one on to see its alerts.</p>
        ) : null}
        {timeline.isPending && on.size > 0 ? <Skeleton label="Loading the timeline" rows={3} /> : null}
        {data && span ? (
          <>
            <div className="tnum flex flex-wrap justify-between gap-x-4 text-[13px] text-muted">
              <span>Start {labels.full(span.fromMs, 'UTC')}</span>
              <output aria-label="Cursor" aria-live="off" className="font-semibold text-text">
                {labels.full(cursorMs, 'UTC')}
              </output>
              <span>End {labels.full(span.toMs, 'UTC')}</span>
            </div>
            <TimeBar
              span={span}
              cursorMs={cursorMs}
              zoom={search.zoom ?? 1}
              markers={markers}
              sparkline={data.sparkline}
              gaps={gaps}
              part={part}
              onMove={play.moveTo}
            />
            <TimeControls
              playback={play}
              span={span}
              zoom={search.zoom ?? 1}
              onZoom={(zoom) => change({ zoom: zoomOf(zoom) === 1 ? undefined : zoomOf(zoom) })}
            />
            <p className="tnum text-[13px] text-muted">
              {complete
                ? `Showing all ${data.total.toLocaleString('en-US')} versions of alerts in this range.`
                : `Showing ${items.length.toLocaleString('en-US')} of ${data.total.toLocaleString('en-US')} versions of alerts: those around the cursor (shaded). The curve and the figures count all of them.`}{' '}
              Times are UTC.
            </p>
            <CoverageNote coverage={data.coverage} all={range === 'all'} />
          </>
        ) : null}
      </div>
      {data && span ? (
        <InstantPanel
          asOf={asOf.data}
          shownMs={asOf.data ? Date.parse(asOf.data.as_of) : settledMs}
          behind={asOf.isPlaceholderData || Math.abs(settledMs - cursorMs) > 1000}
          gap={inGap(asOf.data ? Date.parse(asOf.data.as_of) : settledMs)}
          error={asOf.error}
          retry={() => void asOf.refetch()}
          moving={playing && complete ? { items: data.items, cursorMs } : null}
          playing={playing}
          onMap={onMap}
        />
      ) : null}
    </Panel>
  );
}

const NO_ITEMS: [] = [];
/** At most so many gaps are named in an answer. */
const GAPS_NAMED = 20;

/** For the query: undefined where all are on. */
function severityList(text: string | undefined): Severity[] | undefined {
  const on = readSeverities(text);
  return on.size === SEVERITIES.length ? undefined : [...on];
}

/** TIME-04 */
function Ranges({ range, onRange }: { range: Range; onRange: (range: Range) => void }) {
  return (
    <fieldset className="inline-flex overflow-hidden rounded-lg border border-line-strong">
      <legend className="sr-only">Range</legend>
      {RANGES.map((name) => (
        <button
          key={name}
          type="button"
          aria-pressed={name === range}
          onClick={() => onRange(name)}
          className={`target min-w-12 px-3 text-sm font-medium not-first:border-l not-first:border-line-strong -outline-offset-2 ${
            name === range ? 'bg-accent-bg text-accent' : 'text-muted hover:bg-hover'
          }`}
        >
          {name.toUpperCase()}
        </button>
      ))}
    </fieldset>
  );
}

/** TIME-05: figures of the cursor's instant; a dash where the record knows nothing. */
function Tiles({ counts, loading, dimmed }: { counts: ReturnType<typeof countsAt>; loading: boolean; dimmed: boolean }) {
  const common = { loading, dimmed };
  return (
    <section aria-label="Figures of the instant" className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      <StatCard label="Visible alerts" value={totalOf(counts)} note="in force at the cursor" {...common} />
      {(['Extreme', 'Severe', 'Moderate'] as const).map((name) => (
        <StatCard key={name} label={name} value={counts?.[name] ?? null} note="of them" {...common} />
      ))}
    </section>
  );
}
