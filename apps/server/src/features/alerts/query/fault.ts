import type { GeoFault } from '@nwms/domain';
import type { AppError } from '../../../platform/app-error.ts';
import { fieldFault } from '../../../platform/http/field-fault.ts';

export { fieldFault };

const GEO_TEXT: Record<GeoFault, string> = {
  not_numbers: 'has a value that is not a plain number',
  wrong_count: 'has too few or too many positions',
  out_of_range: 'has a position outside -180..180, -90..90',
  south_above_north: 'has its south above its north',
  empty: 'has no area',
  not_simple: 'crosses or touches itself',
  not_a_shape: 'is not a GeoJSON Polygon or MultiPolygon',
};

export function geoFault(name: string, fault: GeoFault): AppError {
  return fieldFault(name, 'format', `${name} ${GEO_TEXT[fault]}.`, 'geo.invalid_shape');
}
