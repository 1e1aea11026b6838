import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fakeClock } from '@nwms/testkit';
import { afterAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../migrations/index.ts';
import { importCommand } from '../src/app/import.ts';
import { openStorage } from '../src/features/alerts/storage/storage-fixture.ts';
import { manyWarnings, testFolder } from '../src/features/import/import-fixture.ts';
import { readEnv } from '../src/platform/config/env.ts';
import { claimFeed } from '../src/platform/db/feed-claim.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { message, vtec } from './alerts-world.ts';

const folder = testFolder();
afterAll(() => folder.dispose());
const dataDir = join(folder.dir, 'data');

async function command(...args: string[]) {
  let [out, err] = ['', ''];
  const output = { isTerminal: false, out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const code = await importCommand(args, readEnv({ DATA_DIR: dataDir }), resolve('/'), output);
  return { code, out, err };
}

describe('npm run import', () => {
  it('says what is wrong with the command in words and with exit code 2', async () => {
    expect(await command('--help')).toMatchObject({ code: 0, err: '' });
    expect((await command()).err).toContain('Give a source and a file');
    expect((await command('hail', 'x')).err).toContain('observations');
    expect((await command('warning', 'x')).err).toContain('warnings, polygons, watches, statements');
    expect((await command('warnings', join(folder.dir, 'missing.csv'))).err).toContain('cannot be read');
    expect(await command('warnings', 'x', '--from', 'monday')).toMatchObject({ code: 2 });
    expect(await command('warnings', 'x', '--colour')).toMatchObject({ code: 2 });
    expect(existsSync(join(dataDir, 'nws', 'nwms.pid'))).toBe(false);
  });

  it('B1: adds history while a server collects, and leaves the log, its numbers and its lock alone', async () => {
    const dir = join(dataDir, 'nws');
    const database = await openDatabase({ kind: 'sqlite', dir }, { migrations: MIGRATIONS });
    const clock = fakeClock(Date.now());
    const server = await openStorage(database, { clock });
    const over = new AbortController();
    let collected = 0;
    const collect = (async () => {
      while (!over.signal.aborted) {
        const sent = clock.now();
        const alert = message(
          {
            vtec: vtec('NEW', `KDMX.SV.W.${String(3000 + collected)}`, sent, sent + 3_600_000),
            sent,
            event: 'Severe Thunderstorm Warning',
          },
          sent,
        );
        await server.storage.writer.applySnapshot({ incoming: [{ message: alert, raw: '{}' }], listed: null, poll: null, source: 'nws' });
        collected += 1;
        await new Promise<void>((done) => setImmediate(done));
      }
    })();
    const path = folder.csv('beside.csv', [...manyWarnings(120), { ...manyWarnings(1)[0], expire: 'never' } as Record<string, string>]);
    const report = join(folder.dir, 'refused.ndjson');
    const first = await command('warnings', path, '--report', report);
    over.abort();
    await collect;
    expect(first).toMatchObject({ code: 3, err: '' });
    expect(first.out).toContain('events new: 120');
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      line: 362,
      field: 'expire',
      value: 'never',
      reason: 'time_unreadable',
    });
    expect(collected).toBeGreaterThan(0);
    expect(server.storage.log.latestSeq()).toBe(collected);
    const { events } = await server.storage.archive.find({ limit: 10_000 });
    expect(events.filter((event) => event.eventId.endsWith('.2024'))).toHaveLength(120);
    expect(await command('warnings', path, '--report', report)).toMatchObject({ code: 3, out: expect.stringContaining('nothing new') });
    await server.close();
    await database.close();
  }, 60_000);

  it('does not mix with simulated weather', async () => {
    const database = await openDatabase({ kind: 'sqlite', dir: join(folder.dir, 'simulated', 'nws') }, { migrations: MIGRATIONS });
    await claimFeed(database.app, 'simulator-1-1x');
    await database.close();
    let err = '';
    const output = { isTerminal: false, out: () => {}, err: (text: string) => void (err += text) };
    const path = folder.csv('few.csv', manyWarnings(3));
    expect(await importCommand(['warnings', path], readEnv({ DATA_DIR: join(folder.dir, 'simulated') }), '/', output)).toBe(1);
    expect(err).toContain('simulator-1-1x');
  });
});
