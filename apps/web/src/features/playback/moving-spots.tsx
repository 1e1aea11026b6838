import type { Severity } from '@nwms/domain/alert/vocabulary';
import { useEffect, useRef } from 'react';
import { SEVERITY_TOKEN } from '../../ui/severity.tsx';
import type { PointFeature } from '../../ui/map/map-features.ts';
import type { MapEngine } from '../../ui/map/map-types.ts';
import { drawSpots } from './draw-spots.ts';

/**
 * What is in force while time runs: spots on a canvas of its own over the map, which stands still meanwhile. To draw the map anew takes
 * a device without a graphics card seconds, ten times a second is out of reach of many.
 */
export function MovingSpots({ engine, points }: { engine: Pick<MapEngine, 'project'>; points: readonly PointFeature[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    const context = current?.getContext('2d');
    if (!current || !context) return;
    const { clientWidth, clientHeight } = current;
    const ratio = Math.min(2, devicePixelRatio || 1);
    // Setting the size also clears it.
    current.width = Math.round(clientWidth * ratio);
    current.height = Math.round(clientHeight * ratio);
    context.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    drawSpots(context, points, {
      place: ([lon = 0, lat = 0]) => engine.project(lon, lat),
      fillOf: (severity) => style.getPropertyValue(`--fill-${SEVERITY_TOKEN[severity as Severity] ?? SEVERITY_TOKEN.Unknown}`).trim(),
      edge: style.getPropertyValue('--surface').trim(),
    });
  }, [engine, points]);
  return <canvas ref={canvas} aria-hidden="true" className="pointer-events-none absolute inset-0 size-full" />;
}
