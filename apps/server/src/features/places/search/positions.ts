import { fieldFault } from '../../../platform/http/field-fault.ts';
import { type Position, round } from './present-place.ts';

interface Spelled {
  lat?: number;
  lon?: number;
  latitude?: number;
  longitude?: number;
  location_lat?: number;
  location_lon?: number;
}

/** The position under whichever of its names; null = none was given. @throws AppError request.invalid for half of one, or two that differ */
export function positionOf(query: Spelled): Position | null {
  const lat = oneOf(query, ['lat', 'latitude', 'location_lat']);
  const lon = oneOf(query, ['lon', 'longitude', 'location_lon']);
  if (lat === null && lon === null) return null;
  if (lat === null || lon === null) {
    const missing = lat === null ? 'lat' : 'lon';
    throw fieldFault(missing, 'required', `${missing} is missing: a position needs both lat and lon.`);
  }
  return { lat: round(lat), lon: round(lon) };
}

function oneOf(query: Spelled, names: readonly (keyof Spelled)[]): number | null {
  let found: number | null = null;
  for (const name of names) {
    const value = query[name];
    if (value === undefined) continue;
    if (found !== null && found !== value) throw fieldFault(name, 'conflict', `${name} and ${names[0]} differ; give one of them.`);
    found = value;
  }
  return found;
}
