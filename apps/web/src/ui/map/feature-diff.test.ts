import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MapFeatures } from './map-features.ts';
import { areaDiff } from './feature-diff.ts';

type Areas = MapFeatures['areas'];
const shapes = [0, 1, 2].map((x) => ({ type: 'Polygon' as const, coordinates: [[[x, x]]] }));
const areas: fc.Arbitrary<Areas> = fc
  .uniqueArray(
    fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd'), shape: fc.constantFrom(...shapes), severity: fc.constantFrom('Severe', 'Minor') }),
    { selector: (feature) => feature.id },
  )
  .map((list) => ({
    type: 'FeatureCollection',
    features: list.map(({ id, shape, severity }) => ({
      type: 'Feature',
      properties: { id, severity, source: 'zones', ahead: false, over: false, order: 1 },
      geometry: shape,
    })),
  }));
const content = (all: Iterable<Areas['features'][number]>) =>
  [...all].map((feature) => JSON.stringify([feature.properties, feature.geometry])).sort();

test('the difference of two maps turns the one into the other, and names nothing that stayed', () => {
  fc.assert(
    fc.property(areas, areas, (before, after) => {
      const diff = areaDiff(before, after);
      const drawn = new Map(before.features.map((feature) => [feature.properties.id, feature]));
      for (const id of diff?.remove ?? []) drawn.delete(String(id));
      for (const feature of (diff?.add ?? []) as Areas['features']) {
        expect(drawn.has(feature.properties.id)).toBe(false);
        drawn.set(feature.properties.id, feature);
      }
      expect(content(drawn.values())).toEqual(content(after.features));
      expect(diff === null).toBe(content(before.features).join() === content(after.features).join());
    }),
  );
});
