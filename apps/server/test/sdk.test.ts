import { createClient, createLiveFeed } from '@nwms/client';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot, type Booted } from './boot.ts';
import { until } from './live-recovery.ts';

const root = resolve(import.meta.dirname, '../../..');
const README = join(root, 'packages/client/README.md');
let product: Booted;
beforeAll(async () => {
  product = await boot({ FEED: 'simulator', SIM_SPEED: '60' });
  await product.until('/alerts/stats?active_only=true', (answer) => answer.total > 50);
}, 90_000);
afterAll(() => product.stop());

describe('the SDK against the whole product', () => {
  it('every call of the public part answers with the documented body', async () => {
    const nwms = createClient({ baseUrl: product.url });
    const list = await nwms.alerts.list({ active_only: true, limit: 5 });
    const first = list.alerts[0]!;
    expect(list.alerts).toHaveLength(5);
    expect((await nwms.alerts.get(first.event_id)).event_id).toBe(first.event_id);
    expect((await nwms.alerts.history(first.event_id)).versions.length).toBeGreaterThan(0);
    expect((await nwms.alerts.stats({ active_only: true })).active).toBeGreaterThan(50);
    expect((await nwms.alerts.types()).types.length).toBeGreaterThan(100);
    expect((await nwms.alerts.ticker({ limit: 3 })).breaking_alerts).toHaveLength(3);
    expect((await nwms.alerts.within({ bbox: '-125,24,-66,50', active_only: true, limit: 1 })).alerts.length).toBeLessThanOrEqual(1);
    const square = {
      type: 'Polygon' as const,
      coordinates: [
        [
          [-100, 35],
          [-90, 35],
          [-90, 45],
          [-100, 45],
          [-100, 35],
        ] as [number, number][],
      ],
    };
    expect((await nwms.alerts.withinShape({ geometry: square, limit: 1 })).freshness.simulated).toBe(true);
    expect((await nwms.alerts.near({ lat: 41.59, lon: -93.62 })).center).toEqual({ lat: 41.59, lon: -93.62 });
    expect((await nwms.alerts.changes({ since: list.position.cursor })).freshness.simulated).toBe(true);
    expect((await nwms.health.get()).checks.live.connections).toBe(0);
    expect((await nwms.health.upstream()).feed).toBe('simulator');
    expect(await nwms.activeAlerts()).toMatchObject({ kind: 'alerts', simulated: true });
  });

  it('LV13: a feed opened at the position of a list misses nothing that the log tells since', async () => {
    const nwms = createClient({ baseUrl: product.url });
    const { position } = await nwms.alerts.list({ limit: 1 });
    const feed = createLiveFeed({ url: `${product.url}/ws/alerts`, cursor: position.cursor });
    const seqs: number[] = [];
    feed.onMessage((message) => {
      if (message.type === 'alert' || message.type === 'update') seqs.push(message.seq);
    });
    feed.connect();
    await until(() => seqs.length >= 10, 'ten entries of the simulated weather');
    feed.disconnect();
    const { changes } = await nwms.alerts.changes({ since: position.cursor, limit: 1_000 });
    expect(seqs).toEqual(changes.map((entry) => entry.seq).slice(0, seqs.length));
    expect(feed.status()).toMatchObject({ connection: 'DISCONNECTED', gap: null, freshness: { simulated: true } });
  });

  it('LV14: the snapshot of a filtered feed is what the list answers', async () => {
    const feed = createLiveFeed({ url: `${product.url}/ws/alerts`, start: 'snapshot', filter: { severity: ['Severe', 'Extreme'] } });
    const snapshot = new Promise<{ ids: string[]; cursor: string }>((done) =>
      feed.onSnapshot(({ alerts, cursor }) => done({ ids: alerts.map((alert) => alert.event_id), cursor })),
    );
    feed.connect();
    const { ids } = await snapshot;
    feed.disconnect();
    const list = await createClient({ baseUrl: product.url }).alerts.list({ active_only: true, severity: ['Severe', 'Extreme'] });
    const listed = new Set(list.alerts.map((alert) => alert.event_id));
    expect(ids.length).toBeGreaterThan(5);
    // A storm may begin or end between the two answers; the bulk is the same.
    expect(ids.filter((id) => !listed.has(id)).length).toBeLessThan(ids.length / 5);
  });
});

describe('the examples of the README', () => {
  const examples = [...readFileSync(README, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');

  it.each(examples.map((code, index) => [index + 1, code] as const))('example %i runs as written', async (index, code) => {
    const parent = join(root, 'node_modules/.cache');
    mkdirSync(parent, { recursive: true });
    const folder = mkdtempSync(join(parent, 'sdk-readme-'));
    try {
      const file = join(folder, `example-${index}.mjs`);
      writeFileSync(file, stripTypeScriptTypes(code.replaceAll('https://alerts.example.org', product.url)));
      const { stdout } = await promisify(execFile)(process.execPath, [file], { timeout: 30_000 });
      expect(stdout.trim()).not.toBe('');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
