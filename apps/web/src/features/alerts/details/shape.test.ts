import type { AlertDetail } from '@nwms/contract';
import type { Polygon } from 'geojson';
import { expect, test } from 'vitest';
import { alongOf, moved, ringsOf } from './date-line.ts';
import { shapeWords } from './shape-words.ts';

const square = (west: number, east: number): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, 50],
      [east, 50],
      [east, 53],
      [west, 50],
    ],
  ],
});

test('a shape on both sides of the date line is drawn as one, any other stays as it is', () => {
  const aleutians = { type: 'MultiPolygon' as const, coordinates: [square(172, 180).coordinates, square(-180, -175).coordinates] };
  const lons = ringsOf(moved(aleutians, alongOf(aleutians))).flatMap((ring) => ring.map(([lon]) => lon ?? 0));
  expect([Math.min(...lons), Math.max(...lons)]).toEqual([172, 185]);
  const iowa = square(-96, -90);
  expect(moved(iowa, alongOf(iowa))).toBe(iowa);
  expect(moved(null, alongOf(null))).toBeNull();
});

test('DETL-01: the picture says what it is made of, what is missing of it, and that there is none', () => {
  const shape = {
    geometry: square(-96, -90) as NonNullable<AlertDetail['geometry']>,
    geometry_source: 'zones',
    geometry_quality: 'resolved',
    geometry_missing: [] as string[],
  } as const;
  expect(shapeWords(shape)).toBe('The forecast zones it was issued for.');
  expect(shapeWords({ ...shape, geometry_missing: ['IAZ060'] })).toContain('Not all of it');
  expect(shapeWords({ ...shape, geometry_source: 'counties', geometry_quality: 'partial' })).toContain('part of a county');
  expect(shapeWords({ ...shape, geometry: null, geometry_source: 'none', geometry_quality: 'none' })).toContain('told in words alone');
});
