import { createStormFeed, type Feed } from '@nwms/nws-sim';
import { testEngines, type TestPlace } from '@nwms/testkit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { ANY_STATUS, type ChildServer, poll, startChild } from './child-server.ts';

export const postgres = (await testEngines()).find((engine) => engine.name === 'postgres');
/** Ten times faster weather: the two hours of history a new collector looks through are eight pages, more than on the worst real days. */
const SPEED = 10;

/** Several processes of the product on one PostgreSQL database, each with a folder of its own. */
export interface Deployment {
  /** `databaseUrl`: another way to the same database, e.g. through a proxy. */
  start(env?: Record<string, string>, databaseUrl?: string): Promise<ChildServer>;
  url: string;
  /** The weather its processes see. */
  world(): Feed;
  /** Numbers of the stored log that are missing or there twice. */
  holes(): Promise<number>;
  close(): Promise<void>;
}

export async function deployment(speed = SPEED): Promise<Deployment> {
  const place: TestPlace = await postgres!.place();
  const url = place.config.kind === 'postgres' ? place.config.url : '';
  const dirs: string[] = [];
  const running: ChildServer[] = [];
  return {
    url,
    world: () => createStormFeed({ seed: 1, startedAt: Date.now(), speed, targetActive: 220 }),
    async start(env = {}, databaseUrl = url) {
      const dir = mkdtempSync(join(tmpdir(), 'nwms-processes-'));
      dirs.push(dir);
      const child = await startChild(dir, { SIM_SPEED: String(speed), DATABASE_URL: databaseUrl, LOG_LEVEL: 'info', ...env });
      running.push(child);
      return child;
    },
    async holes() {
      const client = new Client({ connectionString: url });
      await client.connect();
      const { rows } = await client.query('select max(seq) - min(seq) + 1 - count(*) as n from log.log');
      await client.end();
      return Number(rows[0].n);
    },
    async close() {
      for (const child of running) {
        child.kill('SIGKILL');
        await child.exited;
      }
      for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
      await place.dispose();
    },
  };
}

export interface Told {
  seq: number;
  event_id: string;
  kind: string;
  state: string;
  /** CAP status of its alert. */
  status: string;
  text: string;
}

/** The whole log as one process tells it, tests included, so that numbers are whole. */
export async function wholeLog(child: ChildServer): Promise<Told[]> {
  const head = await child.json('/alerts/changes');
  const told: Told[] = [];
  let cursor: string = head.oldest_cursor;
  for (;;) {
    const page = await child.json(`/alerts/changes?since=${cursor}&limit=1000&${ANY_STATUS}`);
    if (page.error) throw new Error(JSON.stringify(page));
    told.push(...page.changes.map(toldOf));
    cursor = page.cursor;
    if (!page.has_more) return told;
  }
}

export const asOf = async (child: ChildServer): Promise<number> =>
  Date.parse((await child.json('/health')).checks.data_freshness.data_as_of ?? '1970-01-01');

/** Waits until a process answers with data fetched after an instant; how long that took, in ms. */
export async function freshAfter(child: ChildServer, at: number, withinMs: number): Promise<number> {
  const from = performance.now();
  await poll(
    () => asOf(child),
    (seen) => seen > at,
    withinMs,
  );
  return performance.now() - from;
}

// oxlint-disable-next-line typescript/no-explicit-any -- as parsed
const toldOf = (entry: any): Told => ({ ...entry, status: entry.alert.status, text: JSON.stringify(entry) });
