import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { compose } from '../src/app/compose.ts';
import type { Locator } from '../src/features/usage/index.ts';
import { type Clock, systemClock } from '../src/platform/clock.ts';
import { parseConfig } from '../src/platform/config/config.ts';
import { readEnv } from '../src/platform/config/env.ts';
import type { Load } from '../src/platform/http/shedding.ts';
import { type Log, silentLog } from '../src/platform/log.ts';

export interface Booted {
  url: string;
  dataDir: string;
  /** GET below /api/v1, parsed. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  json(path: string): Promise<any>;
  /** Asks until the answer satisfies, or fails with the last answer after the deadline. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  until(path: string, satisfied: (answer: any) => boolean, withinMs?: number): Promise<any>;
  stop(): Promise<void>;
}

/** Cheap hashes: at the cost of the product every account a test makes takes a third of a second of a processor. */
const COST_LOG2 = 10;

export interface BootOptions {
  clock?: Clock;
  log?: Log;
  /** Where addresses are; the installed database unless said. */
  locator?: Locator;
  /** How busy it thinks it is; measured unless said. */
  load?: Load;
  dataDir?: string;
  /** Of password hashes; cheap unless said. */
  passwordCostLog2?: number;
}

/** The whole product in this process, on a free port and a folder of its own. */
export async function boot(env: Record<string, string>, options: BootOptions = {}): Promise<Booted> {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'nwms-test-'));
  const config = parseConfig(
    readEnv({ PORT: '0', DATA_DIR: dataDir, NWS_POLL_SECONDS: '1', LIMITS_FACTOR: '1000', ...env }),
    resolve(import.meta.dirname, '../../..'),
  );
  const product = await compose(config, {
    clock: options.clock ?? systemClock,
    log: options.log ?? silentLog,
    ...(options.locator ? { locator: options.locator } : {}),
    ...(options.load ? { load: options.load } : {}),
    passwordCostLog2: options.passwordCostLog2 ?? COST_LOG2,
  });
  const url = await product.listen();
  const json = async (path: string) => (await fetch(`${url}/api/v1${path}`)).json();
  return {
    url,
    dataDir,
    json,
    async until(path, satisfied, withinMs = 60_000) {
      const deadline = performance.now() + withinMs;
      for (;;) {
        const answer: unknown = await json(path);
        if (satisfied(answer)) return answer;
        if (performance.now() > deadline) throw new Error(`${path} did not get there: ${JSON.stringify(answer).slice(0, 600)}`);
        await new Promise((next) => setTimeout(next, 100));
      }
    },
    async stop() {
      await product.stop();
      if (!options.dataDir) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
