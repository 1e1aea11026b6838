import type { Alert } from '@nwms/contract';
import type { FilterSubject } from '../board/row.ts';
import { fieldFault } from './fault.ts';

const TAGS = [
  'emergency',
  'tornado_detection',
  'tornado_damage_threat',
  'thunderstorm_damage_threat',
  'flash_flood_detection',
  'flash_flood_damage_threat',
  'snow_squall_detection',
  'snow_squall_impact',
  'waterspout_detection',
  'wind_threat',
  'max_wind_gust_kmh',
  'hail_threat',
  'max_hail_size_mm',
] as const satisfies readonly (keyof Alert['impact_tags'])[];

/** `name:value` = that value; `name` alone = any value. */
export function compileTag(values: readonly string[]): (subject: FilterSubject) => boolean {
  const wanted = values.map((text) => {
    const [rawName = '', value] = text.split(':', 2);
    const name = TAGS.find((tag) => tag === rawName.trim().toLowerCase());
    if (!name) throw fieldFault('tag', 'enum', `tag ${rawName.slice(0, 40)} is not known. Known: ${TAGS.join(', ')}.`);
    return { name, value: value?.trim().toLowerCase() };
  });
  return ({ alert }) =>
    wanted.some(({ name, value }) => {
      const tag = alert.impact_tags[name];
      return tag !== null && (value === undefined || value === '' || String(tag).toLowerCase() === value);
    });
}
