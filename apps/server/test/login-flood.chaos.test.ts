import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { callersOf } from './callers.ts';
import { residentBytes, startChild } from './child-server.ts';

const LOGINS = 200;
/** Two hashes of 128 MiB each (F9), and what 200 open connections take (48 MiB, measured): a third hash would not fit. */
const MEMORY_MARGIN_BYTES = (2 * 128 + 64) * 2 ** 20;
const LOOK_EVERY_MS = 25;

describe.skipIf(process.env['NWMS_CHAOS'] !== '1')('F9: two hundred wrong passwords at once, at the cost of the product', () => {
  it('take no more memory than two hashes, and leave the other routes answering', { timeout: 300_000 }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nwms-flood-'));
    const server = await startChild(dataDir);
    try {
      const { call, signIn, save } = callersOf(server.url);
      const token = await signIn('admin@example.org');
      await save(token, { security: { trusted_ips: ['127.0.0.1', '::1'] } });
      const memory = () => residentBytes(server.pid);
      // What a server grows by in its first minute is not the flood's.
      await watched(call, memory, wait(8_000));
      const quiet = await watched(call, memory, wait(2_000));
      const answers: number[] = [];
      const startedMs = performance.now();
      const flood = Promise.all(
        Array.from({ length: LOGINS }, async (_, n) => {
          const { status } = await call('POST', '/auth/login', { body: { username: `nobody-${n}`, password: 'wrong' } });
          answers.push(status);
        }),
      );
      const busy = await watched(call, memory, flood);
      const figures = {
        seconds: Math.round(performance.now() - startedMs) / 1_000,
        statuses: Object.fromEntries(
          Map.groupBy(answers, (status) => status)
            .entries()
            .map(([status, all]) => [status, all.length]),
        ),
        otherRoutesMs: { quiet: quiet.ms, flood: busy.ms },
        extraMiB: Math.round((busy.bytes - quiet.bytes) / 2 ** 20),
      };
      console.log(`wrong passwords: ${JSON.stringify(figures)}`);
      expect(answers.filter((status) => status !== 401 && status !== 503)).toEqual([]);
      expect(busy.failed).toBe(0);
      expect(busy.bytes - quiet.bytes).toBeLessThan(MEMORY_MARGIN_BYTES);
    } finally {
      server.kill('SIGKILL');
      await server.exited;
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});

const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));

/** Asks another route again and again until it is over: how long it took, what failed, and the most memory seen. */
async function watched(call: ReturnType<typeof callersOf>['call'], memory: () => number, over: Promise<unknown>) {
  const until = new AbortController();
  const settled = over.finally(() => until.abort());
  const took: number[] = [];
  let [failed, bytes] = [0, 0];
  while (!until.signal.aborted) {
    const startedMs = performance.now();
    const { status } = await call('GET', '/alerts?limit=10');
    took.push(performance.now() - startedMs);
    if (status !== 200) failed += 1;
    bytes = Math.max(bytes, memory());
    await wait(LOOK_EVERY_MS);
  }
  await settled;
  const sorted = took.toSorted((a, b) => a - b);
  const at = (part: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0);
  return { ms: { p50: at(0.5), p99: at(0.99), asked: sorted.length }, failed, bytes };
}
