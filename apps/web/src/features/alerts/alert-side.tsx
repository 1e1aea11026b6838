import { memo, useEffect, useMemo } from 'react';
import { whenIdle } from '../../lib/when-idle.ts';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { FailedPart, FailedWindow } from '../../ui/part-failed.tsx';
import { AlertDetails } from './parts.ts';
import { readView, writeView } from './map/map-view.ts';
import type { AlertsSearch } from './search-params.ts';
import { SidePanel } from './side-panel.tsx';
import type { AlertBoard } from './use-alert-board.ts';
import type { ChangeAlerts } from './use-alerts-search.ts';

const AlertPreview = lazyPart({
  load: async () => (await import('./alert-preview.tsx')).AlertPreview,
  Waiting: () => <p className="p-4 text-muted">Loading …</p>,
  Failed: FailedPart,
});
const DetailDrawer = lazyPart({ load: async () => (await import('./detail-drawer.tsx')).DetailDrawer, Failed: FailedWindow });

/** What a chosen alert is shown in, ahead of the first that is chosen: a key that closes it must find it there. */
function usePrepared(wide: boolean, loaded: boolean): void {
  useEffect(() => {
    if (!loaded) return undefined;
    return whenIdle(() => {
      AlertDetails.prepare();
      AlertPreview.prepare();
      if (!wide) DetailDrawer.prepare();
    });
  }, [wide, loaded]);
}

export interface AlertSideProps {
  board: AlertBoard;
  /** What the board was made for. */
  search: AlertsSearch;
  change: ChangeAlerts;
  /** Selects an alert, or none. */
  select: (eventId: string | undefined) => void;
  /** Opens its details. */
  open: (eventId: string) => void;
  /** Closes the details and brings the selected alert into view. */
  showOnMap: () => void;
  /** Counts up with every such wish. */
  locate: number;
  wide: boolean;
  /** On narrow screens: the preview is open over the list. */
  previewOpen: boolean;
  dimmed: boolean;
}

/** Beside the rows: the map and the selected alert. On narrow screens that alert lies over the rows, in a drawer. */
export const AlertSide = memo(function AlertSide(props: AlertSideProps) {
  const { board, search, change, wide, locate, select, dimmed } = props;
  usePrepared(wide, board.book !== undefined);
  const active = useMemo(
    () => [...(board.book?.rows.values() ?? [])].map((row) => row.alert).filter((alert) => alert.is_active),
    [board.book],
  );
  const filtered = Boolean(search.severity ?? search.event ?? search.q);
  const listed = useMemo(() => (filtered ? new Set(board.rows.map((row) => row.alert.event_id)) : null), [board.rows, filtered]);
  const selected = search.alert ? board.rows.find((row) => row.alert.event_id === search.alert)?.alert : undefined;
  const map = useMemo(
    () => ({
      alerts: active,
      listed,
      selectedId: search.alert,
      onSelect: select,
      view: readView(search.map),
      onView: (view: Parameters<typeof writeView>[0]) => change({ map: writeView(view) }),
      locate,
      place: search.place,
      onPlace: (place: string | undefined) => change({ place, map: undefined }),
      dimmed,
    }),
    [active, listed, search.alert, search.map, search.place, select, change, locate, dimmed],
  );
  const preview = search.alert ? (
    <AlertPreview
      key={search.alert}
      eventId={search.alert}
      row={selected ?? board.book?.rows.get(search.alert)?.alert}
      onDetails={props.open}
      onLocate={wide && selected?.bbox ? props.showOnMap : undefined}
    />
  ) : null;
  return (
    <>
      <SidePanel wide={wide} preview={preview} map={map} />
      {wide || preview === null ? null : (
        <DetailDrawer open={props.previewOpen} onClose={() => select(undefined)}>
          {preview}
        </DetailDrawer>
      )}
    </>
  );
});
