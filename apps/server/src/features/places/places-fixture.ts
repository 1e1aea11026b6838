/* oxlint-disable typescript/no-non-null-assertion -- test support: what is missing is a broken test */
/** A slice of places on a fake clock over zones that are made up. */
import { type AffectedZone, type Polygon, type Shape } from '@nwms/domain';
import { type FakeClock, fakeClock } from '@nwms/testkit';
import { silentLog } from '../../platform/log.ts';
import { createPlaces, type PlacesSlice, type StoredZone, type ZoneAnswer, type ZoneStore } from './index.ts';

export const DAY_MS = 86_400_000;
export const NOW = Date.UTC(2026, 0, 10);

export const box = (west: number, south: number, east: number, north: number): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ],
  ],
});
export const publicZone = (code: string): AffectedZone => ({ code, type: 'public', partial: false });
export const county = (code: string, partial = false): AffectedZone => ({ code, type: 'county', partial });

export function zoneFeature(
  code: string,
  geometry: Shape | null,
  effectiveDate = '2025-03-18T00:00:00+00:00',
  timeZone = ['America/Chicago'],
): unknown {
  return {
    type: 'Feature',
    geometry,
    properties: { id: code, name: `Zone ${code}`, effectiveDate, expirationDate: '2200-01-01T00:00:00+00:00', cwa: ['DMX'], timeZone },
  };
}

export function memoryStore(): ZoneStore & { rows: StoredZone[] } {
  const rows: StoredZone[] = [];
  return {
    rows,
    async load() {
      const newest = Map.groupBy(rows, (row) => row.family + row.code).values();
      return [...newest].map((list) => list.toSorted((a, b) => b.effectiveFrom - a.effectiveFrom)[0]!).map(withoutGeometry);
    },
    async save(zone) {
      const at = rows.findIndex((row) => row.code === zone.code && row.family === zone.family && row.effectiveFrom === zone.effectiveFrom);
      if (at >= 0) rows[at] = zone;
      else rows.push(zone);
    },
    fetchedSince: async (at) => rows.filter((row) => row.fetchedAt > at),
    version: async (key) =>
      rows.find((row) => row.code === key.code && row.family === key.family && row.effectiveFrom === key.effectiveFrom) ?? null,
    history: async (code, family) =>
      rows.filter((row) => row.code === code && row.family === family).sort((a, b) => a.effectiveFrom - b.effectiveFrom),
  };
}

export function withoutGeometry(row: StoredZone): Omit<StoredZone, 'geometry'> {
  const { geometry: _, ...rest } = row;
  return rest;
}

export interface Bench {
  places: PlacesSlice;
  clock: FakeClock;
  store: ZoneStore & { rows: StoredZone[] };
  /** `family/code` of every request, in order. */
  asked: string[];
  answers: Map<string, ZoneAnswer>;
  mostAtOnce: () => number;
  told: string[][];
}

export async function bench(features: Record<string, unknown> = {}, store = memoryStore()): Promise<Bench> {
  const clock = fakeClock(NOW);
  const asked: string[] = [];
  const answers = new Map<string, ZoneAnswer>(Object.entries(features).map(([key, feature]) => [key, { kind: 'ok', feature }]));
  let open = 0;
  let most = 0;
  const places = await createPlaces({
    clock,
    store,
    log: silentLog,
    random: () => 0.5,
    warmsUp: false,
    async fetchZone(family, code) {
      asked.push(`${family}/${code}`);
      most = Math.max(most, (open += 1));
      await new Promise((done) => setImmediate(done));
      open -= 1;
      return answers.get(`${family}/${code}`) ?? { kind: 'missing' };
    },
  });
  const told: string[][] = [];
  places.onLoaded((codes) => told.push([...codes].sort()));
  return { places, clock, store, asked, answers, mostAtOnce: () => most, told };
}

export const settle = async ({ clock }: Bench): Promise<void> => {
  for (let turn = 0; turn < 25; turn += 1) await clock.advance(200);
};

/** Moves time until the claim holds; gives up after 1,000 steps. */
export const until = async ({ clock }: Bench, claim: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 1000 && !claim(); turn += 1) await clock.advance(10_000);
};
