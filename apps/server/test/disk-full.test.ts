import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { ANY_STATUS, type ChildServer, poll, startChild } from './child-server.ts';

/** Room for the first lists and little more. */
const DISK_MB = 64;
const FULL_MS = 6_000;
const RECOVERY_WITHIN_MS = 30_000;
/** A disk of our own needs a mount namespace. */
const canMount = spawnSync('unshare', ['-rm', 'sh', '-c', 'mount -t tmpfs -o size=1m tmpfs /mnt']).status === 0;
if (!canMount) console.warn('NOTICE: the disk-full test is skipped: this machine does not let it mount a small disk');

let server: ChildServer | undefined;
afterEach(async () => {
  server?.kill('SIGKILL');
  await server?.exited;
});

describe.skipIf(!canMount)('a disk that is full (I6)', () => {
  it('costs no answer and no honesty, and needs no restart when there is room again', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'nwms-disk-'));
    try {
      const mount = `mount -t tmpfs -o size=${DISK_MB}m tmpfs ${dataDir} && exec "$@"`;
      const child = await startChild(dataDir, { SIM_SPEED: '60' }, ['unshare', '-rm', 'sh', '-c', mount, 'sh']);
      server = child;
      // Only the server's own view of the file system has the small disk.
      const ballast = join('/proc', String(child.pid), 'root', dataDir, 'ballast');
      const list = () => child.json('/alerts?active_only=true&limit=1000');
      await poll(list, (answer) => answer.total > 50, 30_000);
      const logBefore = await wholeLog(child);

      fill(ballast);
      const fullAt = Date.now();
      const answers: { askedAt: number; total: number; asOf: string; ageSeconds: number; error: unknown }[] = [];
      while (Date.now() - fullAt < FULL_MS) {
        // An answer is held against the moment it was asked for: filling the disk again takes seconds on a busy machine.
        const askedAt = Date.now();
        const response = await fetch(`${child.url}/api/v1/alerts?active_only=true&limit=1000`);
        const answer = (await response.json()) as { total: number; error?: unknown };
        answers.push({
          askedAt,
          total: answer.total,
          // The headers are exact; a body that did not change may be kept for half a minute.
          asOf: response.headers.get('NWMS-Data-As-Of') ?? '',
          ageSeconds: Number(response.headers.get('NWMS-Data-Age')),
          error: answer.error,
        });
        // What the store frees by itself is taken again.
        fill(ballast);
        await new Promise((next) => setTimeout(next, 200));
      }
      expect(answers.filter((answer) => answer.error !== undefined)).toEqual([]);
      expect(Math.min(...answers.map((answer) => answer.total))).toBeGreaterThan(30);
      const last = answers.at(-1)!;
      // Not stored is not told as fresh. (A small record may still fit into room the database already holds.)
      expect(last.ageSeconds).toBeGreaterThanOrEqual(Math.floor((last.askedAt - Date.parse(last.asOf)) / 1000) - 1);

      rmSync(ballast);
      const freedAt = performance.now();
      await poll(list, (answer) => Date.parse(answer.freshness.data_as_of) > Date.parse(last.asOf), RECOVERY_WITHIN_MS);
      const recoveredMs = performance.now() - freedAt;
      console.log(
        `disk full ${FULL_MS} ms: ${answers.length} reads, age ${last.ageSeconds} s, stored again after ${recoveredMs.toFixed(0)} ms`,
      );
      expect((await wholeLog(child)).slice(0, logBefore.length)).toEqual(logBefore);
      expect(child.said()).toMatch(/no room|disk|full/i);
    } finally {
      server?.kill('SIGKILL');
      await server?.exited;
      rmSync(dataDir, { recursive: true, force: true });
    }
  }, 120_000);
});

/** Writes until nothing more goes in. */
function fill(path: string): void {
  for (let size = 1024 * 1024; size >= 512;) {
    try {
      appendFileSync(path, Buffer.alloc(size));
    } catch (error) {
      if ((error as { code?: string }).code !== 'ENOSPC') throw error;
      size /= 2;
    }
  }
}

async function wholeLog(child: ChildServer): Promise<string[]> {
  let cursor: string = (await child.json('/alerts/changes')).oldest_cursor;
  const texts: string[] = [];
  for (;;) {
    const page = await child.json(`/alerts/changes?since=${cursor}&limit=1000&${ANY_STATUS}`);
    texts.push(...page.changes.map((entry: unknown) => JSON.stringify(entry)));
    cursor = page.cursor;
    if (!page.has_more) return texts;
  }
}
