import '../../../ui/map/map.css';
import type { SlimAlert } from '@nwms/contract';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { useServices, useTheme } from '../../../api/services.ts';
import { MapControls } from '../../../ui/map/map-controls.tsx';
import { unwrapBox } from '../../../ui/map/map-features.ts';
import type { MapHit, MapView } from '../../../ui/map/map-types.ts';
import { useMapEngine } from '../../../ui/map/use-map-engine.ts';
import type { ShapeBook } from '../shape-book.ts';
import { alertFeatures } from './alert-features.ts';
import { HoverCard } from './hover-card.tsx';
import { MapPopup } from './map-popup.tsx';
import type { StreetMap } from './map-queries.ts';
import { startView } from './start-view.ts';
import { useHere } from './use-here.ts';
import { usePlaceOnMap } from './use-place-on-map.ts';

export interface CountryMapProps {
  /** What is drawn. */
  alerts: readonly SlimAlert[];
  shapes: ShapeBook | undefined;
  /** Vector tiles to draw instead of shapes, and of them only `alerts`; null: shapes. */
  tiles: string | null;
  streets: StreetMap | null;
  selected: SlimAlert | undefined;
  onSelect: (eventId: string | undefined) => void;
  onDetails: (eventId: string) => void;
  /** The details are open over the map: no second popup behind them. */
  covered: boolean;
  view: MapView | null;
  onView: (view: MapView) => void;
  /** A wish to have this alert in view; a new object is a new wish. */
  locate: { id: string } | null;
  /** `place` of the address. */
  place: string | undefined;
  onPlace: (address: string | undefined) => void;
  dimmed: boolean;
  /** This device cannot draw the map. */
  onFailed: () => void;
}

/** The map of the country. The list beside it is its twin for keyboards and screen readers: everything drawn here is a row there. */
export function CountryMap(props: CountryMapProps) {
  const { selected, onSelect, streets } = props;
  const { session } = useServices();
  const { theme } = useTheme();
  // The list answers first, the map follows when there is time.
  const alerts = useDeferredValue(props.alerts);
  const features = useMemo(
    // Tiles hold what is active; what is over is drawn from its shapes in either case.
    () =>
      alertFeatures(props.tiles === null ? alerts : alerts.filter((alert) => !alert.is_active), props.shapes, {
        markers: true,
        over: true,
      }),
    [alerts, props.shapes, props.tiles],
  );
  const byId = useMemo(() => new Map(props.alerts.map((alert) => [alert.event_id, alert])), [props.alerts]);
  const [hit, setHit] = useState<MapHit | null>(null);
  const [pressed, setPressed] = useState<MapHit | null>(null);
  const [, setMoved] = useState(0);
  const [ready, setReady] = useState(false);
  const { container, engine, failed } = useMapEngine(
    {
      start: props.view ?? startView,
      markers: true,
      streetTiles: streets ? { url: streets.url, max_zoom: streets.max_zoom } : null,
      token: session.token,
    },
    {
      onHover: setHit,
      onPick: (picked) => {
        const ids = picked.ids.filter((id) => byId.has(id));
        const at = ids.indexOf(selected?.event_id ?? '');
        // A second press on the same spot leads to the alert below.
        const id = ids[(at + 1) % ids.length];
        if (id === undefined) return;
        setPressed({ ...picked, ids });
        onSelect(id);
      },
      onMiss: () => onSelect(undefined),
      onView: props.onView,
      onMove: () => selected && setMoved((times) => times + 1),
      onReady: () => setReady(true),
    },
    theme,
  );
  const { onFailed } = props;
  useEffect(() => {
    if (failed) onFailed();
    // oxlint-disable-next-line react/exhaustive-deps -- told once
  }, [failed]);
  const here = useHere(props.onPlace);
  usePlaceOnMap(engine, props.place, props.view !== null);

  useEffect(() => engine?.show(features), [engine, features]);
  useEffect(() => engine?.showTiles(props.tiles), [engine, props.tiles]);
  const listed = useMemo(() => (props.tiles === null ? null : new Set(alerts.map((alert) => alert.event_id))), [alerts, props.tiles]);
  useEffect(() => engine?.showOnly(listed), [engine, listed]);
  useEffect(() => engine?.select(selected?.event_id ?? null), [engine, selected?.event_id]);
  useEffect(() => engine?.hover(hit?.ids[0] ?? null), [engine, hit]);
  useFit(props, engine);

  // Where a press chose it, else inside its shape.
  const place = pressed && pressed.ids.includes(selected?.event_id ?? '') ? ([pressed.lon, pressed.lat] as const) : selected?.label_point;
  const at = engine && selected && place ? engine.project(place[0] ?? 0, place[1] ?? 0) : null;
  const stack = place && pressed?.ids.includes(selected?.event_id ?? '') ? pressed.ids : [];

  return (
    <section aria-label="Map" className="relative h-full" data-drawn={ready ? features.areas.features.length : undefined}>
      <div className={`absolute inset-0 overflow-hidden ${props.dimmed ? 'opacity-75 grayscale' : ''}`}>
        <div ref={container} className="absolute inset-0" aria-hidden="true" />
        {failed ? (
          <p className="absolute inset-0 flex items-center justify-center p-6 text-center text-muted">
            This device cannot draw the map (no WebGL). The list has every alert.
          </p>
        ) : null}
        {hit && hit.ids[0] !== selected?.event_id ? <HoverCard hit={hit} byId={byId} /> : null}
        {engine ? <MapControls engine={engine} onLocate={here.ask} locating={here.asking} /> : null}
        {here.words ? (
          <output className="absolute top-2 left-2 max-w-[calc(100%-5rem)] rounded-lg border border-line-strong bg-raised px-3 py-1.5 text-[13px] shadow-pop">
            {here.words}
          </output>
        ) : null}
        {selected && at && !props.covered ? (
          <MapPopup
            key={selected.event_id}
            alert={selected}
            at={at}
            stack={stack}
            onOther={onSelect}
            onClose={() => onSelect(undefined)}
            onDetails={props.onDetails}
            onFit={selected.bbox && engine ? () => engine.fit(unwrapBox(selected.bbox ?? [0, 0, 0, 0])) : undefined}
          />
        ) : null}
      </div>
    </section>
  );
}

/** Brings an alert into view when that is wished, and once at the start where the address names an alert but no view. */
function useFit({ locate, selected, view }: CountryMapProps, engine: ReturnType<typeof useMapEngine>['engine']) {
  const opened = useRef(view !== null);
  const done = useRef<object | null>(null);
  const { event_id: id, bbox: box } = selected ?? {};
  useEffect(() => {
    if (!engine || !box || !locate || locate.id !== id || done.current === locate) return;
    done.current = locate;
    opened.current = true;
    engine.fit(unwrapBox(box));
  }, [engine, locate, id, box]);
  useEffect(() => {
    if (!engine || opened.current || !box) return;
    opened.current = true;
    engine.fit(unwrapBox(box), true);
  }, [engine, box]);
}
