import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../api/services.ts';
import { SEVERITY_TOKEN } from '../../ui/severity.tsx';
import { drawShape } from '../../lib/shape-path.ts';
import { DRAWING_PLACE } from './drawing-place.ts';
import type { HeroAlert } from './hero-answer.ts';
import { isDrawable, shapeQuery } from './shape-query.ts';

const WIDTH = 240;
const HEIGHT = 216;

const degrees = (value: number, positive: string, negative: string): string =>
  `${Math.abs(value).toFixed(2)}° ${value < 0 ? negative : positive}`;

/** The alert's own outline on a bare grid: what a forecaster drew, without a map. */
export function ShapeDrawing({ alert }: { alert: HeroAlert }) {
  const services = useServices();
  const shape = useQuery(shapeQuery(services, alert));
  const drawing = drawShape(shape.data ?? null, WIDTH, HEIGHT);
  const token = SEVERITY_TOKEN[alert.severity] ?? 'unknown';
  const [west, , , north] = drawing?.box ?? [null, null, null, null];
  const label = drawing && alert.label_point ? drawing.place(alert.label_point) : null;
  return (
    <div className={DRAWING_PLACE}>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Outline of the area: ${alert.area_desc}`}
        className="block h-full w-full max-sm:h-48"
      >
        {drawing ? (
          <>
            <path
              d={drawing.path}
              fill={`var(--fill-${token})`}
              fillOpacity="0.28"
              stroke={`var(--edge-${token})`}
              strokeWidth="1.75"
              strokeLinejoin="round"
            />
            {label ? <circle cx={label[0]} cy={label[1]} r="2.5" fill={`var(--edge-${token})`} /> : null}
          </>
        ) : (
          <text x="50%" y="50%" textAnchor="middle" fill="var(--muted)" fontSize="12">
            {insteadOfShape(alert, shape)}
          </text>
        )}
      </svg>
      {drawing && north !== null && west !== null ? (
        <p className="tnum absolute top-2 left-3 text-xs text-muted">
          {degrees(north, 'N', 'S')} {degrees(west, 'E', 'W')}
        </p>
      ) : null}
    </div>
  );
}

/** What stands where the outline is not (yet): never that there is none when it only was not had. */
function insteadOfShape(alert: HeroAlert, { isPending, isError }: { isPending: boolean; isError: boolean }): string {
  if (alert.geometry_source === 'none') return 'No shape was sent';
  if (!isDrawable(alert)) return `${alert.ugc.length} zones`;
  if (isError) return 'The shape cannot be loaded';
  return isPending ? '' : 'No shape was sent';
}
