import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  type AlertMessage,
  distanceKm,
  overlapOf,
  parseFeature,
  pointInShape,
  polygonsOf,
  prepareShape,
  type PreparedShape,
  type Position,
  type Shape,
} from '@nwms/domain';
import { sharedData } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import type { ShapeInput, StoredZone, ZoneStore } from './index.ts';
import { createPlaces } from './index.ts';
import { polygonsOfText } from './polygons-text.ts';
import { readZoneFeature, runAtOnce } from './prepare-zone.ts';
import { type RecordedZones, recordedZones } from './recorded-zones-fixture.ts';
import { repairShape, vertexCount } from './repair-shape.ts';

const zones = recordedZones();
if (!zones) console.warn('places: no recorded zones on this machine, the tests on real shapes are skipped');

const CAPTURES = [
  'alerts/active-us-2025-12-15T2155Z.json.gz',
  'alerts/active-us-2024-12-08.json.gz',
  'alerts/active-iowa-2024-05-21T1934Z.json',
  'alerts/pynws-alerts_active_zone.json',
];
const EMPTY_STORE: ZoneStore = {
  load: async () => [],
  save: async () => {},
  fetchedSince: async () => [],
  version: async () => null,
  history: async () => [],
};
const multi = (text: string): Shape => ({ type: 'MultiPolygon', coordinates: polygonsOfText(text) });

function readNow(code: string, feature: unknown): StoredZone {
  return runAtOnce(readZoneFeature(feature, { code, family: 'forecast', fetchedAt: 0 }, () => true))!;
}

function readCapture(path: string): AlertMessage[] {
  const raw = readFileSync(path);
  const body = JSON.parse((path.endsWith('.gz') ? gunzipSync(raw) : raw).toString('utf8')) as { features: unknown[] };
  return body.features.flatMap((feature) => {
    const parsed = parseFeature(feature, { source: 'replay', receivedAt: 0, contentHash: 'test' });
    return parsed.ok ? [parsed.message] : [];
  });
}

const inputOf = (message: AlertMessage): ShapeInput => ({
  polygons: message.polygon ? [message.polygon] : [],
  zones: message.polygon ? [] : message.zones,
  same: message.polygon ? [] : message.same,
  at: message.sent,
});

async function placesWith(messages: readonly AlertMessage[], recorded: RecordedZones) {
  const places = await createPlaces({
    clock: systemClock,
    log: silentLog,
    random: Math.random,
    store: EMPTY_STORE,
    fetchZone: recorded.fetchZone,
    warmsUp: false,
  });
  for (const message of messages) places.ensure(message.zones);
  await expect.poll(() => places.stats().waiting, { timeout: 20_000, interval: 20 }).toBe(0);
  await new Promise((done) => setImmediate(done));
  return places;
}

describe.skipIf(!zones)('real zones', () => {
  it('every public zone has its label point inside, on the display copy and on the shape upstream gave', () => {
    let outsideDisplay = 0;
    let outsideFull = 0;
    let vertices = 0;
    let shown = 0;
    const errors: number[] = [];
    const started = performance.now();
    const prepared = [...zones!.byFamily.forecast].map(([code, feature]) => ({
      feature,
      zone: readNow(code, feature),
    }));
    const prepareMs = performance.now() - started;
    for (const { feature, zone } of prepared) {
      const full = repairShape(feature.geometry)!;
      const display = multi(zone.props.display);
      const [lon, lat] = zone.props.labelPoint!;
      if (!pointInShape(lon, lat, display)) outsideDisplay += 1;
      if (!pointInShape(lon, lat, full)) outsideFull += 1;
      vertices += vertexCount(full);
      shown += vertexCount(display);
      const overlap = overlapOf(full, display);
      errors.push((overlap.a + overlap.b - 2 * overlap.both) / overlap.a);
      expect(polygonsOf(display)).toHaveLength(polygonsOf(full).length);
    }
    errors.sort((a, b) => a - b);
    console.log(
      `places: ${prepared.length} zones prepared in ${prepareMs.toFixed(0)} ms; vertices ${vertices} -> ${shown}; ` +
        `area wrongly in or out: median ${percent(errors[errors.length >> 1]!)}, p99 ${percent(errors[Math.floor(errors.length * 0.99)]!)}, worst ${percent(errors.at(-1)!)}; ` +
        `label outside the full shape: ${outsideFull}`,
    );
    expect(outsideDisplay).toBe(0);
    expect(outsideFull).toBe(0);
    expect(errors[errors.length >> 1]).toBeLessThan(0.01);
  });

  it.each(CAPTURES)('%s: every alert whose zones are recorded has a shape with its label point inside', async (capture) => {
    const path = sharedData(capture);
    expect(path).not.toBeNull();
    const messages = readCapture(path!);
    const places = await placesWith(messages, zones!);
    const isKnown = (message: AlertMessage) =>
      message.polygon !== null ||
      (message.zones.length > 0 && message.zones.every((zone) => places.resolve({ polygons: [], zones: [zone], at: message.sent }).shape));
    const known = messages.filter(isKnown);
    const timings = [0, 1].map(() => {
      const started = performance.now();
      for (const message of messages) places.resolve(inputOf(message));
      return Math.round(messages.length / ((performance.now() - started) / 1000));
    });
    let full = 0;
    for (const message of known) {
      const { shape, labelPoint, json, quality } = places.resolve(inputOf(message));
      expect(pointInShape(...labelPoint!, shape!)).toBe(true);
      // The text winds its rings by RFC 7946; the issuer's own come either way.
      expect(anyWinding(JSON.parse(json) as Shape)).toEqual(anyWinding(shape!));
      if (quality === 'exact' || quality === 'resolved') full += 1;
    }
    const shapes = messages.map((message) => places.resolve(inputOf(message)));
    const missing = [...new Set(shapes.flatMap((each) => each.missing))];
    console.log(
      `places: ${capture}: ${messages.length} alerts, zones recorded for ${known.length}, of those fully resolved ${full}; ` +
        `by source ${JSON.stringify(tally(shapes.map((each) => `${each.source}/${each.quality}`)))}; ` +
        `codes not recorded ${missing.length} ${JSON.stringify(tally(missing.map((code) => code.slice(0, 3))))}; ` +
        `resolved per second first ${timings[0]}, again ${timings[1]}`,
    );
    expect(full).toBeGreaterThanOrEqual(known.length * 0.99);
    // What is not recorded is marine, or retired; nothing else may be unknown.
    expect(missing.filter((code) => !/^(A[MN]|GM|P[HKMSZ]|L[CEHMOS]|SL)Z/.test(code) && !RETIRED.has(code))).toEqual([]);
    await places.stop();
  });

  it('point questions agree with asking every zone in turn', async () => {
    const messages = readCapture(sharedData(CAPTURES[0]!)!);
    const places = await placesWith(messages, zones!);
    const fetched = messages.flatMap((message) => message.zones).filter((zone) => zone.type !== 'county');
    const shapes = new Map<string, PreparedShape>();
    for (const zone of fetched) {
      const feature = zones!.byFamily[zone.type === 'fire' ? 'fire' : 'forecast'].get(zone.code);
      if (feature)
        shapes.set(
          `${zone.type === 'fire' ? 'fire' : 'forecast'}/${zone.code}`,
          prepareShape(multi(readNow(zone.code, feature).props.match)),
        );
    }
    const points: Position[] = Array.from({ length: 1000 }, (_, i): Position => {
      const shape = [...shapes.values()][(i * 37) % shapes.size]!;
      const ring = polygonsOf(shape.shape)[0]![0]!;
      const [lon, lat] = ring[(i * 13) % ring.length]!;
      return [lon + Math.sin(i * 1.3) * 0.02, lat + Math.cos(i * 2.1) * 0.02];
    });
    const started = performance.now();
    const answers = points.map(([lon, lat]) => places.zonesAt(lon, lat, 0.4));
    const firstMicroseconds = ((performance.now() - started) / points.length) * 1000;
    const again = performance.now();
    for (const [lon, lat] of points) places.zonesAt(lon, lat, 0.4);
    const microseconds = ((performance.now() - again) / points.length) * 1000;
    let found = 0;
    points.forEach(([lon, lat], index) => {
      const slow = [...shapes].filter(([, shape]) => distanceKm(lon, lat, shape, 5) <= 0.4).map(([key]) => key);
      const quick = answers[index]!.filter((zone) => zone.type !== 'county').map(
        (zone) => `${zone.type === 'fire' ? 'fire' : 'forecast'}/${zone.code}`,
      );
      found += slow.length;
      expect(quick.sort()).toEqual(slow.sort());
    });
    expect(found).toBeGreaterThan(500);
    console.log(
      `places: zonesAt near edges ${firstMicroseconds.toFixed(0)} microseconds a point with first use of the shapes, ${microseconds.toFixed(0)} again`,
    );
    await places.stop();
  });
});

/** Codes of captures from before the recorded zone list of March 2025, or that left it since. */
const RETIRED = new Set(
  (
    'AKZ102 AKZ103 AKZ152 AKZ155 AKZ161 WAZ567 WAZ568 WAZ569 ' +
    'ORZ001 ORZ002 ORZ003 ORZ004 ORZ005 ORZ006 WAZ020 WAZ021 WAZ022 WAZ039 WAZ040'
  ).split(' '),
);

const percent = (share: number): string => `${(share * 100).toFixed(3)} %`;

function tally(keys: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
  return counts;
}

/** The same rings, each from its least position and in the direction of the lesser neighbour. */
function anyWinding(shape: Shape): unknown {
  const polygons = shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates;
  return polygons.map((rings) =>
    rings.map((ring) => {
      const open = ring.slice(0, -1).map((position) => position.join(' '));
      const least = open.indexOf([...open].sort()[0] as string);
      const turned = [...open.slice(least), ...open.slice(0, least)];
      const back = [turned[0], ...turned.slice(1).reverse()];
      return (turned[1] as string) < (back[1] as string) ? turned : back;
    }),
  );
}
