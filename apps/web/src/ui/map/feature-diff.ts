import type { GeoJSONSourceDiff } from 'maplibre-gl';
import type { AreaProps, MapFeatures } from './map-features.ts';

type Areas = MapFeatures['areas'];

/** What turns one set of areas into another; null when nothing differs. Shapes are compared by identity: they are never changed in place. */
export function areaDiff(before: Areas, after: Areas): GeoJSONSourceDiff | null {
  const old = new Map(before.features.map((feature) => [feature.properties.id, feature]));
  const add: Areas['features'] = [];
  const remove: string[] = [];
  for (const feature of after.features) {
    const known = old.get(feature.properties.id);
    old.delete(feature.properties.id);
    if (known && known.geometry === feature.geometry && sameProps(known.properties, feature.properties)) continue;
    if (known) remove.push(feature.properties.id);
    add.push(feature);
  }
  remove.push(...old.keys());
  return add.length + remove.length === 0 ? null : { remove, add };
}

const sameProps = (a: AreaProps, b: AreaProps): boolean =>
  a.severity === b.severity && a.source === b.source && a.ahead === b.ahead && a.over === b.over && a.order === b.order;
