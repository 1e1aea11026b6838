import { useQuery } from '@tanstack/react-query';
import { memo, useCallback, useMemo, useState } from 'react';
import { useServices } from '../../../api/services.ts';
import { lazyPart } from '../../../ui/lazy-part.tsx';
import { canDrawMap } from '../../../ui/map/can-draw-map.ts';
import { MapLegend } from '../../../ui/map/map-legend.tsx';
import type { MapView } from '../../../ui/map/map-types.ts';
import { FailedPart } from '../../../ui/part-failed.tsx';
import { mapBaseQuery } from './map-queries.ts';
import type { MapSearch } from './map-search.ts';
import { readView, writeView } from './map-view.ts';
import { tileAddress } from './tile-address.ts';
import type { MapBoard } from './use-map-board.ts';

const CountryMap = lazyPart({
  load: async () => (await import('./country-map.tsx')).CountryMap,
  Waiting: () => <div className="skeleton h-full rounded-none" />,
  Failed: FailedPart,
});
const PlacePanel = lazyPart({
  load: async () => (await import('./place-panel.tsx')).PlacePanel,
  // As high as what comes, for fingers and for a mouse.
  Waiting: () => (
    <div className="border-b border-line">
      <div className="target" />
    </div>
  ),
  Failed: FailedPart,
});

export interface MapCardProps {
  board: MapBoard;
  /** What the board was made for. */
  search: MapSearch;
  change: (next: Partial<MapSearch>) => void;
  /** Selects an alert, or none. */
  select: (eventId: string | undefined) => void;
  details: (eventId: string) => void;
  /** Selects an alert and brings it into view. */
  choose: (eventId: string) => void;
  locate: { id: string } | null;
  dimmed: boolean;
}

/** The map with what finds places on it, what its signs mean and whose data it shows. */
export const MapCard = memo(function MapCard({ board, search, change, select, details, choose, locate, dimmed }: MapCardProps) {
  const { api, origin } = useServices();
  const base = useQuery(mapBaseQuery(api));
  const [drawable, setDrawable] = useState(canDrawMap);
  const drawn = useMemo(() => board.rows.map(({ alert }) => alert), [board.rows]);
  const tiles = board.tiled ? tileAddress(origin, search, board.book?.seq ?? 0) : null;
  const view = useMemo(() => readView(search.map), [search.map]);
  const onView = useCallback((next: MapView) => change({ map: writeView(next) }), [change]);
  const onPlace = useCallback((place: string | undefined) => change({ place, map: undefined }), [change]);
  const onFailed = useCallback(() => setDrawable(false), []);
  return (
    <div className="card flex min-w-0 flex-col">
      <PlacePanel address={search.place} onPlace={onPlace} onSelect={choose} />
      <div className={drawable ? 'h-[62dvh] min-h-80 pane:h-[max(26rem,calc(100dvh-25.5rem))]' : 'h-28'}>
        {base.isPending ? (
          <div className="skeleton h-full rounded-none" />
        ) : (
          <CountryMap
            alerts={drawn}
            shapes={board.shapes.book}
            streets={base.data ?? null}
            selected={search.alert ? drawn.find((alert) => alert.event_id === search.alert) : undefined}
            onSelect={select}
            onDetails={details}
            covered={search.details ?? false}
            place={search.place}
            {...{ tiles, view, onView, locate, onPlace, dimmed, onFailed }}
          />
        )}
      </div>
      <div className="flex flex-col gap-1.5 border-t border-line px-4 py-2.5">
        <MapLegend over={search.scope === 'all'} />
        <Notes board={board} attribution={base.data?.attribution ?? null} />
      </div>
    </div>
  );
});

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
