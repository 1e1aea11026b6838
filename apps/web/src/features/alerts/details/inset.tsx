import { useQuery } from '@tanstack/react-query';
import type { Geometry } from 'geojson';
import type { AlertDetail } from '@nwms/contract';
import { loadStates } from '../../../lib/base-shapes.ts';
import { type Drawing, drawShape } from '../../../lib/shape-path.ts';
import { type Along, alongOf, moved, ringsOf } from './date-line.ts';
import { shapeWords } from './shape-words.ts';
import { SEVERITY_TOKEN } from '../../../ui/severity.tsx';

const WIDTH = 320;
const HEIGHT = 200;
type States = Awaited<ReturnType<typeof loadStates>>;

/** Degrees: with less, a small polygon shows no border that says where it is. */
const LEAST_SPAN = 4;

/** The alert's shape over the borders of the states, and what it is made of; without a known shape it says that there is none. */
export function Inset({ detail }: { detail: AlertDetail }) {
  const geometry = detail.geometry as Geometry | null;
  const along = alongOf(geometry);
  const drawing = drawShape(moved(geometry, along), WIDTH, HEIGHT, LEAST_SPAN);
  const base = useQuery({ queryKey: ['base', 'states'], queryFn: loadStates, staleTime: Infinity, retry: 1 });
  return (
    <figure className="w-full max-w-md sm:w-72 sm:shrink-0">
      {drawing ? <Outline {...{ detail, drawing, along }} states={base.data} /> : null}
      <figcaption className="pt-1 text-xs text-muted">
        {shapeWords(detail)}
        {drawing && base.isError ? (
          <>
            {' '}
            State borders could not be loaded.{' '}
            <button type="button" className="font-medium text-accent underline" onClick={() => void base.refetch()}>
              Retry
            </button>
          </>
        ) : null}
      </figcaption>
    </figure>
  );
}

function Outline(props: { detail: AlertDetail; drawing: Drawing; along: Along; states: States | undefined }) {
  const { detail, drawing, along, states } = props;
  const token = SEVERITY_TOKEN[detail.severity] ?? 'unknown';
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Outline of the area: ${detail.area_desc}`}
      className="w-full rounded-lg border border-line bg-bg"
    >
      {states ? (
        <path
          d={borders(
            drawing,
            along,
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
function borders(drawing: Drawing, along: Along, shapes: readonly Geometry[]): string {
  let path = '';
  for (const shape of shapes) {
    for (const ring of ringsOf(shape)) {
      const points = ring.map((position) => drawing.place(along(position)));
      const xs = points.map(([x]) => x);
      const ys = points.map(([, y]) => y);
      const outside = Math.max(...xs) < 0 || Math.min(...xs) > WIDTH || Math.max(...ys) < 0 || Math.min(...ys) > HEIGHT;
      if (!outside) path += `M${points.map((point) => point.join(' ')).join('L')}Z`;
    }
  }
  return path;
}
