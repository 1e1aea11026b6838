import { testEngines } from '@nwms/testkit';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot, type Booted } from './boot.ts';
import { ANY_STATUS, poll } from './child-server.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';

const AWAY_MS = process.env['NWMS_CHAOS'] === '1' ? 60_000 : 8_000;
const RECOVERY_WITHIN_MS = 10_000;
const postgres = (await testEngines()).find((engine) => engine.name === 'postgres');

interface Look {
  status: number;
  total: number;
  ageSeconds: number | null;
  dataAsOf: string | null;
  fresh: string;
  tookMs: number;
}

describe.skipIf(postgres === undefined || postgres.skip !== null)('a PostgreSQL server that goes away (I5)', () => {
  let proxy: FaultProxy;
  let product: Booted;
  let dispose = async () => {};
  let directUrl = '';

  beforeAll(async () => {
    const place = await postgres!.place();
    dispose = place.dispose;
    const url = new URL(place.config.kind === 'postgres' ? place.config.url : '');
    proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port || 5432) });
    directUrl = url.href;
    url.host = `127.0.0.1:${proxy.port}`;
    product = await boot({ FEED: 'simulator', SIM_SPEED: '60', DATABASE_URL: url.href });
    await product.until('/alerts/stats', (stats) => stats.total > 50);
  }, 90_000);
  afterAll(async () => {
    proxy.set({ kind: 'pass' });
    await product.stop();
    await proxy.close();
    await dispose();
  }, 60_000);

  const look = async (): Promise<Look> => {
    const from = performance.now();
    const response = await fetch(`${product.url}/api/v1/alerts?active_only=true&limit=1000`);
    const body = (await response.json()) as { total: number; freshness?: Record<string, unknown> };
    return {
      status: response.status,
      total: body.total,
      ageSeconds: body.freshness?.['upstream_age_seconds'] as number | null,
      dataAsOf: body.freshness?.['data_as_of'] as string | null,
      fresh: body.freshness?.['status'] as string,
      tookMs: performance.now() - from,
    };
  };
  const askThePast = async () => {
    const from = performance.now();
    const answer = await product.json(`/alerts?at=${new Date(Date.now() - 2_000).toISOString()}`);
    return { error: answer.error as string | undefined, tookMs: performance.now() - from };
  };
  const healthStatus = async () => (await product.json('/health')) as { status: string; checks: { database: { status: string } } };

  /** Numbers that no row has, and rows that share one. */
  const holes = async (): Promise<number> => {
    const client = new Client({ connectionString: directUrl });
    await client.connect();
    const { rows } = await client.query('select max(seq) - min(seq) + 1 - count(*) as n from log.log');
    await client.end();
    return Number(rows[0].n);
  };

  /** Every entry from the start of the log; the numbers must be whole. */
  const wholeLog = async (): Promise<string[]> => {
    const head = await product.json('/alerts/changes');
    const texts: string[] = [];
    let cursor: string = head.oldest_cursor;
    for (;;) {
      const page = await product.json(`/alerts/changes?since=${cursor}&limit=1000&${ANY_STATUS}`);
      expect(page.error).toBeUndefined();
      texts.push(...page.changes.map((entry: unknown) => JSON.stringify(entry)));
      cursor = page.cursor;
      if (!page.has_more) return texts;
    }
  };

  it.each(['cut', 'hang'] as const)(
    'is told honestly when its connections %s, and nothing is lost, numbered twice or refused for it',
    async (kind) => {
      const before = await wholeLog();
      const asOf = (await look()).dataAsOf;
      proxy.set({ kind });
      const cutAt = performance.now();
      const past = askThePast();
      const looks: Look[] = [];
      let lastLookMs = 0;
      let degradedAfterMs: number | null = null;
      while (performance.now() - cutAt < AWAY_MS) {
        lastLookMs = performance.now() - cutAt;
        looks.push(await look());
        const health = await healthStatus();
        if (degradedAfterMs === null && health.status !== 'healthy') degradedAfterMs = performance.now() - cutAt;
        await new Promise((next) => setTimeout(next, 150));
      }
      // Alerts in force stay readable, none vanished, and what cannot be stored is not told as fresh.
      expect(looks.map((one) => one.status)).toEqual(Array(looks.length).fill(200));
      expect(Math.min(...looks.map((one) => one.total))).toBeGreaterThan(30);
      const last = looks.at(-1)!;
      expect(Date.parse(last.dataAsOf ?? '')).toBeLessThanOrEqual(Date.parse(asOf ?? '') + 3_000);
      expect(last.ageSeconds).toBeGreaterThanOrEqual(Math.floor(lastLookMs / 1000) - 4);
      expect(degradedAfterMs).not.toBeNull();
      // What only the database knows is refused as what it is, and soon.
      const refused = await past;
      expect(refused.error).toBe('server.database_unavailable');
      expect(refused.tookMs).toBeLessThan(6_000);

      proxy.set({ kind: 'pass' });
      const backAt = performance.now();
      await poll(healthStatus, (health) => health.status === 'healthy', 30_000);
      await poll(look, (one) => Date.parse(one.dataAsOf ?? '') > Date.parse(last.dataAsOf ?? ''), 30_000);
      const recoveredMs = performance.now() - backAt;
      const slowest = Math.max(...looks.map((one) => one.tookMs));
      console.log(
        `${kind} ${AWAY_MS} ms: ${looks.length} reads, slowest ${slowest.toFixed(0)} ms, the past refused after ${refused.tookMs.toFixed(0)} ms, degraded after ${degradedAfterMs?.toFixed(0)} ms, recovered after ${recoveredMs.toFixed(0)} ms`,
      );
      expect(recoveredMs).toBeLessThan(RECOVERY_WITHIN_MS);

      const after = await wholeLog();
      expect(after.slice(0, before.length)).toEqual(before);
      expect(await holes()).toBe(0);
    },
    AWAY_MS + 60_000,
  );
});
