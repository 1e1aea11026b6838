import { testEngines } from '@nwms/testkit';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../migrations/index.ts';
import { openDatabase } from '../src/platform/db/open.ts';
import { startFaultProxy } from './fault-proxy.ts';

const postgres = (await testEngines()).find((engine) => engine.name === 'postgres');
/** Longer than people wait for a connection (0.5 s), much shorter than a start may. */
const SLOW_MS = 1_500;

describe.skipIf(postgres === undefined || postgres.skip !== null)('a PostgreSQL server whose host is busy', () => {
  it('delays a start, which does not end for it; once people wait, who gets no connection is told within a second (I5)', async () => {
    const place = await postgres!.place();
    const url = new URL(place.config.kind === 'postgres' ? place.config.url : '');
    const proxy = await startFaultProxy({ host: url.hostname, port: Number(url.port || 5432) });
    url.host = `127.0.0.1:${proxy.port}`;
    const database = await openDatabase({ kind: 'postgres', url: url.href }, { migrations: MIGRATIONS });
    // More at once than there are connections open: new ones are needed while nothing comes through.
    const ask = () => Promise.allSettled([1, 2, 3, 4].map(() => sql`select 1`.execute(database.log)));
    const fates = async () => (await ask()).map(({ status }) => status);
    const whileSlow = async <T>(run: () => Promise<T>): Promise<T> => {
      proxy.set({ kind: 'hang' });
      const timer = setTimeout(() => proxy.set({ kind: 'pass' }), SLOW_MS);
      return run().finally(() => {
        clearTimeout(timer);
        proxy.set({ kind: 'pass' });
      });
    };
    try {
      expect(await whileSlow(fates)).toEqual(Array(4).fill('fulfilled'));
      await database.close();
      const serving = await openDatabase({ kind: 'postgres', url: url.href }, { migrations: MIGRATIONS });
      try {
        serving.engine.serve();
        const held = serving.log.connection().execute(async () => {
          await whileSlow(async () => {
            const from = performance.now();
            await expect(Promise.all([1, 2, 3, 4].map(() => sql`select 1`.execute(serving.log)))).rejects.toThrow(/timeout/i);
            expect(performance.now() - from).toBeLessThan(SLOW_MS);
          });
        });
        await held;
      } finally {
        await serving.close();
      }
    } finally {
      await proxy.close();
      await place.dispose();
    }
  }, 60_000);
});
