import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { drawShape } from './shape-path.ts';

const numbers = (path: string) =>
  path
    .split(/[MLZ ]/)
    .filter(Boolean)
    .map(Number);

describe('the outline of an alert', () => {
  test('stays inside its picture, north is up, whatever the shape', () => {
    const corner = fc.tuple(fc.double({ min: -170, max: -60, noNaN: true }), fc.double({ min: 15, max: 70, noNaN: true }));
    fc.assert(
      fc.property(fc.array(corner, { minLength: 4, maxLength: 40 }), (ring) => {
        const drawing = drawShape({ type: 'Polygon', coordinates: [ring] }, 320, 200);
        if (!drawing) return;
        const all = numbers(drawing.path);
        expect(all.every((value, index) => value >= -0.1 && value <= (index % 2 === 0 ? 320.1 : 200.1))).toBe(true);
        const [, south, , north] = drawing.box;
        expect(drawing.place([0, north])[1]).toBeLessThanOrEqual(drawing.place([0, south])[1]);
      }),
    );
  });

  test('a shape without area, or none, is not drawn', () => {
    expect(drawShape(null, 320, 200)).toBeNull();
    expect(drawShape({ type: 'Point', coordinates: [-97, 35] }, 320, 200)).toBeNull();
    expect(
      drawShape(
        {
          type: 'Polygon',
          coordinates: [
            [
              [-97, 35],
              [-96, 35],
              [-97, 35],
            ],
          ],
        },
        320,
        200,
      ),
    ).toBeNull();
  });
});
