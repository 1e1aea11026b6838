import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createStormFeed, readCapture } from '@nwms/nws-sim';
import { sharedData } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capXml, XML_DECLARATION } from '../src/features/alerts/formats/cap.ts';
import { readFeatures } from '../src/features/ingest/parse.ts';
import { boot, type Booted } from './boot.ts';
import { atomFaults, capFaults, geometryFaults, readCsv } from './standards.ts';
import { readXml } from './xml-reader.ts';

const CAPTURES = [
  'active-us-2025-12-15T2155Z.json.gz',
  'active-us-2024-12-08.json.gz',
  'active-iowa-2024-05-21T1934Z.json',
  'synthetic-event-types.json',
].flatMap((name) => sharedData(`alerts/${name}`) ?? []);
const START = Date.UTC(2026, 4, 20, 18);

async function capOf(features: readonly unknown[]): Promise<string[]> {
  const { readable } = await readFeatures(features as never, { source: 'nws', receivedAt: START, known: new Map() });
  return readable.flatMap((each) => (each.message ? [capXml(each.message, each.raw ?? null)] : []));
}

/** Messages that break a rule, by what they break. */
const broken = (texts: readonly string[]) => {
  const faults = texts.flatMap((text) => capFaults(text));
  return Object.fromEntries(
    Map.groupBy(faults, (fault) => fault)
      .entries()
      .map(([fault, all]) => [fault, all.length]),
  );
};

/** A second opinion about well-formedness where the tool is installed. */
function wellFormed(text: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'nwms-xml-'));
  writeFileSync(join(dir, 'a.xml'), text);
  const done = spawnSync('xmllint', ['--noout', '--huge', join(dir, 'a.xml')], { encoding: 'utf8' });
  rmSync(dir, { recursive: true, force: true });
  return done.error ? '' : done.stderr;
}

describe('CAP 1.2', () => {
  it('every message of the simulator is valid', async () => {
    const feed = createStormFeed({ seed: 5, startedAt: START, speed: 1, targetActive: 600 });
    const texts = await capOf(feed.issuedBetween(START - 12 * 3_600_000, START));
    expect(texts.length).toBeGreaterThan(300);
    expect(broken(texts)).toEqual({});
    expect(wellFormed(`${XML_DECLARATION}<all>${texts.join('')}</all>`)).toBe('');
  });

  it.skipIf(CAPTURES.length === 0).each(CAPTURES.map((path) => [basename(path), path]))(
    'every message of %s is valid',
    async (name, path) => {
      const texts = await capOf(readCapture(readFileSync(path), name).features);
      expect(texts.length).toBeGreaterThan(0);
      expect(broken(texts)).toEqual({});
      expect(wellFormed(`${XML_DECLARATION}<all>${texts.join('')}</all>`)).toBe('');
    },
  );

  it('the rules find what is wrong', async () => {
    const feed = createStormFeed({ seed: 5, startedAt: START, speed: 1, targetActive: 600 });
    const [text = ''] = await capOf(feed.activeAt(START).features.slice(0, 1));
    expect(capFaults(text)).toEqual([]);
    expect(capFaults(text.replace('<scope>Public</scope>', ''))).toEqual(['alert lacks scope']);
    expect(capFaults(text.replace(/<sent>[^<]*/, '<sent>2026-05-20T18:00:00Z'))).toHaveLength(1);
    expect(capFaults(text.replace(/<severity>[^<]*/, '<severity>Huge'))).toHaveLength(1);
    expect(capFaults(text.replace(/<sender>[^<]*/, '<sender>NWS Des Moines, IA'))).toHaveLength(1);
  });
});

describe('answers in other formats', () => {
  let product: Booted;
  const textOf = async (query: string) => (await fetch(`${product.url}/api/v1/alerts?limit=1000&${query}`)).text();
  beforeAll(async () => {
    product = await boot({ FEED: 'simulator', SIM_ACTIVE: '300' });
    await product.until('/alerts/stats', (stats) => stats.total > 100);
  }, 120_000);
  afterAll(() => product.stop(), 30_000);

  it('Atom is valid, also with whole CAP messages inside', async () => {
    const atom = await textOf('format=atom');
    expect(atomFaults(atom)).toEqual([]);
    expect(wellFormed(atom)).toBe('');
    const withCap = readXml(await textOf('format=cap'));
    expect(withCap.children.filter((child) => child.name === 'entry').length).toBeGreaterThan(50);
  });

  it('GeoJSON rings are closed, turn the right way and never cross 180 degrees', async () => {
    const { features } = JSON.parse(await textOf('format=geojson')) as {
      features: { id: string; geometry: never; properties: { id: string } }[];
    };
    expect(features.length).toBeGreaterThan(50);
    expect(features.flatMap((feature) => geometryFaults(feature.geometry).map((fault) => `${feature.id}: ${fault}`))).toEqual([]);
  });

  it('CSV reads back as the list it was made of', async () => {
    const [csv, list] = await Promise.all([textOf('format=csv'), product.json('/alerts?limit=1000')]);
    const [head = [], ...rows] = readCsv(csv);
    expect(new Set(rows.map((row) => row.length))).toEqual(new Set([head.length]));
    const described = new Map<string, string>(
      list.alerts.map((alert: { id: string; description: string | null }) => [alert.id, alert.description ?? '']),
    );
    const compared = rows.filter((row) => described.has(row[head.indexOf('id')] ?? ''));
    expect(compared.length).toBeGreaterThan(50);
    for (const row of compared) {
      const cell = row[head.indexOf('description')];
      const source = described.get(row[head.indexOf('id')] ?? '');
      expect([source, `'${source}`]).toContain(cell);
    }
  });
});
