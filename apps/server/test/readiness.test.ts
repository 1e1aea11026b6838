import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot, type Booted } from './boot.ts';

/** A weather service that is away until told otherwise; then its list is empty. */
let isAway = true;
const weather = createServer((_request, reply) => {
  if (isAway) return void reply.writeHead(503).end();
  reply.writeHead(200, { 'Content-Type': 'application/geo+json' });
  reply.end(JSON.stringify({ type: 'FeatureCollection', features: [], updated: new Date().toISOString() }));
});
let product: Booted;
beforeAll(async () => {
  await new Promise<void>((listening) => weather.listen(0, '127.0.0.1', listening));
  const { port } = weather.address() as AddressInfo;
  product = await boot({ FEED: 'nws', NWS_CONTACT: 'ops@example.org', NWS_BASE_URL: `http://127.0.0.1:${port}` });
}, 60_000);
afterAll(async () => {
  await product.stop();
  weather.closeAllConnections();
  weather.close();
});

const ask = async (path: string) => {
  const response = await fetch(`${product.url}${path}`);
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  return { status: response.status, body: (await response.json()) as any };
};
const counted = async () => (await ask('/health')).body.checks.data_freshness;

describe('an empty installation (API-10)', () => {
  it('is not ready and counts null while no list was ever loaded; ready from the first list on, whatever happens to its source', async () => {
    expect(await ask('/api/v1/alerts?limit=1')).toMatchObject({ status: 503, body: { error: 'data.unavailable' } });
    expect(await ask('/health/ready')).toEqual({ status: 503, body: { ready: false, waiting_for: ['the first list of alerts'] } });
    // The process itself lives, and may not be killed for it.
    expect((await ask('/health/live')).status).toBe(200);
    expect(await counted()).toMatchObject({ status: 'unknown', active_alerts: null, in_force: null, by_severity: null });

    isAway = false;
    await product.until('/health', (health) => health.checks.data_freshness.status === 'ok', 30_000);
    expect(await ask('/health/ready')).toEqual({ status: 200, body: { ready: true } });
    expect(await counted()).toMatchObject({ active_alerts: 0, in_force: 0, by_severity: { Extreme: 0 } });
    expect((await ask('/api/v1/alerts?limit=1')).status).toBe(200);

    isAway = true;
    const failed = async () => (await product.json('/health/upstream')).polls_24h.failed as number;
    const before = await failed();
    await product.until('/health/upstream', (upstream) => upstream.polls_24h.failed > before, 60_000);
    expect((await ask('/health/ready')).status).toBe(200);
  }, 120_000);
});
