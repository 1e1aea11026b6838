import '../../../ui/map/map.css';
import { useQuery } from '@tanstack/react-query';
import type { SlimAlert } from '@nwms/contract';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { useServices, useTheme } from '../../../api/services.ts';
import { MapControls } from '../../../ui/map/map-controls.tsx';
import { unwrapBox } from '../../../ui/map/map-features.ts';
import { Outline } from '../../../ui/map/map-legend.tsx';
import type { MapHit, MapView } from '../../../ui/map/map-types.ts';
import { useMapEngine } from '../../../ui/map/use-map-engine.ts';
import { bookQuery, shapesQuery } from '../queries.ts';
import { alertFeatures } from './alert-features.ts';
import { HoverCard } from './hover-card.tsx';
import { PlacePanel } from './place-panel.tsx';
import { tileAddress } from './tile-address.ts';
import { TILES_ABOVE } from './use-map-board.ts';
import { usePlaceOnMap } from './use-place-on-map.ts';
import { useRefreshOutdated } from './use-refresh-outdated.ts';

export interface AlertMapProps {
  /** Everything that is active. */
  alerts: readonly SlimAlert[];
  /** The filtered rows: only these are drawn; null: all. */
  listed: ReadonlySet<string> | null;
  selectedId: string | undefined;
  onSelect: (eventId: string) => void;
  view: MapView | null;
  onView: (view: MapView) => void;
  /** Counts up to ask for the selected alert to be brought into view. */
  locate: number;
  /** `place` of the address. */
  place: string | undefined;
  onPlace: (address: string | undefined) => void;
  dimmed: boolean;
}

/** The map. The list is its twin for keyboards and screen readers: everything drawn here is a row there. */
export function AlertMap(props: AlertMapProps) {
  const { api, origin, session } = useServices();
  const tiled = props.alerts.length > TILES_ABOVE;
  const book = useQuery(bookQuery).data;
  // Until the list is here nobody knows whether there are too many for shapes.
  const shapes = useQuery(shapesQuery(api, book !== undefined && !tiled));
  const tiles = tiled ? tileAddress(origin, {}, book?.seq ?? 0) : null;
  // The list answers first, the map follows when there is time.
  const alerts = useDeferredValue(props.alerts);
  const listed = useDeferredValue(props.listed);
  // Tiles hold everything that is active.
  const features = useMemo(() => alertFeatures(tiled ? [] : alerts, shapes.data), [alerts, shapes.data, tiled]);
  const byId = useMemo(() => new Map(props.alerts.map((alert) => [alert.event_id, alert])), [props.alerts]);
  const [hit, setHit] = useState<MapHit | null>(null);
  const { theme } = useTheme();
  const events = {
    onHover: setHit,
    onPick: (picked: MapHit) => {
      const at = picked.ids.indexOf(props.selectedId ?? '');
      // A second click on the same spot leads to the alert below.
      const id = picked.ids[(at + 1) % picked.ids.length];
      if (id !== undefined) props.onSelect(id);
    },
    onView: props.onView,
  };
  const { container, engine, failed } = useMapEngine({ start: props.view, token: session.token }, events, theme);

  usePlaceOnMap(engine, props.place, props.view !== null);
  useRefreshOutdated(tiled ? NONE : alerts, shapes);
  useEffect(() => engine?.showTiles(tiles), [engine, tiles]);
  useEffect(() => engine?.show(features), [engine, features]);
  useEffect(() => engine?.showOnly(listed), [engine, listed]);
  useEffect(() => engine?.select(props.selectedId ?? null), [engine, props.selectedId]);
  useEffect(() => engine?.hover(hit?.ids[0] ?? null), [engine, hit]);
  useEffect(() => {
    const box = byId.get(props.selectedId ?? '')?.bbox;
    if (props.locate > 0 && engine && box) engine.fit(unwrapBox(box));
    // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies -- only the request moves the map, not new data
  }, [engine, props.locate]);

  return (
    <section aria-label="Map of the listed alerts" className="relative">
      <PlacePanel address={props.place} onPlace={props.onPlace} onSelect={props.onSelect} />
      <div className={`relative h-72 sm:max-pane:h-96 overflow-hidden ${props.dimmed && !failed ? 'opacity-75 grayscale' : ''}`}>
        <div ref={container} className="absolute inset-0" aria-hidden="true" />
        {failed ? (
          <p className="absolute inset-0 flex items-center justify-center p-6 text-center text-muted">
            This device cannot draw the map (no WebGL). The list has every alert.
          </p>
        ) : null}
        {hit ? <HoverCard hit={hit} byId={byId} /> : null}
        {engine ? <MapControls engine={engine} /> : null}
      </div>
      <MapNotes
        undrawn={features.undrawn}
        loading={shapes.isPending && !tiled}
        failed={shapes.isError}
        retry={() => void shapes.refetch()}
      />
    </section>
  );
}

const NONE: [] = [];

function MapNotes(props: { undrawn: number; loading: boolean; failed: boolean; retry: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 px-4 pt-2 text-xs text-muted">
      <ul className="flex flex-wrap gap-x-3 gap-y-1" aria-label="Outlines">
        <Outline dash="" label="issued area" />
        <Outline dash="5 3" label="zones" />
        <Outline dash="1.5 2.5" label="counties" />
      </ul>
      <p>Alerts: NWS · Borders: US Census</p>
      {props.failed ? (
        <p className="text-bad">
          Shapes could not be loaded.{' '}
          <button type="button" className="font-medium text-accent underline" onClick={props.retry}>
            Retry
          </button>
        </p>
      ) : null}
      {props.loading ? <p>Loading shapes …</p> : null}
      {!props.loading && props.undrawn > 0 ? <p>{props.undrawn} not drawn: no known shape</p> : null}
    </div>
  );
}
