import { emptyCount } from '@nwms/domain';
import { fakeClock } from '@nwms/testkit';
import { describe, expect, it } from 'vitest';
import { type Counter, createExchange } from './exchange.ts';
import type { QuotaAsk, QuotaRow, QuotaStore } from './store-quota.ts';

const counterOf = (subject: string): Counter => ({
  subject,
  window: 'minute',
  count: emptyCount(0),
  limit: 1_000,
  knownFor: -1,
  askedMs: -Infinity,
  usedMs: 0,
  refused: 0,
  used: 1,
});
const granted = (ask: QuotaAsk): QuotaRow => ({ ...ask, granted: ask.units, given: ask.units, used: ask.used });

/** A store that answers when the test says so. */
function slowStore() {
  const statements: { asks: readonly QuotaAsk[]; answer(): void; fail(): void }[] = [];
  const exchange: QuotaStore['exchange'] = (asks) =>
    new Promise((done, fail) => {
      statements.push({ asks, answer: () => done(asks.map(granted)), fail: () => fail(new Error('away')) });
    });
  return { statements, store: { exchange } as QuotaStore };
}
const nextTurn = () => new Promise((next) => setImmediate(next));

describe('asking for units', () => {
  it('who waits for units waits for one statement of news, however many counters have news', async () => {
    const { statements, store } = slowStore();
    const exchange = createExchange({ store, clock: fakeClock(0), unitsToTell: () => 0 });
    for (let n = 0; n < 1_000; n += 1) exchange.tell(counterOf(`told-${n}`));
    await nextTurn();
    expect(statements).toHaveLength(1);

    exchange.ask(counterOf('waiting'), 5);
    const answered = exchange.done();
    await nextTurn();
    statements[0]?.answer();
    await nextTurn();
    expect(statements).toHaveLength(2);
    expect(statements[1]?.asks.filter(({ units }) => units === 5).map(({ subject }) => subject)).toEqual(['waiting']);
    statements[1]?.answer();
    await answered;
  });

  it('everything that was told of reaches the store once, with what is to be given back at that moment', async () => {
    const { statements, store } = slowStore();
    const exchange = createExchange({ store, clock: fakeClock(0), unitsToTell: ({ subject }) => -Number(subject) });
    for (let n = 0; n < 450; n += 1) exchange.tell(counterOf(String(n)));
    let isDone = false;
    const all = exchange.allDone().then(() => (isDone = true));
    for (let n = 0; n < 3; n += 1) {
      expect(isDone).toBe(false);
      while (statements.length <= n) await nextTurn();
      statements[n]?.answer();
      await nextTurn();
    }
    await all;
    const asks = statements.flatMap((statement) => statement.asks);
    expect(new Set(asks.map(({ subject }) => subject)).size).toBe(450);
    expect(asks).toHaveLength(450);
    expect(asks.every(({ subject, units, used }) => units === -Number(subject) && used === 1)).toBe(true);
  });

  it('a store that fails is not asked once more for each of the others, and nothing that was used is forgotten', async () => {
    const { statements, store } = slowStore();
    const exchange = createExchange({ store, clock: fakeClock(0), unitsToTell: () => 0 });
    const counters = Array.from({ length: 500 }, (_, n) => counterOf(`c${n}`));
    for (const counter of counters) exchange.tell(counter);
    const all = exchange.allDone();
    await nextTurn();
    statements[0]?.fail();
    await expect(all).rejects.toThrow('away');
    expect(exchange.isAway()).toBe(true);
    for (let n = 0; n < 5; n += 1) await nextTurn();
    expect(statements.slice(1).flatMap(({ asks }) => asks)).toEqual([]);
    expect(counters.every(({ used }) => used === 1)).toBe(true);
  });
});
