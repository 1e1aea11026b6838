import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useDeferredValue, useMemo, useState } from 'react';
import { MAP_EVERY_SECONDS } from '../../../api/intervals.ts';
import { useServices } from '../../../api/services.ts';
import { useFreshnessLevel } from '../../../api/use-freshness.ts';
import { durationLabel } from '../../../lib/time-labels.ts';
import { Page } from '../../../ui/page.tsx';
import { Select } from '../../../ui/select.tsx';
import { FreshnessLine } from '../freshness-line.tsx';
import { AlertDetails, Arrivals } from '../parts.ts';
import { MapCard } from './map-card.tsx';
import { MapFilters } from './map-filters.tsx';
import { isSameList, MAP_DEFAULTS, type MapSearch, readMapSearch } from './map-search.ts';
import { MapTiles } from './map-tiles.tsx';
import { Twin } from './map-twin.tsx';
import { type MapBoard, useMapBoard } from './use-map-board.ts';
import { type MapRefresh, useMapRefresh } from './use-map-refresh.ts';

/** As on the alerts screen: what was pressed answers first, list and map follow as `shown`. */
function useMapSearch() {
  const given = useSearch({ strict: false });
  const search = useMemo(() => readMapSearch(given), [given]);
  const shown = useDeferredValue(search);
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<MapSearch>, replace = true) =>
      void navigate({ to: '.', search: (old: object) => ({ ...old, ...next }), replace, resetScroll: false }),
    [navigate],
  );
  return { search, shown, change };
}

/** The map screen: every alert where it is, and the same alerts as a list beside it. */
export default function MapPage() {
  const { origin } = useServices();
  const { search, shown, change } = useMapSearch();
  const [refresh, setRefresh] = useMapRefresh();
  const board = useMapBoard(shown, refresh.automatic ? refresh.everySeconds : null);
  const { level } = useFreshnessLevel();
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
  const clear = useCallback(() => change(MAP_DEFAULTS), [change]);
  const close = useCallback(() => change({ details: undefined }), [change]);
  const dimmed = board.book !== undefined && level === 'unknown';

  return (
    <Page>
      <Freshness board={board} refresh={refresh} setRefresh={setRefresh} />
      <MapTiles board={board} dimmed={dimmed} />
      <MapFilters search={search} change={change} counts={board.counts} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-stretch gap-3 pane:grid-cols-[minmax(0,1fr)_22.5rem]">
        <MapCard {...{ board, change, select, details, choose, locate, dimmed }} search={shown} />
        <section
          aria-label="List of the map"
          className="card relative min-w-0 overflow-x-hidden pane:max-h-[max(31.5rem,calc(100dvh-20rem))] pane:overflow-y-auto"
        >
          <Twin {...{ board, level, choose, details, clear, dimmed }} selectedId={search.alert} following={!isSameList(search, shown)} />
        </section>
      </div>
      {search.details && search.alert ? (
        <Details id={search.alert} link={`${origin}/map?${permalink(search.alert)}`} {...{ board, details, close, choose }} />
      ) : null}
      <Arrivals book={board.book} />
    </Page>
  );
}

const permalink = (id: string) => new URLSearchParams({ alert: id, details: 'true' });

interface DetailsProps {
  id: string;
  link: string;
  board: MapBoard;
  details: (eventId: string) => void;
  close: () => void;
  choose: (eventId: string) => void;
}

/** The popup of one alert; what the page knows of it already shows at once. */
function Details({ id, link, board, details, close, choose }: DetailsProps) {
  const listed = board.rows.find(({ alert }) => alert.event_id === id)?.alert;
  const row = listed ?? board.book?.rows.get(id)?.alert;
  return <AlertDetails {...{ id, row, link }} onClose={close} onOpen={details} onLocate={listed?.bbox ? () => choose(id) : undefined} />;
}

const EVERY = MAP_EVERY_SECONDS.map((seconds) => ({ value: String(seconds), label: durationLabel(seconds) }));

/** How old the data is, and how often the map asks for newer. */
function Freshness(props: { board: MapBoard; refresh: MapRefresh; setRefresh: (next: Partial<MapRefresh>) => void }) {
  const { board, setRefresh } = props;
  const { automatic, everySeconds } = props.refresh;
  const setAutomatic = useCallback((on: boolean) => setRefresh({ automatic: on }), [setRefresh]);
  const interval = useMemo(
    () => (
      <Select
        label="Refresh every"
        value={String(everySeconds)}
        options={EVERY}
        onChange={(value) => setRefresh({ everySeconds: Number(value) })}
      />
    ),
    [everySeconds, setRefresh],
  );
  const { active, upcoming } = board.counts;
  return (
    <FreshnessLine
      summary={board.book ? `${active.toLocaleString('en-US')} active, ${upcoming.toLocaleString('en-US')} of them upcoming` : null}
      failed={board.error !== null}
      refreshing={board.refreshing}
      refresh={board.refresh}
      {...{ automatic, setAutomatic, interval }}
    />
  );
}
