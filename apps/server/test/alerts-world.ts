import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Freshness } from '@nwms/contract';
import { type AlertMessage, bboxOf, canonicalJson, distanceKm, type Instant, parseFeature, type Shape, type ZoneType } from '@nwms/domain';
import { fakeClock, sharedData } from '@nwms/testkit';
import type { FastifyInstance } from 'fastify';
import { type Alerts, createAlerts, type AlertsDeps } from '../src/features/alerts/index.ts';
import type { AlertArchive, LogEntry } from '../src/features/alerts/types.ts';
import type { Places, ResolvedShape, ShapeInput } from '../src/features/places/types.ts';
import { createServe } from '../src/platform/http/serve.ts';
import { createHttpServer } from '../src/platform/http/server.ts';
import { createMemoryLog } from './memory-log.ts';
import { silentLog } from '../src/platform/log.ts';

/** A capture of /alerts/active as parsed messages, or null where recordings are not on this machine. */
export function loadCapture(name: string, receivedAt: Instant): AlertMessage[] | null {
  const path = sharedData(`alerts/${name}`);
  if (!path) {
    console.log(`skipped: ${name} is not on this machine`);
    return null;
  }
  const bytes = readFileSync(path);
  const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
  const { features } = JSON.parse(text) as { features: unknown[] };
  return messagesOf(features, receivedAt);
}

export interface FeatureOptions {
  id?: string;
  event?: string;
  vtec?: string | null;
  sent?: Instant;
  onset?: Instant | null;
  ends?: Instant | null;
  expires?: Instant;
  ugc?: string[];
  same?: string[];
  zoneKind?: 'county' | 'forecast' | 'fire';
  polygon?: [number, number][] | null;
  parameters?: Record<string, string[]>;
  properties?: Record<string, unknown>;
}

const stamp = (at: Instant | null) =>
  at === null ? '000000T0000Z' : `${new Date(at).toISOString().slice(2, 16).replaceAll(/[-:]/g, '')}Z`;

/** VTEC of a product, e.g. `vtec('NEW', 'KDMX.SV.W.0106', from, until)`. */
export const vtec = (action: string, key: string, from: Instant | null, until: Instant | null): string =>
  `/O.${action}.${key}.${stamp(from)}-${stamp(until)}/`;

/** One upstream feature as a parsed message; whole minutes, as NWS writes them. */
export function message(options: FeatureOptions, receivedAt: Instant): AlertMessage {
  const sent = options.sent ?? receivedAt - 60_000;
  const iso = (at: Instant | null) => (at === null ? null : new Date(at).toISOString().replace('.000Z', '+00:00'));
  const ugc = options.ugc ?? ['IAC153'];
  const id = options.id ?? `urn:oid:test.${options.vtec ?? options.event}.${sent}`;
  const ends = options.ends === undefined ? sent + 7_200_000 : options.ends;
  const [parsed] = messagesOf(
    [
      {
        id: `https://api.weather.gov/alerts/${id}`,
        geometry: options.polygon ? { type: 'Polygon', coordinates: [options.polygon] } : null,
        properties: {
          id,
          areaDesc: 'Polk, IA; Story, IA',
          geocode: { SAME: options.same ?? ['019153'], UGC: ugc },
          affectedZones: ugc.map((code) => `https://api.weather.gov/zones/${options.zoneKind ?? 'county'}/${code}`),
          references: [],
          sent: iso(sent),
          effective: iso(sent),
          onset: iso(options.onset === undefined ? sent : options.onset),
          expires: iso(options.expires ?? ends ?? sent + 3_600_000),
          ends: iso(ends),
          status: 'Actual',
          messageType: 'Alert',
          category: 'Met',
          severity: 'Severe',
          certainty: 'Observed',
          urgency: 'Immediate',
          event: options.event ?? 'Severe Thunderstorm Warning',
          senderName: 'NWS Des Moines IA',
          headline: 'Severe Thunderstorm Warning issued by NWS Des Moines IA',
          description: 'HAZARD...60 mph wind gusts near Peñasco.',
          instruction: 'Move indoors.',
          response: 'Shelter',
          ...options.properties,
          parameters: { ...(options.vtec ? { VTEC: [options.vtec] } : {}), ...options.parameters },
        },
      },
    ],
    receivedAt,
  );
  if (!parsed) throw new Error('the test feature does not parse');
  return parsed;
}

export function messagesOf(features: unknown[], receivedAt: Instant): AlertMessage[] {
  return features.flatMap((feature) => {
    const contentHash = createHash('sha256').update(canonicalJson(feature)).digest('hex');
    const parsed = parseFeature(feature, { source: 'nws', receivedAt, contentHash });
    return parsed.ok ? [parsed.message] : [];
  });
}

export interface FakeZone {
  code: string;
  type: ZoneType;
  shape: Shape | null;
}

/** Places over a handful of zones. What is not in the list has no shape. */
export function fakePlaces(zones: readonly FakeZone[] = []): Places & { load(added: readonly FakeZone[]): void } {
  let known = [...zones];
  const listeners = new Set<(codes: readonly string[]) => void>();
  const resolved = new Map<string, ResolvedShape>();
  const shapeOf = ({ code, type }: { code: string; type: ZoneType }) =>
    known.find((zone) => zone.code === code && zone.type === type)?.shape ?? null;
  const resolve = ({ zones: asked, polygons }: ShapeInput): ResolvedShape => {
    const missing = asked.filter((zone) => shapeOf(zone) === null).map((zone) => zone.code);
    const shapes = [...polygons, ...asked.map((zone) => shapeOf(zone)).filter((shape) => shape !== null)];
    const parts = shapes.flatMap((shape) => (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates));
    const shape: Shape | null =
      parts.length === 0
        ? null
        : parts.length === 1
          ? { type: 'Polygon', coordinates: parts[0]! }
          : { type: 'MultiPolygon', coordinates: parts };
    return {
      source: !shape ? 'none' : asked.length > missing.length ? 'zones' : 'polygon',
      quality: !shape ? 'none' : missing.length > 0 ? 'partial' : asked.length > 0 ? 'resolved' : 'exact',
      missing,
      json: JSON.stringify(shape),
      shape,
      labelPoint: shape ? parts[0]![0]![0]! : null,
      bbox: shape ? bboxOf(shape) : null,
      areaKm2: shape ? 1234.56 : null,
      timeZones: ['America/Chicago'],
    };
  };
  return {
    resolve(input) {
      const key = JSON.stringify([input.zones.map((zone) => zone.code + zone.type), input.polygons, known.length]);
      const found = resolved.get(key) ?? resolve(input);
      resolved.set(key, found);
      return found;
    },
    resolveFull: async (input) => resolve(input).shape,
    zoneInfo(code, type) {
      const zone = known.find((one) => one.code === code && one.type === type);
      return zone
        ? { code, type, name: `Name of ${code}`, state: code.slice(0, 2), timeZones: [], offices: [], effectiveFrom: null }
        : null;
    },
    zonesAt: (lon, lat, toleranceKm) =>
      known
        .filter((zone) => zone.shape && distanceKm(lon, lat, zone.shape, toleranceKm) <= toleranceKm)
        .map(({ code, type }) => ({ code, type })),
    coverage: (lon, lat) => (lon < -60 && lat > 10 ? 'inside' : 'outside'),
    ensure() {},
    onLoaded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    load(added) {
      known = [...known, ...added];
      for (const listener of listeners) listener(added.map((zone) => zone.code));
    },
  };
}

/** Parsed JSON nobody typed yet. */
export type Loose = Record<string, unknown>;

export interface World {
  clock: ReturnType<typeof fakeClock>;
  places: ReturnType<typeof fakePlaces>;
  alerts: Alerts;
  app: FastifyInstance;
  freshness: Freshness;
  log: LogEntry[];
  /** Applies messages as a good poll would and announces the batch. */
  apply(messages: readonly AlertMessage[], options?: { listed?: boolean }): void;
  /** An accepted poll that listed exactly these messages. */
  poll(listed: readonly string[]): void;
  tick(): void;
  get<Body = Loose>(
    url: string,
    headers?: Record<string, string>,
  ): Promise<{ status: number; headers: Record<string, unknown>; body: Body; text: string }>;
  close(): Promise<void>;
}

/** The reading side over an in-memory log and archive, driven by the real state machine. */
export async function createWorld(options: {
  at: Instant;
  zones?: readonly FakeZone[];
  deps?: Partial<AlertsDeps>;
  /** Around the archive of this world. */
  archive?: (own: AlertArchive) => AlertArchive;
  start?: boolean;
}): Promise<World> {
  const clock = fakeClock(options.at);
  const places = fakePlaces(options.zones);
  const memory = createMemoryLog(clock.now, places);
  const freshness: Freshness = {
    data_as_of: new Date(options.at).toISOString(),
    upstream_age_seconds: 12,
    status: 'live',
    reason: null,
    feed: 'nws',
    simulated: false,
  };
  const alerts = createAlerts({
    clock,
    log: silentLog,
    places,
    alertLog: memory.log,
    archive: options.archive?.(memory.archive) ?? memory.archive,
    boot: memory.boot,
    freshness: () => freshness,
    covered: async () => true,
    ...options.deps,
  });
  const app = await createHttpServer({ clock, log: silentLog, corsOrigins: () => [], trustedProxies: [], page: () => null, secure: false });
  const serve = createServe(app);
  // These routes answer ready bytes: compiling serializers they never use is most of the start.
  alerts.registerRoutes((spec, handler) => serve({ ...spec, reply: undefined } as unknown as typeof spec, handler));
  if (options.start !== false) await alerts.start();
  await app.ready();
  return {
    clock,
    places,
    alerts,
    app,
    freshness,
    log: memory.entries,
    apply: memory.apply,
    poll: memory.poll,
    tick: memory.tick,
    async get(url, headers = {}) {
      const reply = await app.inject({ method: 'GET', url: `/api/v1${url}`, headers });
      return {
        status: reply.statusCode,
        headers: reply.headers,
        text: reply.body,
        body: reply.body.startsWith('{') ? JSON.parse(reply.body) : null,
      };
    },
    async close() {
      await alerts.stop();
      await app.close();
    },
  };
}
