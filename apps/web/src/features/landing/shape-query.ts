import { queryOptions } from '@tanstack/react-query';
import type { alerts } from '@nwms/contract';
import type { Geometry } from 'geojson';
import { line } from '../../api/line.ts';
import type { Services } from '../../api/services.ts';
import type { HeroAlert } from './hero-answer.ts';

const ALERT = line<typeof alerts.getAlert>('GET', '/alerts/{id}');

/** Shapes put together of more zones than this can be hundreds of kilobytes: too much for a small picture. */
const MOST_ZONES = 24;

/** Whether the outline of this alert is small enough to be fetched for a drawing. */
export const isDrawable = (alert: Pick<HeroAlert, 'geometry_source' | 'ugc'>): boolean =>
  alert.geometry_source === 'polygon' || (alert.geometry_source !== 'none' && alert.ugc.length <= MOST_ZONES);

/** The outline of this version of the alert, fetched once: the list is asked every 30 s and does without shapes. */
export const shapeQuery = ({ api }: Services, alert: HeroAlert) =>
  queryOptions<Geometry | null>({
    queryKey: ['landing', 'shape', alert.event_id, alert.version],
    queryFn: async ({ signal }) => {
      const detail = await api.call(ALERT, { params: { id: alert.event_id }, query: { geometry: 'display' }, signal });
      return (detail.geometry as Geometry | undefined) ?? null;
    },
    enabled: isDrawable(alert),
    staleTime: Infinity,
  });
