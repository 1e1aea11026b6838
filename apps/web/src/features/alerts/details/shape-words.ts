import type { AlertDetail } from '@nwms/contract';

const DRAWN: Record<AlertDetail['geometry_source'], string> = {
  polygon: 'The area as issued.',
  zones: 'The forecast zones it was issued for.',
  counties: 'The counties it was issued for.',
  none: 'No shape of the area is known here: it is told in words alone.',
};

/** What the picture shows, and whether it is all of the area. */
export function shapeWords({
  geometry,
  geometry_source: source,
  geometry_quality: quality,
  geometry_missing: missing,
}: Pick<AlertDetail, 'geometry' | 'geometry_source' | 'geometry_quality' | 'geometry_missing'>): string {
  if (geometry === null || geometry === undefined) return DRAWN.none;
  const words = DRAWN[source] ?? 'The area.';
  if (missing.length > 0)
    return `${words} Not all of it: the ${missing.length === 1 ? 'shape of one zone is' : `shapes of ${missing.length} zones are`} not known here.`;
  return quality === 'partial' ? `${words} Only part of a county may be meant.` : words;
}
