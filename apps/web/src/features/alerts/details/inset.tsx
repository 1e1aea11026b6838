import { useQuery } from '@tanstack/react-query';
import type { Geometry, Position } from 'geojson';
import type { AlertDetail } from '@nwms/contract';
import { memo, useMemo } from 'react';
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
export const Inset = memo(function Inset({ detail }: { detail: AlertDetail }) {
  const geometry = detail.geometry as Geometry | null;
  const { along, drawing } = useMemo(() => {
    const along = alongOf(geometry);
    return { along, drawing: drawShape(moved(geometry, along), WIDTH, HEIGHT, LEAST_SPAN) };
  }, [geometry]);
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
});

function Outline(props: { detail: AlertDetail; drawing: Drawing; along: Along; states: States | undefined }) {
  const { detail, drawing, along, states } = props;
  const token = SEVERITY_TOKEN[detail.severity] ?? 'unknown';
  const around = useMemo(() => (states ? borders(drawing, along, states) : null), [drawing, along, states]);
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`Outline of the area: ${detail.area_desc}`}
      className="w-full rounded-lg border border-line bg-bg"
    >
      {around ? <path d={around} className="fill-surface stroke-line-strong" strokeWidth="1" /> : null}
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

/** Rings of which something is in the picture. Most are far from it: their boxes tell, and none of their 14,000 corners has to be placed. */
function borders({ place }: Drawing, along: Along, states: States): string {
  let path = '';
  for (const { geometry } of states.features) {
    for (const ring of ringsOf(geometry)) {
      const [southWest, northEast] = boxOf(ring, along);
      const [left, bottom] = place(southWest);
      const [right, top] = place(northEast);
      if (right < 0 || left > WIDTH || bottom < 0 || top > HEIGHT) continue;
      path += `M${ring.map((position) => place(along(position)).join(' ')).join('L')}Z`;
    }
  }
  return path;
}

function boxOf(ring: readonly Position[], along: Along): readonly [Position, Position] {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const position of ring) {
    const [lon = 0, lat = 0] = along(position);
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return [
    [west, south],
    [east, north],
  ];
}
