import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { sharedData } from '@nwms/testkit';
import { type Started, startProcess } from './processes.ts';

const root = resolve(import.meta.dirname, '../..');

export interface RunningProduct extends Started {
  url: string;
  dataDir: string;
}

/** Starts the product as a user does, as built (`npm run build`), in a process of its own, on a free port and a folder of its own. */
export async function startProduct(
  env: Record<string, string> = {},
  dataDir = mkdtempSync(join(tmpdir(), 'nwms-bench-')),
): Promise<RunningProduct> {
  const started = await startProcess([join(root, 'apps/server/dist/app/main.js')], /NWMS is at http/, {
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    // One address asks for everybody.
    LIMITS_FACTOR: '100000',
    ...env,
  });
  const url = /http:\/\/[\w.:]+/.exec(started.line)?.[0] ?? '';
  return {
    ...started,
    url,
    dataDir,
    async stop() {
      await started.stop();
      if (dataDir.startsWith(tmpdir())) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A real national list where recordings are on this machine, else the simulator at its largest. */
export function nationalFeed(): { env: Record<string, string>; what: string } {
  const capture = sharedData('alerts/active-us-2025-12-15T2155Z.json.gz');
  if (capture) return { env: { FEED: 'replay', REPLAY_PATH: capture, NWS_POLL_SECONDS: '5' }, what: 'recorded national list' };
  return {
    env: { FEED: 'simulator', SIM_ACTIVE: '600', NWS_POLL_SECONDS: '5' },
    what: 'simulated national list (no recordings on this machine)',
  };
}

/** Waits until the list holds at least `count` alerts and has settled (late shapes included). */
export async function waitForAlerts(url: string, count: number): Promise<number> {
  const deadline = performance.now() + 120_000;
  let last = '';
  while (performance.now() < deadline) {
    const response = await fetch(`${url}/api/v1/alerts?active_only=true`);
    if (response.ok) {
      const { total } = (await response.json()) as { total: number };
      const etag = response.headers.get('etag') ?? '';
      if (total >= count && etag === last) return total;
      last = etag;
    }
    await new Promise((next) => setTimeout(next, 1_500));
  }
  throw new Error(`the list did not reach ${count} alerts`);
}
