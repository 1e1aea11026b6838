import { useQuery } from '@tanstack/react-query';
import type { Geometry, Position } from 'geojson';
import type { AlertDetail } from '@nwms/contract';
import { loadStates } from '../../../lib/base-shapes.ts';
import { type Drawing, drawShape } from '../../../lib/shape-path.ts';
import { SEVERITY_TOKEN } from '../../../ui/severity.tsx';

const WIDTH = 320;
const HEIGHT = 200;
/** Degrees: with less, a small polygon shows no border that says where it is. */
const LEAST_SPAN = 4;

/** The alert's shape over the borders of the states. Says nothing when no shape is known: the area stands in words beside it. */
export function Inset({ detail }: { detail: AlertDetail }) {
  const drawing = drawShape(detail.geometry, WIDTH, HEIGHT, LEAST_SPAN);
  const states = useQuery({ queryKey: ['base', 'states'], queryFn: loadStates, staleTime: Infinity, retry: 1 }).data;
  if (!drawing) return null;
  const token = SEVERITY_TOKEN[detail.severity] ?? 'unknown';
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Outline of the area: ${detail.area_desc}`}
      className="w-full max-w-md rounded-lg border border-line bg-bg sm:w-72 sm:shrink-0"
    >
      {states ? (
        <path
          d={borders(
            drawing,
            states.features.map((state) => state.geometry),
          )}
          className="fill-surface stroke-line-strong"
          strokeWidth="1"
        />
      ) : null}
      <path
        d={drawing.path}
        fill={`var(--fill-${token})`}
        fillOpacity="0.35"
        stroke={`var(--edge-${token})`}
        strokeWidth="1.75"
        strokeLinejoin="round"
      />
    </svg>
  );
}

/** Rings of which something is in the picture. */
function borders(drawing: Drawing, shapes: readonly Geometry[]): string {
  let path = '';
  for (const shape of shapes) {
    const rings = shape.type === 'Polygon' ? shape.coordinates : shape.type === 'MultiPolygon' ? shape.coordinates.flat() : [];
    for (const ring of rings) {
      const points = ring.map((position: Position) => drawing.place(position));
      const xs = points.map(([x]) => x);
      const ys = points.map(([, y]) => y);
      const outside = Math.max(...xs) < 0 || Math.min(...xs) > WIDTH || Math.max(...ys) < 0 || Math.min(...ys) > HEIGHT;
      if (!outside) path += `M${points.map((point) => point.join(' ')).join('L')}Z`;
    }
  }
  return path;
}
