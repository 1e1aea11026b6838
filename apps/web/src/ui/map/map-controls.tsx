import { LocateFixed, Minus, Plus } from 'lucide-react';
import { EXTENTS, type MapEngine } from './map-types.ts';

const BUTTON = 'target inline-flex min-w-9 items-center justify-center bg-surface/92 text-[13px] text-muted hover:bg-hover hover:text-text';

/** Zoom, the places of the country that do not lie together, and where the reader is. */
export function MapControls(props: { engine: MapEngine; onLocate?: (() => void) | undefined; locating?: boolean }) {
  const { engine, onLocate } = props;
  return (
    <>
      <div className="absolute top-2 right-2 flex flex-col divide-y divide-line overflow-hidden rounded-lg border border-line-strong">
        <button type="button" className={BUTTON} aria-label="Zoom the map in" onClick={() => engine.zoomBy(1)}>
          <Plus size={16} aria-hidden="true" />
        </button>
        <button type="button" className={BUTTON} aria-label="Zoom the map out" onClick={() => engine.zoomBy(-1)}>
          <Minus size={16} aria-hidden="true" />
        </button>
        {onLocate ? (
          <button type="button" className={BUTTON} aria-label="Show where I am" aria-busy={props.locating ?? false} onClick={onLocate}>
            <LocateFixed size={16} aria-hidden="true" className={props.locating ? 'motion-safe:animate-pulse' : ''} />
          </button>
        ) : null}
      </div>
      <fieldset className="absolute bottom-2 left-2 flex max-w-[calc(100%-1rem)] divide-x divide-line overflow-x-auto rounded-lg border border-line-strong">
        <legend className="sr-only">Go to</legend>
        {Object.entries(EXTENTS).map(([name, box]) => (
          <button key={name} type="button" className={`${BUTTON} px-2 whitespace-nowrap`} onClick={() => engine.fit([...box])}>
            {name}
          </button>
        ))}
      </fieldset>
    </>
  );
}
