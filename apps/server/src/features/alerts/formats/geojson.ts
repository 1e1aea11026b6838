import type { Presented } from '../present.ts';

/** RFC 7946 Feature: properties are the alert without its geometry; null geometry is kept. Ready text goes through unparsed. */
export function featureText(row: Presented): string {
  const properties = JSON.stringify({ ...row.slim, ...row.heavy });
  return `{"type":"Feature","id":${JSON.stringify(row.slim.id)},"geometry":${row.area.json},"properties":${properties}}`;
}

/** A FeatureCollection that also carries the members of the JSON answer (total, freshness, position ...). `members` has no `alerts`. */
export function featureCollection(rows: Iterable<Presented>, members: object): string {
  const rest = JSON.stringify(members);
  const tail = rest === '{}' ? '}' : `,${rest.slice(1)}`;
  return `{"type":"FeatureCollection","features":[${[...rows].map(featureText).join(',')}]${tail}`;
}

/** One alert as a Feature with the extra members of the detail answer as foreign members. */
export function singleFeature(row: Presented, members: object): string {
  const rest = JSON.stringify(members);
  return rest === '{}' ? featureText(row) : `${featureText(row).slice(0, -1)},${rest.slice(1)}`;
}
