import { CompiledQuery, Kysely } from 'kysely';
import { describe, expect, it } from 'vitest';
import { sqliteDialect } from './sqlite-driver.ts';
import type { SqlAnswer } from './sqlite-statements.ts';

/** A connection whose answers are given by hand. */
function heldConnection() {
  const asked: PromiseWithResolvers<SqlAnswer>[] = [];
  return {
    asked,
    run: () => {
      const answer = Promise.withResolvers<SqlAnswer>();
      asked.push(answer);
      return answer.promise;
    },
  };
}

const answerOf = (name: string): SqlAnswer => ({ rows: [{ name }], changes: null });
const turn = () => new Promise((next) => setImmediate(next));

describe('readers of SQLite', () => {
  it('let a short question pass a long one, keep the others in order, and leave the second alone while one is enough', async () => {
    const [first, second] = [heldConnection(), heldConnection()];
    const db = new Kysely<object>({ dialect: sqliteDialect(first.run, second.run) });
    const told: string[] = [];
    const ask = (name: string) => db.executeQuery<{ name: string }>(CompiledQuery.raw(name)).then(() => told.push(name));
    const alone = ask('alone');
    await turn();
    expect([first.asked.length, second.asked.length]).toEqual([1, 0]);
    first.asked[0]?.resolve(answerOf('alone'));
    await alone;

    const all = [ask('long'), ask('short'), ask('third'), ask('fourth')];
    await turn();
    expect([first.asked.length, second.asked.length]).toEqual([2, 1]);
    for (const n of [0, 1, 2]) {
      second.asked[n]?.resolve(answerOf(''));
      await turn();
      await turn();
    }
    expect(told).toEqual(['alone', 'short', 'third', 'fourth']);
    first.asked[1]?.resolve(answerOf('long'));
    await Promise.all(all);
    expect(told.at(-1)).toBe('long');
    await db.destroy();
  });

  it('give the connection back when a statement fails', async () => {
    const db = new Kysely<object>({
      dialect: sqliteDialect(() => Promise.reject(new Error('no such table'))),
    });
    for (let n = 0; n < 3; n += 1) await expect(db.executeQuery(CompiledQuery.raw('select'))).rejects.toThrow('no such table');
    await db.destroy();
  });
});
