import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useServices } from '../../api/services.ts';
import { useFreshnessLevel } from '../../api/use-freshness.ts';
import { useMedia } from '../../lib/use-media.ts';
import { useNow } from '../../lib/use-now.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { FailedPart, FailedWindow } from '../../ui/part-failed.tsx';
import { AlertList } from './alert-list.tsx';
import { csvLink } from './csv-link.ts';
import { FilterBar } from './filter-bar.tsx';
import { FreshnessLine } from './freshness-line.tsx';
import { type AlertsSearch, readAlertsSearch } from './search-params.ts';
import { readView, writeView } from './map/map-view.ts';
import { AlertDetails, Arrivals } from './parts.ts';
import { SidePanel } from './side-panel.tsx';
import { StatCards } from './stat-cards.tsx';
import { type AlertBoard, useAlertBoard } from './use-alert-board.ts';
import { useAutomatic } from './use-automatic.ts';

// Loaded with the first alert that is chosen.
const AlertPreview = lazyPart({
  load: async () => (await import('./alert-preview.tsx')).AlertPreview,
  Waiting: () => <p className="p-4 text-muted">Loading …</p>,
  Failed: FailedPart,
});
const DetailDrawer = lazyPart({ load: async () => (await import('./detail-drawer.tsx')).DetailDrawer, Failed: FailedWindow });

/** Changes of the address that keep the page number. */
const KEEPS_PAGE = new Set<string>(['page', 'alert', 'details', 'map', 'place']);

function useAlertsSearch() {
  const search = readAlertsSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<AlertsSearch>, replace = true) => {
      const page = Object.keys(next).every((name) => KEEPS_PAGE.has(name)) ? {} : { page: undefined };
      void navigate({ to: '.', search: (old: AlertsSearch) => ({ ...old, ...page, ...next }), replace, resetScroll: false });
    },
    [navigate],
  );
  return { search, change };
}

/** The alerts screen: how fresh, how many, which, where, and the one selected. */
export default function AlertsPage() {
  const { api } = useServices();
  const { search, change } = useAlertsSearch();
  const [automatic, setAutomatic] = useAutomatic();
  const [locate, setLocate] = useState(0);
  const board = useAlertBoard(search, automatic);
  const freshness = useFreshnessLevel();
  const wide = useMedia('(min-width: 75rem)');
  const select = useCallback((alert: string | undefined) => change({ alert, details: undefined }, false), [change]);
  const open = useCallback((alert: string) => change({ alert, details: true }, false), [change]);
  const onPlace = useCallback((place: string | undefined) => change({ place, map: undefined }), [change]);
  // Replaced, so that the way back does not open it again. Beside a wide list the alert stays selected.
  const close = useCallback(() => change(wide ? { details: undefined } : { details: undefined, alert: undefined }), [change, wide]);
  const active = useMemo(
    () => [...(board.book?.rows.values() ?? [])].map((row) => row.alert).filter((alert) => alert.is_active),
    [board.book],
  );
  const filtered = Boolean(search.severity ?? search.event ?? search.q);
  const listed = useMemo(() => (filtered ? new Set(board.rows.map((row) => row.alert.event_id)) : null), [board.rows, filtered]);
  const dimmed = board.book !== undefined && freshness.level === 'unknown';
  const selected = search.alert ? board.rows.find((row) => row.alert.event_id === search.alert)?.alert : undefined;
  const csv = csvLink(api, search, useNow(60));
  const preview = search.alert ? (
    <AlertPreview
      key={search.alert}
      eventId={search.alert}
      row={selected ?? board.book?.rows.get(search.alert)?.alert}
      onDetails={open}
      onLocate={wide && selected?.bbox ? () => setLocate((times) => times + 1) : undefined}
    />
  ) : null;

  return (
    <main id="main" tabIndex={-1} className="mx-auto flex w-full max-w-[1600px] flex-col gap-4 px-4 py-4 outline-none sm:px-6">
      <FreshnessLine
        summary={summaryOf(board, freshness.level)}
        failed={board.error !== null}
        refreshing={board.refreshing}
        refresh={board.refresh}
        {...{ automatic, setAutomatic }}
      />
      <StatCards
        counts={board.counts}
        stats={board.stats}
        known={board.book !== undefined}
        loading={!board.book && !board.error}
        dimmed={dimmed}
      />
      <FilterBar {...{ search, change }} counts={board.counts} stats={board.stats} csvUrl={csv.url} csvName={csv.name} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 pane:grid-cols-[minmax(0,1fr)_22.5rem] min-[100rem]:grid-cols-[minmax(0,3.2fr)_minmax(22rem,2fr)]">
        <section aria-label="Alerts" className="card @container min-w-0">
          <AlertList {...{ board, search, change, open, dimmed }} />
        </section>
        <SidePanel
          wide={wide}
          preview={preview}
          map={{
            alerts: active,
            listed,
            selectedId: search.alert,
            onSelect: select,
            view: readView(search.map),
            onView: (view) => change({ map: writeView(view) }),
            locate,
            place: search.place,
            onPlace,
            dimmed,
          }}
        />
      </div>
      {wide || preview === null ? null : (
        <DetailDrawer open={!search.details} onClose={() => select(undefined)}>
          {preview}
        </DetailDrawer>
      )}
      {search.details && search.alert ? (
        <AlertDetails
          id={search.alert}
          row={selected ?? board.book?.rows.get(search.alert)?.alert}
          onClose={close}
          onOpen={open}
          onLocate={wide && selected?.bbox ? () => (close(), setLocate((times) => times + 1)) : undefined}
          link={permalink(search.alert)}
        />
      ) : null}
      <Arrivals book={board.book} />
    </main>
  );
}

/** Address of an alert's popup, without the filters of the moment. */
const permalink = (id: string): string => `${window.location.origin}/weather-alerts?${new URLSearchParams({ alert: id, details: 'true' })}`;

/** "525 active in 32 event types · 171 still upcoming" */
function summaryOf(board: AlertBoard, level: string): string | null {
  if (!board.book) return null;
  const { active, upcoming, byEvent } = board.counts;
  const cancelled = board.stats?.by_state['cancelled'];
  const parts = [
    `${(active - upcoming).toLocaleString('en-US')} in force, ${upcoming.toLocaleString('en-US')} upcoming, in ${byEvent.length} event ${byEvent.length === 1 ? 'type' : 'types'}`,
  ];
  if (cancelled) parts.push(`${cancelled.toLocaleString('en-US')} cancelled in 24 h`);
  return `${level === 'unknown' ? 'Then: ' : ''}${parts.join(' · ')}`;
}
