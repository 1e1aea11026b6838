import { DatabaseSync } from 'node:sqlite';
import { sqliteEngine, testEngines } from '@nwms/testkit';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { openDatabase } from './open.ts';
import { assertDurable } from './sqlite-file.ts';

describe.each(await testEngines())('database on $name', (engine) => {
  it.skipIf(engine.skip)('opens an empty place at the newest schema, again without change, and gives whole numbers back', async () => {
    const place = await engine.place();
    try {
      const first = await openDatabase(place.config, { migrations: MIGRATIONS });
      const log = first.log.withTables<{ meta: { key: string; value: string } }>();
      await log.insertInto('meta').values({ key: 'epoch', value: 'x' }).execute();
      await first.close();
      const again = await openDatabase(place.config, { migrations: MIGRATIONS });
      const tables = again.reads.log.withTables<{ meta: { key: string; value: string } }>();
      const rows = await tables.selectFrom('meta').selectAll().where('key', '=', 'epoch').execute();
      expect(rows.map((row) => ({ ...row }))).toEqual([{ key: 'epoch', value: 'x' }]);
      const big = await sql<{ n: number }>`select cast(8640000000000000 as bigint) as n`.execute(again.reads.log);
      expect(big.rows[0]?.n).toBe(8_640_000_000_000_000);
      await again.close();
    } finally {
      await place.dispose();
    }
  });

  it.skipIf(engine.skip)(
    'gives rows that are larger than a piece of an answer, and than what a reading thread may hold, whole and in order',
    async () => {
      const place = await engine.place();
      try {
        const db = await openDatabase(place.config, { migrations: MIGRATIONS });
        const letters = 1_500_000;
        // 300 million letters: three times what a thread may keep.
        const text = engine.name === 'sqlite' ? `printf('%.*c', ${letters}, 'x')` : `repeat('x', ${letters})`;
        const ask = (count: number) =>
          sql<{ n: number; text: string }>`with recursive t(n) as (select 1 union all select n + 1 from t where n < ${sql.lit(count)})
          select n, case when n % 2 = 0 then ${sql.raw(text)} else 'short' end as text from t`.execute(db.reads.log);
        const { rows } = await ask(engine.name === 'sqlite' ? 400 : 8);
        expect(rows.map((row) => row.n)).toEqual(Array.from(rows, (_, index) => index + 1));
        expect(rows.every((row) => row.text.length === (row.n % 2 === 0 ? letters : 5))).toBe(true);
        expect(rows.length).toBeGreaterThan(7);
        // And nothing of it is left for the next one.
        expect((await ask(3)).rows).toHaveLength(3);
        await db.close();
      } finally {
        await place.dispose();
      }
    },
  );

  it.skipIf(engine.skip)('names the statement that fails and stays usable', async () => {
    const place = await engine.place();
    try {
      const db = await openDatabase(place.config, { migrations: MIGRATIONS });
      await expect(sql`select nonsense from nowhere`.execute(db.log)).rejects.toThrow(/nowhere/);
      await expect(sql`select nonsense from nowhere`.execute(db.reads.log)).rejects.toThrow(/nowhere/);
      await expect(sql`select 1 as one`.execute(db.log)).resolves.toMatchObject({ rows: [{ one: 1 }] });
      await db.close();
    } finally {
      await place.dispose();
    }
  });
});

describe.each((await testEngines()).filter((engine) => engine.name === 'postgres'))('writer right on $name', (engine) => {
  it.skipIf(engine.skip)('has one holder at a time and is free again after release (B1)', async () => {
    const place = await engine.place();
    const db = await openDatabase(place.config, { migrations: MIGRATIONS });
    try {
      const lock = await db.engine.tryWriterLock();
      expect(lock?.held()).toBe(true);
      expect(await db.engine.tryWriterLock()).toBeNull();
      await lock?.release();
      const next = await db.engine.tryWriterLock();
      expect(next?.held()).toBe(true);
      await next?.release();
    } finally {
      await db.close();
      await place.dispose();
    }
  });
});

describe('SQLite folder', () => {
  it('refuses a second opener while the first lives, naming folder and pid, and is free again after close', async () => {
    const place = await sqliteEngine().place();
    const first = await openDatabase(place.config, { migrations: MIGRATIONS });
    await expect(openDatabase(place.config, { migrations: MIGRATIONS })).rejects.toThrow(
      new RegExp(`nwms-test-.* is in use by process ${process.pid}`),
    );
    await first.close();
    const second = await openDatabase(place.config, { migrations: MIGRATIONS });
    await second.close();
    await place.dispose();
  });

  it('refuses settings that lose acknowledged data in a power cut (B4)', async () => {
    const place = await sqliteEngine().place();
    try {
      if (place.config.kind !== 'sqlite') throw new Error('sqlite expected');
      const db = new DatabaseSync(`${place.config.dir}/weak.db`);
      db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      expect(() => assertDurable(db, 'weak.db')).toThrow(/power cut.*synchronous=1/);
      db.exec('PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE');
      expect(() => assertDurable(db, 'weak.db')).toThrow(/journal_mode=delete/);
      db.close();
    } finally {
      await place.dispose();
    }
  });
});
