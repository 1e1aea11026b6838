import type { ShapeInput } from './index.ts';
import { describe, expect, it } from 'vitest';
import { bench, type Bench, box, county, NOW, publicZone, settle, zoneFeature } from './places-fixture.ts';

const FEATURES = {
  'forecast/IAZ001': zoneFeature('IAZ001', box(-94, 41, -93, 42)),
  'forecast/IAZ002': zoneFeature('IAZ002', box(-93, 41, -92, 42)),
  'forecast/IAZ003': zoneFeature('IAZ003', box(-92, 41, -91, 42)),
  // Overlaps IAZ001, and keeps another clock.
  'forecast/IAZ009': zoneFeature('IAZ009', box(-94.5, 40.5, -92.5, 42.5), '2025-03-18T00:00:00+00:00', ['America/Denver']),
};
const codes = (...numbers: number[]) => numbers.map((number) => publicZone(`IAZ00${number}`));

/** A process that came to know the zones in this order. */
async function knowing(...numbers: number[]): Promise<Bench> {
  const made = await bench(FEATURES);
  for (const zone of codes(...numbers)) {
    made.places.ensure([zone]);
    await settle(made);
  }
  return made;
}

const QUESTIONS: Record<string, ShapeInput> = {
  'several zones': { polygons: [], zones: codes(3, 1, 2), at: NOW },
  'zones, and counties in place of an unknown one': {
    polygons: [],
    zones: [...codes(2, 1), publicZone('IAZ047')],
    same: ['019169'],
    at: NOW,
  },
  'counties of a state with one clock, and of one with two': { polygons: [], zones: [county('INC097'), county('IAC153')], at: NOW },
  'a polygon among its own zones': { polygons: [box(-93.8, 41.2, -93.2, 41.8)], zones: [], around: codes(1), at: NOW },
  'a polygon whose zones are not known': { polygons: [box(-93.8, 41.2, -93.2, 41.8)], zones: [], at: NOW },
};

describe('several processes', () => {
  it.each(Object.entries(QUESTIONS))('give %s the same bytes, whatever they loaded first', async (_name, question) => {
    const one = (await knowing(1, 2, 3, 9)).places.resolve(question);
    const other = (await knowing(9, 3, 2, 1)).places.resolve(question);
    const answers = [one, other].map(({ json, timeZones, labelPoint, areaKm2, bbox, source }) => ({
      json,
      timeZones,
      labelPoint,
      areaKm2,
      bbox,
      source,
    }));
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.json).not.toBe('null');
  });

  it('give a polygon the clock of the zone of its own that it lies in', async () => {
    const { places } = await knowing(1, 9);
    const polygon = box(-93.8, 41.2, -93.2, 41.8);
    const clock = (around: ShapeInput['around']) =>
      places.resolve({ polygons: [polygon], zones: [], around: around ?? [], at: NOW }).timeZones;
    expect(clock(codes(9))).toEqual(['America/Denver']);
    expect(clock(codes(1))).toEqual(['America/Chicago']);
    expect(clock([])).toEqual(['America/Chicago']);
  });
});
