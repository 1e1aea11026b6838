import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AlertMessage, applyMessage, createMemoryIndex, evaluate, orderForApply } from '@nwms/domain';
import { readCapture } from '@nwms/nws-sim';
import { sharedData } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFormats } from '../src/features/alerts/index.ts';
import { createPlaces, type PlacesSlice } from '../src/features/places/index.ts';
import { recordedZones } from '../src/features/places/recorded-zones-fixture.ts';
import { systemClock } from '../src/platform/clock.ts';
import { silentLog } from '../src/platform/log.ts';
import { createWorld, messagesOf } from './alerts-world.ts';

/** Every surface counts the same alerts: the list, its statistics, the map's answer and the state machine itself, on every recording. */
const folder = sharedData('alerts');
if (folder === null) console.log('agreement: no recordings on this machine, that all surfaces count alike is not checked here');

/** The week's log has thousands of messages: with the long runs only. */
const isLong = process.env['NWMS_CHAOS'] === '1';

/** Recordings of the folder and below, as `atom/x.xml.gz`. */
const recordings =
  folder === null
    ? []
    : (readdirSync(folder, { recursive: true }) as string[])
        .filter((name) => /\.(json|xml)(\.gz)?$/.test(name) && (isLong || !name.startsWith('log-us')))
        .sort();

interface Read {
  name: string;
  now: number;
  messages: AlertMessage[];
}

/** Null for what is no recording of a list (a single document, a broken one). */
function read(name: string): Read | null {
  try {
    const { features, updated } = readCapture(readFileSync(join(folder ?? '', name)), name);
    const newest = Math.max(updated, ...features.map(({ properties }) => Date.parse(properties.sent) || 0));
    return { name, now: newest, messages: messagesOf(features, newest) };
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

const EMPTY_STORE = {
  load: async () => [],
  save: async () => {},
  fetchedSince: async () => [],
  version: async () => null,
  history: async () => [],
};

interface Row {
  event_id: string;
  geometry_source: string;
  geometry_missing: string[];
  ugc: string[];
}
interface Geo {
  features: { geometry: unknown; properties: Row }[];
}

describe.skipIf(folder === null)('every recording', () => {
  let places: PlacesSlice;
  const seen: { name: string; active: number; drawn: number }[] = [];
  const captures = recordings.flatMap((name) => read(name) ?? []);

  beforeAll(async () => {
    const zones = recordedZones();
    let asked = 0;
    let missing = 0;
    places = await createPlaces({
      clock: systemClock,
      log: silentLog,
      random: () => 0.5,
      store: EMPTY_STORE,
      warmsUp: false,
      fetchZone: async (family, code) => {
        asked += 1;
        const answer = (await zones?.fetchZone(family, code)) ?? { kind: 'missing' as const };
        if (answer.kind === 'missing') missing += 1;
        return answer;
      },
    });
    for (const { messages } of captures) for (const { polygon, zones: named } of messages) if (!polygon) places.ensure(named);
    const isReady = () => {
      const { waiting, fetched, failed } = places.stats();
      return waiting === 0 && fetched + failed + missing >= asked;
    };
    while (!isReady()) await new Promise((turn) => setImmediate(turn));
  }, 120_000);

  afterAll(async () => {
    await places.stop();
    const of = (rows: typeof seen) => {
      const active = rows.reduce((sum, row) => sum + row.active, 0);
      const drawn = rows.reduce((sum, row) => sum + row.drawn, 0);
      return `${drawn} of ${active} active alerts are drawn (${((100 * drawn) / active).toFixed(1)} %)`;
    };
    for (const row of seen) if (row.active > 0) console.log(`${row.name}: ${of([row])}`);
    console.log(`all recordings: ${of(seen)}`);
  });

  it('holds at least the lists known here', () => {
    expect(captures.length).toBeGreaterThan(10);
  });

  it.each(captures.map((capture) => [capture.name, capture] as const))(
    '%s: list, statistics, map and state machine count the same alerts, and what is not drawn says so',
    async (name, { now, messages }) => {
      const index = createMemoryIndex();
      for (const message of orderForApply(messages)) {
        const applied = applyMessage(index, message, { now, listed: true, pollStartedAt: now });
        index.putMessage(message);
        for (const event of applied.events) index.put(event);
      }
      const model = index
        .events()
        .filter((event) => event.countable && evaluate(event, now).isActive)
        .map((event) => event.eventId);

      const formats = createFormats({ clock: { ...systemClock, now: () => now }, baseUrl: null });
      const world = await createWorld({ at: now, deps: { places, formats } });
      try {
        world.apply(messages);
        world.poll(messages.map((message) => message.id));
        const list = (await world.get<{ total: number; alerts: Row[] }>('/alerts?active_only=true&limit=1000')).body;
        const stats = (
          await world.get<{ total: number; active: number; by_severity: Record<string, number> }>('/alerts/stats?active_only=true')
        ).body;
        const map = (await world.get<Geo>('/alerts?active_only=true&limit=1000&format=geojson')).body;
        expect(list.alerts.map((row) => row.event_id).sort()).toEqual(model.sort());
        expect(map.features.map(({ properties }) => properties.event_id).sort()).toEqual(model);
        const bySeverity = Object.values(stats.by_severity).reduce((sum, count) => sum + count, 0);
        expect([list.total, stats.total, stats.active, bySeverity]).toEqual(Array(4).fill(model.length));

        const without = new Set(list.alerts.filter((row) => row.geometry_source === 'none').map((row) => row.event_id));
        const drawn = map.features.filter(({ geometry }) => geometry !== null).map(({ properties }) => properties.event_id);
        expect(drawn.length + without.size).toBe(model.length);
        expect(drawn.filter((id) => without.has(id))).toEqual([]);
        // What cannot be drawn lacks every place it names, and names them; or had none to name.
        const undrawn = list.alerts.filter((row) => without.has(row.event_id));
        expect(undrawn.filter((row) => row.ugc.some((code) => !row.geometry_missing.includes(code))).map((row) => row.event_id)).toEqual(
          [],
        );
        const silent = undrawn.filter((row) => row.geometry_missing.length === 0);
        const placeless = new Set(
          index
            .events()
            .filter((event) => event.zones.every(({ code }) => code === 'AREA'))
            .map((event) => event.eventId),
        );
        expect(silent.map((row) => row.event_id).filter((id) => !placeless.has(id))).toEqual([]);
        seen.push({ name, active: model.length, drawn: drawn.length });
      } finally {
        await world.close();
      }
    },
    60_000,
  );
});
