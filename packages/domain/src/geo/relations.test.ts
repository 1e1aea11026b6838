import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Polygon,
  type Position,
  type Shape,
  bboxOf,
  isSimplePolygon,
  overlapShare,
  parseBbox,
  parsePolygon,
  parseShape,
  pointInShape,
  prepareShape,
  shapeOfBbox,
  shapeRelation,
} from './index.ts';
import { box, multi, withHole, star } from './shapes-fixture.ts';

describe('relations', () => {
  const area = box(0, 0, 10, 10);
  it.each<[string, Shape, string | null, number]>([
    ['far away', box(20, 20, 21, 21), null, 0],
    ['wholly inside', box(2, 2, 3, 3), 'within', 1],
    ['inside, sharing an edge', box(0, 2, 3, 3), 'within', 1],
    ['covering', box(-5, -5, 20, 20), 'contains', 0.1618],
    ['equal', box(0, 0, 10, 10), 'contains', 1],
    ['half in', box(5, 0, 15, 10), 'intersects', 0.5],
    ['touching from outside', box(10, 0, 12, 10), 'intersects', 0],
    [
      'boxes overlap only',
      {
        type: 'Polygon',
        coordinates: [
          [
            [11, 0],
            [11, 11],
            [0, 11],
            [0, 12],
            [12, 12],
            [12, 0],
            [11, 0],
          ],
        ],
      },
      null,
      0,
    ],
    ['two zones covering it across their common edge', multi(box(-1, -1, 5, 11), box(5, -1, 11, 11)), 'contains', 0.699],
    ['two parts, one inside', multi(box(1, 1, 2, 2), box(20, 1, 21, 2)), 'intersects', 0.5],
    ['around it, as a ring', withHole(box(-5, -5, 20, 20), box(-1, -1, 11, 11)), null, 0],
    ['covering but for a hole', withHole(box(-5, -5, 20, 20), box(4, 4, 5, 5)), 'intersects', 0.1605],
  ])('%s', (_, alert, relation, share) => {
    expect(shapeRelation(area, alert)).toBe(relation);
    expect(shapeRelation(prepareShape(area), prepareShape(alert))).toBe(relation);
    expect(overlapShare(area, alert)).toBeCloseTo(share, 2);
  });

  it('an alert in the hole of the area does not meet it; one around the hole is not within', () => {
    const ring = withHole(box(0, 0, 10, 10), box(2, 2, 8, 8));
    expect(shapeRelation(ring, box(4, 4, 5, 5))).toBeNull();
    expect(shapeRelation(ring, box(1, 1, 9, 9))).toBe('intersects');
  });

  it('hold across 180 degrees', () => {
    const bering = shapeOfBbox([175, 50, -170, 56]);
    expect(shapeRelation(bering, multi(box(178, 51, 180, 53), box(-180, 51, -177, 53)))).toBe('within');
    expect(shapeRelation(bering, box(-172, 51, -165, 53))).toBe('intersects');
    expect(shapeRelation(bering, box(-165, 51, -160, 53))).toBeNull();
    expect(overlapShare(bering, box(-172, 51, -168, 53))).toBeCloseTo(0.5, 6);
  });

  it('agree with sampled points for any two stars', () => {
    fc.assert(
      fc.property(
        star,
        star,
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.double({ min: -5, max: 5, noNaN: true }),
        (a, other, dx, dy) => {
          const [lon, lat] = a.coordinates[0]![0]!;
          const [fromLon, fromLat] = other.coordinates[0]![0]!;
          const b: Polygon = {
            type: 'Polygon',
            coordinates: [other.coordinates[0]!.map(([x, y]): Position => [x - fromLon + lon + dx, y - fromLat + lat + dy])],
          };
          const relation = shapeRelation(a, b);
          const [west, south, east, north] = bboxOf(b);
          let inB = 0;
          let inBoth = 0;
          for (let i = 0; i < 30; i += 1) {
            for (let j = 0; j < 30; j += 1) {
              const x = west + ((i + 0.5) / 30) * ((west > east ? east + 360 : east) - west);
              const y = south + ((j + 0.5) / 30) * (north - south);
              if (!pointInShape(x, y, b)) continue;
              inB += 1;
              if (pointInShape(x, y, a)) inBoth += 1;
            }
          }
          fc.pre(inB > 100);
          const share = overlapShare(a, b);
          expect(Math.abs(share - inBoth / inB)).toBeLessThan(0.1);
          expect(relation === null && inBoth > 0).toBe(false);
          expect(relation === 'within' && inBoth < inB).toBe(false);
          // Where all but a billionth lies within, what sticks out must be there to be seen: the share alone cannot tell a sliver from nothing.
          const sticksOut =
            b.coordinates[0]!.some(([x, y]) => !pointInShape(x, y, a)) || a.coordinates[0]!.some(([x, y]) => pointInShape(x, y, b));
          expect(relation === 'intersects' && share > 1 - 1e-9 && !sticksOut).toBe(false);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('typed areas', () => {
  it('boxes are read strictly', () => {
    expect(parseBbox('-100, 40,-90,45')).toEqual({ ok: true, value: [-100, 40, -90, 45] });
    expect(parseBbox('170,50,-170,55')).toEqual({ ok: true, value: [170, 50, -170, 55] });
    for (const [text, fault] of [
      ['1,2,3', 'wrong_count'],
      ['1,2,3,x', 'not_numbers'],
      ['1,2,3,', 'not_numbers'],
      ['0x1,2,3,4', 'not_numbers'],
      ['1,2,3,1e99', 'out_of_range'],
      ['-181,2,3,4', 'out_of_range'],
      ['1,5,3,4', 'south_above_north'],
      ['1,4,3,4', 'empty'],
    ]) {
      expect(parseBbox(text!)).toEqual({ ok: false, fault });
    }
  });

  it('polygons are closed for the caller and must be simple', () => {
    expect(parsePolygon('0,0;1,0;1,1')).toEqual({
      ok: true,
      value: {
        type: 'Polygon',
        coordinates: [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 0],
          ],
        ],
      },
    });
    expect(parsePolygon('0,0;1,0;1,1;0,0;')).toMatchObject({ ok: true });
    expect(parsePolygon('0,0;1,1;1,0;0,1')).toEqual({ ok: false, fault: 'not_simple' });
    expect(parsePolygon('0,0;1,1')).toEqual({ ok: false, fault: 'wrong_count' });
    expect(parsePolygon('0,0;1,1;2,2')).toEqual({ ok: false, fault: 'not_simple' });
    expect(parsePolygon('0,0;1,0,5;1,1')).toEqual({ ok: false, fault: 'not_numbers' });
    expect(parsePolygon(Array.from({ length: 501 }, (_, i) => `${i / 10},${i % 2}`).join(';'))).toEqual({
      ok: false,
      fault: 'wrong_count',
    });
  });

  it('any JSON is refused or becomes a shape', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void expect(typeof parseShape(value, 100).ok).toBe('boolean')));
    expect(parseShape(multi(box(0, 0, 1, 1), box(2, 0, 3, 1)), 10)).toMatchObject({ ok: true });
    expect(parseShape(box(0, 0, 1, 1), 4)).toEqual({ ok: false, fault: 'wrong_count' });
  });

  it('a ring that crosses, touches or folds back is not simple; stars always are', () => {
    fc.assert(fc.property(star, (shape) => void expect(isSimplePolygon(shape.coordinates[0]!)).toBe(true)));
    expect(
      isSimplePolygon([
        [0, 0],
        [2, 0],
        [2, 2],
        [1, 0],
        [0, 2],
      ]),
    ).toBe(false);
    expect(
      isSimplePolygon([
        [0, 0],
        [2, 0],
        [1, 0],
        [1, 2],
      ]),
    ).toBe(false);
    expect(
      isSimplePolygon([
        [179, 0],
        [-179, 0],
        [-179, 1],
        [179, 1],
      ]),
    ).toBe(true);
  });
});
