import type { SlimAlert } from '@nwms/contract';
import { inchesOfMm, measureIn, type UnitSystem } from '@nwms/domain/units';

/** A tag's value as people read it: words without underscores, wind and hail in the reader's units. "none" for null. */
export function tagValue(name: string, value: string | number | null, system: UnitSystem): string {
  if (value === null) return 'none';
  if (typeof value === 'string') return value.replaceAll('_', ' ');
  if (name === 'max_wind_gust_kmh') return measureIn('wind', value, system);
  // Hail is told in quarters of an inch: one decimal, as for rain, would blur it.
  if (name === 'max_hail_size_mm') return system === 'imperial' ? `${inchesOfMm(value).toFixed(2)} in` : `${Math.round(value)} mm`;
  return String(value);
}

/** The tags an alert has, in the order of the wire. */
export const tagsOf = (alert: Pick<SlimAlert, 'impact_tags'>): [string, string | number][] =>
  Object.entries(alert.impact_tags ?? {}).filter(
    (entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number',
  );
