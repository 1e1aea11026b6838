import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { MAP_EVERY_SECONDS } from '../../../api/intervals.ts';
import { useServices } from '../../../api/services.ts';
import { useFreshnessLevel } from '../../../api/use-freshness.ts';
import { durationLabel } from '../../../lib/time-labels.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { MapLegend } from '../../../ui/map/map-legend.tsx';
import { Page } from '../../../ui/page.tsx';
import { FailedPart } from '../../../ui/part-failed.tsx';
import { Select } from '../../../ui/select.tsx';
import { Skeleton } from '../../../ui/states.tsx';
import { EmptyNotice, emptyKind } from '../empty-notice.tsx';
import { FreshnessLine } from '../freshness-line.tsx';
import { AlertDetails, Arrivals } from '../parts.ts';
import { MapFilters } from './map-filters.tsx';
import { MapList } from './map-list.tsx';
import { mapBaseQuery } from './map-queries.ts';
import { MAP_DEFAULTS, type MapSearch, readMapSearch } from './map-search.ts';
import { readView, writeView } from './map-view.ts';
import { MapTiles } from './map-tiles.tsx';
import { tileAddress } from './tile-address.ts';
import { type MapBoard, useMapBoard } from './use-map-board.ts';
import { useMapRefresh } from './use-map-refresh.ts';

const CountryMap = lazyPart({
  load: async () => (await import('./country-map.tsx')).CountryMap,
  Waiting: () => <div className="skeleton h-full rounded-none" />,
  Failed: FailedPart,
});
const PlacePanel = lazyPart({
  load: async () => (await import('./place-panel.tsx')).PlacePanel,
  Waiting: () => <div className="h-11 border-b border-line" />,
  Failed: FailedPart,
});

function useMapSearch() {
  const search = readMapSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<MapSearch>, replace = true) =>
      void navigate({ to: '.', search: (old: object) => ({ ...old, ...next }), replace, resetScroll: false }),
    [navigate],
  );
  return { search, change };
}

/** The map screen: every alert where it is, and the same alerts as a list beside it. */
export default function MapPage() {
  const { api, origin } = useServices();
  const { search, change } = useMapSearch();
  const [refresh, setRefresh] = useMapRefresh();
  const board = useMapBoard(search, refresh.automatic ? refresh.everySeconds : null);
  const base = useQuery(mapBaseQuery(api));
  const { level } = useFreshnessLevel();
  const [drawable, setDrawable] = useState(true);
  const [locate, setLocate] = useState<{ id: string } | null>(null);
  const select = useCallback((alert: string | undefined) => change({ alert, details: undefined }), [change]);
  const details = useCallback((alert: string) => change({ alert, details: true }, false), [change]);
  const choose = useCallback(
    (alert: string) => {
      select(alert);
      setLocate({ id: alert });
    },
    [select],
  );
  const onPlace = useCallback((place: string | undefined) => change({ place, map: undefined }), [change]);
  const drawn = useMemo(() => board.rows.map(({ alert }) => alert), [board.rows]);
  const dimmed = board.book !== undefined && level === 'unknown';
  const row = search.alert ? (board.rows.find(({ alert }) => alert.event_id === search.alert)?.alert ?? undefined) : undefined;
  const anyRow = row ?? (search.alert ? board.book?.rows.get(search.alert)?.alert : undefined);
  const tiles = board.tiled ? tileAddress(origin, search, board.book?.seq ?? 0) : null;

  return (
    <Page>
      <FreshnessLine
        summary={
          board.book
            ? `${board.counts.active.toLocaleString('en-US')} active, ${board.counts.upcoming.toLocaleString('en-US')} of them upcoming`
            : null
        }
        failed={board.error !== null}
        refreshing={board.refreshing}
        refresh={board.refresh}
        automatic={refresh.automatic}
        setAutomatic={(automatic) => setRefresh({ automatic })}
        interval={
          <Select
            label="Refresh every"
            value={String(refresh.everySeconds)}
            options={MAP_EVERY_SECONDS.map((seconds) => ({ value: String(seconds), label: durationLabel(seconds) }))}
            onChange={(value) => setRefresh({ everySeconds: Number(value) })}
          />
        }
      />
      <MapTiles board={board} dimmed={dimmed} />
      <MapFilters search={search} change={change} counts={board.counts} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-3 pane:grid-cols-[minmax(0,1fr)_22.5rem]">
        <div className="card flex min-w-0 flex-col">
          <PlacePanel address={search.place} onPlace={onPlace} onSelect={choose} />
          <div className={drawable ? 'h-[62dvh] min-h-80 pane:h-[max(26rem,calc(100dvh-25.5rem))]' : 'h-28'}>
            {base.isPending ? (
              <div className="skeleton h-full rounded-none" />
            ) : (
              <CountryMap
                alerts={drawn}
                shapes={board.shapes.book}
                tiles={tiles}
                streets={base.data ?? null}
                selected={row}
                onSelect={select}
                onDetails={details}
                covered={search.details ?? false}
                view={readView(search.map)}
                onView={(view) => change({ map: writeView(view) })}
                locate={locate}
                place={search.place}
                onPlace={onPlace}
                dimmed={dimmed}
                onFailed={() => setDrawable(false)}
              />
            )}
          </div>
          <div className="flex flex-col gap-1.5 border-t border-line px-4 py-2.5">
            <MapLegend over={search.scope === 'all'} />
            <Notes board={board} attribution={base.data?.attribution ?? null} />
          </div>
        </div>
        <section
          aria-label="List of the map"
          className="card relative min-w-0 overflow-x-hidden pane:max-h-[max(31.5rem,calc(100dvh-20rem))] pane:overflow-y-auto"
        >
          <Twin {...{ board, level, search, choose, details, dimmed }} clear={() => change(MAP_DEFAULTS)} />
        </section>
      </div>
      {search.details && search.alert ? (
        <AlertDetails
          id={search.alert}
          row={anyRow}
          onClose={() => change({ details: undefined })}
          onOpen={details}
          onLocate={row?.bbox ? () => (change({ details: undefined }), setLocate({ id: row.event_id })) : undefined}
          link={`${origin}/map?${new URLSearchParams({ alert: search.alert, details: 'true' })}`}
        />
      ) : null}
      <Arrivals book={board.book} />
    </Page>
  );
}

interface TwinProps {
  board: MapBoard;
  level: 'fresh' | 'stale' | 'unknown';
  search: MapSearch;
  choose: (eventId: string) => void;
  details: (eventId: string) => void;
  clear: () => void;
  dimmed: boolean;
}

/** The list, or what stands in its place. */
function Twin({ board, level, search, choose, details, clear, dimmed }: TwinProps) {
  if (!board.book && !board.error) return <Skeleton label="Loading alerts" rows={8} className="p-3" />;
  if (board.rows.length === 0) {
    const kind = emptyKind({ loaded: board.book !== undefined, level, scopeTotal: board.scopeTotal });
    return <EmptyNotice kind={kind} error={board.error} retry={board.refresh} clear={clear} />;
  }
  return (
    <>
      <p className="tnum sticky top-0 z-[1] border-b border-line bg-surface px-3 py-2 text-[13px] text-muted">
        Showing {board.rows.length.toLocaleString('en-US')} of {board.matching.toLocaleString('en-US')}, the most dangerous first
      </p>
      <MapList rows={board.rows} selectedId={search.alert} onSelect={choose} onDetails={details} onFit={choose} dimmed={dimmed} />
    </>
  );
}

function Notes({ board, attribution }: { board: MapBoard; attribution: { text: string; url: string | null } | null }) {
  const { shapes } = board;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-muted">
      <p>
        Alerts: NWS · Borders: US Census
        {attribution ? ' · Streets: ' : null}
        {attribution?.url ? (
          <a href={attribution.url} target="_blank" rel="noopener noreferrer" className="underline">
            {attribution.text}
          </a>
        ) : (
          attribution?.text
        )}
      </p>
      {shapes.failed ? (
        <p className="text-bad">
          Shapes could not be loaded: markers alone are drawn.{' '}
          <button type="button" className="font-medium text-accent underline" onClick={shapes.retry}>
            Retry
          </button>
        </p>
      ) : null}
      {shapes.loading ? <p>Loading shapes …</p> : null}
      {board.tiled ? <p>Drawn as tiles: {board.counts.active.toLocaleString('en-US')} alerts are active</p> : null}
    </div>
  );
}
