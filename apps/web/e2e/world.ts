/** The product as `npm start` runs it, server and pages as built, on a weather feed that the test controls. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createStormFeed, type Feed, type RawFeature, startNwsSim } from '../../../tools/nws-sim/src/index.ts';

import { type Login, logInBoth } from './sign-in.ts';

const ROOT = resolve(import.meta.dirname, '../../..');

export interface World {
  url: string;
  /** Sessions of an administrator and of a member, made at the start. */
  admin: Login;
  member: Login;
  /** Messages listed as active from the next poll (within a second) on. */
  listed: RawFeature[];
  /** Ends the server; `begin` starts it again at the same address with the same data. */
  end(): Promise<void>;
  begin(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server with these settings, `FEED=nws` on the listed messages unless another feed is named. */
export async function startWorld(listed: RawFeature[], env: Record<string, string> = {}): Promise<World> {
  for (const part of ['apps/web/dist/index.html', 'apps/server/dist/built'])
    if (!existsSync(join(ROOT, part))) throw new Error(`There is no ${part}; build first: npm run build`);
  const nobody: Login = { access_token: '', user: { id: '', username: '', role: 'user' } };
  const world: World = { url: '', admin: nobody, member: nobody, listed, end: async () => {}, begin: async () => {}, stop: async () => {} };
  const zones = createStormFeed({ seed: 11, startedAt: Date.now() });
  const feed: Feed = {
    ...zones,
    activeAt: (now) => ({ updated: now, features: world.listed }),
    issuedBetween: (from, to) =>
      world.listed.filter(({ properties }) => Date.parse(properties.sent) > from && Date.parse(properties.sent) <= to),
    byId: (id) => world.listed.find((feature) => feature.properties.id === id),
  };
  const sim = await startNwsSim({ feed, clock: Date.now });
  const dataDir = mkdtempSync(join(tmpdir(), 'nwms-e2e-'));
  const settings = {
    FEED: 'nws',
    NWS_BASE_URL: sim.url,
    NWS_CONTACT: 'tests@example.invalid',
    NWS_POLL_SECONDS: '1',
    LOG_LEVEL: 'error',
    // Hundreds of pages from one address; that a page lives within the limits has a test of its own.
    LIMITS_FACTOR: '100',
    DATA_DIR: dataDir,
    ...env,
  };
  let server = await startServer({ ...settings, PORT: '0' });
  world.url = server.url;
  await firstPoll(server.url);
  Object.assign(world, await logInBoth(server.url));
  world.end = () => server.stop();
  world.begin = async () => {
    server = await startServer({ ...settings, PORT: new URL(world.url).port });
  };
  world.stop = async () => {
    await server.stop();
    await sim.close();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return world;
}

async function startServer(env: Record<string, string>) {
  // oxlint-disable-next-line node/no-process-env -- the server inherits the environment of the test
  const child = spawn(process.execPath, ['apps/server/dist/app/main.js'], { cwd: ROOT, env: { ...process.env, ...env }, stdio: 'pipe' });
  const ended = new Promise<void>((done) => child.on('close', () => done()));
  let said = '';
  let stopping = false;
  const url = await new Promise<string>((found, failed) => {
    const read = (chunk: Buffer) => {
      said += String(chunk);
      const match = /NWMS is at (\S+)/.exec(said);
      if (match?.[1]) found(match[1]);
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('close', (code, signal) => {
      const sentence = `The server ended by itself (${signal ?? code}): ${said}`;
      failed(new Error(sentence));
      // oxlint-disable-next-line eslint/no-console -- without this every later test would only say that nobody answers
      if (!stopping) console.error(sentence);
    });
  });
  return {
    url,
    async stop() {
      stopping = true;
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Until then the server answers 503: nothing can be concluded yet. */
async function firstPoll(url: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  while (!(await fetch(`${url}/api/v1/alerts?limit=1`)).ok) {
    if (Date.now() > deadline) throw new Error('The server never loaded alerts');
    await new Promise((next) => setTimeout(next, 100));
  }
}

/** Messages of simulated weather, marked as actual: about 200 of every kind. */
export function stormyDay(nowMs: number): RawFeature[] {
  const features = createStormFeed({ seed: 11, startedAt: nowMs, status: 'Actual' }).activeAt(nowMs).features;
  return features.filter((feature) => feature.properties.status === 'Actual');
}

const OFFSET = '-06:00';
const local = (atMs: number): string => `${new Date(atMs - 6 * 3_600_000).toISOString().slice(0, 19)}${OFFSET}`;
const vtecTime = (atMs: number): string => `${new Date(atMs).toISOString().slice(2, 16).replaceAll(/[-:]/g, '')}Z`;

/** A Tornado Warning for Grady County, Oklahoma, by a message of this VTEC action. `first` is the message that began it. */
export function tornadoWarning(action: 'NEW' | 'CAN', sentMs: number, first?: RawFeature): RawFeature {
  const began = first ? Date.parse(first.properties.sent) : sentMs;
  const ends = began + 45 * 60_000;
  const id = `urn:oid:2.49.0.1.840.0.e2e.${action}.${sentMs}`;
  const url = `https://api.weather.gov/alerts/${id}`;
  return {
    id: url,
    type: 'Feature',
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [-98.05, 34.95],
          [-97.68, 34.9],
          [-97.68, 35.3],
          [-98.05, 35.2],
          [-98.05, 34.95],
        ],
      ],
    },
    properties: {
      '@id': url,
      '@type': 'wx:Alert',
      id,
      areaDesc: 'Grady, OK',
      geocode: { SAME: ['040051'], UGC: ['OKC051'] },
      affectedZones: ['https://api.weather.gov/zones/county/OKC051'],
      references: first
        ? [{ '@id': first.id, identifier: first.properties.id, sender: 'w-nws.webmaster@noaa.gov', sent: first.properties.sent }]
        : [],
      sent: local(sentMs),
      effective: local(sentMs),
      onset: local(began),
      expires: local(ends),
      ends: local(ends),
      status: 'Actual',
      messageType: action === 'NEW' ? 'Alert' : 'Cancel',
      category: 'Met',
      severity: 'Extreme',
      certainty: 'Observed',
      urgency: action === 'NEW' ? 'Immediate' : 'Past',
      event: 'Tornado Warning',
      sender: 'w-nws.webmaster@noaa.gov',
      senderName: 'NWS Norman OK',
      headline: 'Tornado Warning issued by NWS Norman OK',
      description: 'At 155 PM CST, a confirmed tornado was located near Chickasha, moving\nnortheast at 30 mph.',
      instruction: 'TAKE COVER NOW! Move to a basement or an interior room on the lowest\nfloor of a sturdy building.',
      response: action === 'NEW' ? 'Shelter' : 'AllClear',
      parameters: { VTEC: [`/O.${action}.KOUN.TO.W.0777.${action === 'NEW' ? vtecTime(began) : '000000T0000Z'}-${vtecTime(ends)}/`] },
      scope: 'Public',
      code: 'IPAWSv1.0',
      language: 'en-US',
      web: 'http://www.weather.gov',
      eventCode: { SAME: ['TOR'], NationalWeatherService: ['TOW'] },
    },
  };
}
