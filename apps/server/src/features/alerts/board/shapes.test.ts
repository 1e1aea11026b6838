import { bboxTouchesShape, planarBoxes, type Bbox, type Position, type Shape } from '@nwms/domain';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { loadCapture } from '../../../../test/alerts-world.ts';
import type { Row } from './row.ts';
import { createShapeCache, createSpatialIndex } from './shapes.ts';

const rowOf = (shape: Shape | null) => ({ presented: { area: { shape } } }) as unknown as Row;
const shapes = createShapeCache();
/** What the index is for: which rows have something in the box. */
const touching = (rows: readonly Row[], box: Bbox) =>
  rows.filter(({ presented: { area } }) => area.shape && bboxTouchesShape(box, shapes.prepare(area.shape)));

/** What is wrong with what the index says of a box; empty = nothing. */
function faultsOf(rows: readonly Row[], box: Bbox, more: readonly Row[]): string[] {
  const { inside, others } = createSpatialIndex(rows, shapes).near(planarBoxes(box), more);
  const found = new Set([...inside, ...others]);
  const expected = new Set(touching(rows, box));
  return [
    ...(found.size === inside.length + others.length ? [] : ['a row comes twice']),
    ...(more.every((row) => found.has(row)) ? [] : ['a row that is asked about wherever it lies is left out']),
    ...([...expected].every((row) => found.has(row)) ? [] : ['a row that touches the box is left out']),
    // Of these nothing more is asked.
    ...(inside.every((row) => expected.has(row)) ? [] : ['a row is said to lie inside that does not touch the box']),
  ];
}

const wrap = (lon: number) => (lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon);
/** Corners on a coarse lattice, here or across 180 degrees, so that boxes end where shapes do; some rings are none. */
const ring = fc
  .record({
    lon: fc.integer({ min: -8, max: 8 }),
    lat: fc.integer({ min: -8, max: 8 }),
    reaches: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 30 }),
  }) // prettier-ignore
  .map(({ lon, lat, reaches }) =>
    reaches.map((reach, index): Position => {
      const angle = (2 * Math.PI * index) / reaches.length;
      return [Math.round((lon + reach * Math.cos(angle)) * 2) / 2, Math.round((lat + reach * Math.sin(angle)) * 2) / 2];
    }),
  );
const shape = fc.tuple(fc.array(ring, { minLength: 1, maxLength: 3 }), fc.constantFrom(0, 178)).map(([rings, by]): Shape => ({
  type: 'MultiPolygon',
  coordinates: rings.map((one) => [[...one, one[0]!].map(([lon, lat]): Position => [wrap(lon + by), lat])]),
}));
const half = (min: number, max: number) => fc.integer({ min, max }).map((steps) => steps / 2);
const box = fc
  .tuple(half(-20, 20), half(-20, 20), half(1, 40), half(1, 30), fc.constantFrom(0, 178))
  .map(([west, south, width, height, by]): Bbox => [wrap(west + by), south, wrap(west + by + width), south + height]);

describe('the spatial index', () => {
  it('P4: finds every row once that touches a box, and says of none that it lies inside which does not touch it', () => {
    fc.assert(
      fc.property(fc.array(fc.option(shape, { nil: null }), { maxLength: 12 }), box, fc.array(fc.nat(11), { maxLength: 3 }), (all, asked, picked) => {
        const rows = all.map(rowOf);
        expect(faultsOf(rows, asked, [...new Set(picked.flatMap((at) => rows[at] ?? []))])).toEqual([]);
      }),
      { numRuns: 1_000 },
    ); // prettier-ignore
  });

  it('P4: the same over a recorded national list, with boxes that end at its corners', () => {
    const messages = loadCapture('active-us-2025-12-15T2155Z.json.gz', Date.parse('2025-12-15T22:00:00Z'));
    if (!messages) return;
    const rows = messages.flatMap(({ polygon }) => (polygon ? [rowOf(polygon)] : []));
    expect(rows.length).toBeGreaterThan(10);
    let [inside, asked] = [0, 0];
    const index = createSpatialIndex(rows, shapes);
    for (const row of rows) {
      const [west, south, east, north] = shapes.prepare(row.presented.area.shape as Shape).bbox;
      for (const by of [0, 1e-12, -1e-12, 0.5, -0.01]) {
        const around: Bbox = [west - by, south - by, east + by, north + by];
        if (around[0] >= around[2] || around[1] >= around[3]) continue;
        expect(faultsOf(rows, around, [])).toEqual([]);
        inside += index.near(planarBoxes(around)).inside.length;
        asked += 1;
      }
    }
    expect(inside).toBeGreaterThan(asked / 5);
  });
});
