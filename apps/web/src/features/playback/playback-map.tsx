import '../../ui/map/map.css';
import { useEffect, useState } from 'react';
import { useTheme } from '../../api/services.ts';
import { MovingSpots } from './moving-spots.tsx';
import { MapControls } from '../../ui/map/map-controls.tsx';
import type { MapFeatures } from '../../ui/map/map-features.ts';
import type { MapEngine, MapHit } from '../../ui/map/map-types.ts';
import { useMapEngine } from '../../ui/map/use-map-engine.ts';

export interface PlaybackMapProps {
  features: MapFeatures;
  /** What an event is called, for the pointer. */
  nameOf: (eventId: string) => string | null;
  /** Draws it grey: what is shown is of another instant than the cursor's. */
  dimmed: boolean;
  /** Time runs: the map stands still, spots move over it. */
  playing: boolean;
  /** Hears of the map; null: there is none (yet). */
  onMap: (map: DrawnMap | null) => void;
}

/** What is known of a map from outside. */
export type DrawnMap = Pick<MapEngine, 'isStill'>;

/** A device that cannot draw a map has none to wait for. */
const NO_MAP: DrawnMap = { isStill: () => true };

/** The shapes of an instant. The list beside it is its twin: everything drawn here is a row there. */
export function PlaybackMap({ features, nameOf, dimmed, playing, onMap }: PlaybackMapProps) {
  const { theme } = useTheme();
  const [hit, setHit] = useState<MapHit | null>(null);
  const { container, engine, failed } = useMapEngine(
    { start: null, markers: true },
    { onHover: setHit, onPick: setHit, onView: () => {} },
    theme,
  );
  useEffect(() => {
    if (!playing) engine?.show(features);
  }, [engine, features, playing]);
  useEffect(() => {
    onMap(failed ? NO_MAP : engine);
    return () => onMap(null);
  }, [onMap, engine, failed]);
  useEffect(() => engine?.hover(hit?.ids[0] ?? null), [engine, hit]);
  // The shapes below the spots are of the instant at which playing began.
  const names = (playing ? [] : (hit?.ids ?? [])).flatMap((id) => nameOf(id) ?? []);
  if (failed) return <p className="p-6 text-center text-muted">This device cannot draw the map (no WebGL). The list has every alert.</p>;
  return (
    <section aria-label="Map of the instant" className={`relative h-72 overflow-hidden pane:h-full ${dimmed ? 'opacity-70' : ''}`}>
      <div ref={container} className={`absolute inset-0 ${playing ? 'opacity-25' : ''}`} aria-hidden="true" />
      {playing && engine ? <MovingSpots engine={engine} points={features.points.features} /> : null}
      {hit && names.length > 0 ? (
        <div
          aria-hidden="true"
          className="pointer-events-none absolute z-10 max-w-60 rounded-lg border border-line-strong bg-raised px-2.5 py-1.5 text-[13px] shadow-pop"
          style={{
            left: `clamp(8px, ${hit.x - 100}px, calc(100% - 208px))`,
            ...(hit.y > 90 ? { bottom: `calc(100% - ${hit.y - 12}px)` } : { top: hit.y + 16 }),
          }}
        >
          {names.slice(0, 3).map((name) => (
            <p key={name} className="truncate">
              {name}
            </p>
          ))}
          {names.length > 3 ? <p className="text-muted">and {names.length - 3} more</p> : null}
        </div>
      ) : null}
      {engine ? <MapControls engine={engine} /> : null}
    </section>
  );
}
