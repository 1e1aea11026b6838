import { useCallback, useReducer } from 'react';
import { useServices } from '../../api/services.ts';
import { useFreshnessLevel } from '../../api/use-freshness.ts';
import { useMedia } from '../../lib/use-media.ts';
import { useNow } from '../../lib/use-now.ts';
import { AlertList } from './alert-list.tsx';
import { AlertSide } from './alert-side.tsx';
import { csvLink } from './csv-link.ts';
import { FilterBar } from './filter-bar.tsx';
import { FreshnessLine } from './freshness-line.tsx';
import { AlertDetails, Arrivals } from './parts.ts';
import { StatCards } from './stat-cards.tsx';
import { type AlertBoard, useAlertBoard } from './use-alert-board.ts';
import { useAlertsSearch } from './use-alerts-search.ts';
import { useAutomatic } from './use-automatic.ts';

/** The alerts screen: how fresh, how many, which, where, and the one selected. */
export default function AlertsPage() {
  const { api } = useServices();
  const { search, filters, shown, change } = useAlertsSearch();
  const [automatic, setAutomatic] = useAutomatic();
  const [locate, askToLocate] = useReducer((times: number) => times + 1, 0);
  const board = useAlertBoard(shown, automatic);
  const { level } = useFreshnessLevel();
  const wide = useMedia('(min-width: 75rem)');
  const select = useCallback((alert: string | undefined) => change({ alert, details: undefined }, false), [change]);
  const open = useCallback((alert: string) => change({ alert, details: true }, false), [change]);
  // Replaced, so that the way back does not open it again. Beside a wide list the alert stays selected.
  const close = useCallback(() => change(wide ? { details: undefined } : { details: undefined, alert: undefined }), [change, wide]);
  const showOnMap = useCallback(() => {
    close();
    askToLocate();
  }, [close]);
  const dimmed = board.book !== undefined && level === 'unknown';
  const csv = csvLink(api, filters, useNow(60));
  const { counts, stats } = board;

  return (
    <main id="main" tabIndex={-1} className="mx-auto flex w-full max-w-[1600px] flex-col gap-4 px-4 py-4 outline-none sm:px-6">
      <FreshnessLine
        summary={summaryOf(board, level)}
        failed={board.error !== null}
        refreshing={board.refreshing}
        refresh={board.refresh}
        {...{ automatic, setAutomatic }}
      />
      <StatCards {...{ counts, stats, dimmed }} known={board.book !== undefined} loading={!board.book && !board.error} />
      <FilterBar
        {...{ change, counts, stats }}
        mayBeUnknown={!board.book || counts.bySeverity.Unknown > 0}
        search={filters}
        csvUrl={csv.url}
        csvName={csv.name}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-3 pane:grid-cols-[minmax(0,1fr)_22.5rem] min-[100rem]:grid-cols-[minmax(0,3.2fr)_minmax(22rem,2fr)]">
        <section aria-label="Alerts" className="card @container min-w-0">
          <AlertList {...{ board, shown, change, open, dimmed }} search={filters} />
        </section>
        <AlertSide
          {...{ board, change, select, open, showOnMap, locate, wide, dimmed }}
          search={shown}
          previewOpen={search.alert !== undefined && !search.details}
        />
      </div>
      {search.details && search.alert ? <Details id={search.alert} {...{ board, open, close, showOnMap, wide }} /> : null}
      <Arrivals book={board.book} />
    </main>
  );
}

interface DetailsProps {
  id: string;
  board: AlertBoard;
  open: (eventId: string) => void;
  close: () => void;
  showOnMap: () => void;
  wide: boolean;
}

/** The popup of one alert; what the page knows of it already shows at once. */
function Details({ id, board, open, close, showOnMap, wide }: DetailsProps) {
  const listed = board.rows.find((row) => row.alert.event_id === id)?.alert;
  return (
    <AlertDetails
      id={id}
      row={listed ?? board.book?.rows.get(id)?.alert}
      onClose={close}
      onOpen={open}
      onLocate={wide && listed?.bbox ? showOnMap : undefined}
      link={permalink(id)}
    />
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
