import { describe, expect, it } from 'vitest';
import { createKept } from './kept.ts';
import { askInLayers, type LayeredQuestion } from './layered.ts';
import { type Layer, OPEN, RUNNING, SETTLED } from './segments.ts';

describe('values that are kept', () => {
  it('stay within the bound: those asked for longest ago go first, what is too large is not kept', () => {
    const kept = createKept({ maxBytes: 100, nowMs: () => 0 });
    kept.put('a', 1, 40);
    kept.put('b', 2, 40);
    expect(kept.get('a')).toBe(1);
    kept.put('c', 3, 40);
    expect([kept.get('a'), kept.get('b'), kept.get('c'), kept.bytes()]).toEqual([1, undefined, 3, 80]);
    kept.put('a', 4, 60);
    expect([kept.get('a'), kept.get('c'), kept.bytes()]).toEqual([4, 3, 100]);
    kept.put('a', 5, 101);
    expect([kept.get('a'), kept.get('c'), kept.bytes()]).toEqual([undefined, 3, 40]);
  });
});

describe('a question in layers', () => {
  /** A record of three numbers, which may change between two reads. */
  const world = () => {
    const record = {
      rows: new Map<Layer, number>([
        [SETTLED, 100],
        [RUNNING, 10],
        [OPEN, 1],
      ]),
      generations: { settled: '1', running: '1' },
    };
    const reads: Layer[] = [];
    let beforeRead: (() => void)[] = [];
    const question: LayeredQuestion<{ layer: Layer; n: number }, number> = {
      key: 'sum',
      async read(lowest) {
        beforeRead.shift()?.();
        reads.push(lowest);
        const rows = [...record.rows].filter(([layer]) => layer >= lowest).map(([layer, n]) => ({ layer, n }));
        return { rows, generations: { ...record.generations } };
      },
      add: async (base, rows) => rows.reduce((sum, { n }) => sum + n, base ?? 0),
      bytesOf: () => 1,
    };
    const clock = { ms: 0 };
    const kept = createKept({ maxBytes: 10, nowMs: () => clock.ms });
    const ask = async () => {
      reads.length = 0;
      return [await askInLayers(kept, question), ...reads];
    };
    const settle = () => {
      record.rows.set(SETTLED, 200);
      record.generations.settled += '+';
    };
    const roll = () => {
      record.rows.set(RUNNING, 20);
      record.generations.running += '+';
    };
    return { record, clock, ask, settle, roll, before: (changes: (() => void)[]) => (beforeRead = changes) };
  };

  it('P9: reads once what changed and nothing below it', async () => {
    const { record, ask, settle, roll } = world();
    expect(await ask()).toEqual([111, SETTLED]);
    record.rows.set(OPEN, 2);
    expect(await ask()).toEqual([112, OPEN]);
    roll();
    expect(await ask()).toEqual([122, OPEN, RUNNING]);
    expect(await ask()).toEqual([122, OPEN]);
    settle();
    expect(await ask()).toEqual([222, OPEN, SETTLED]);
    expect(await ask()).toEqual([222, OPEN]);
  });

  it('is read as a whole after an hour, should nobody have noted a change', async () => {
    const { record, clock, ask } = world();
    expect(await ask()).toEqual([111, SETTLED]);
    record.rows.set(SETTLED, 200);
    clock.ms = 3_599_999;
    expect(await ask()).toEqual([111, OPEN]);
    clock.ms = 3_600_000;
    expect(await ask()).toEqual([211, SETTLED]);
  });

  it('is never answered from two states, though the record changes between its reads', async () => {
    const { ask, settle, roll, before } = world();
    expect(await ask()).toEqual([111, SETTLED]);
    before([roll, settle]);
    expect(await ask()).toEqual([221, OPEN, RUNNING, SETTLED]);
    expect(await ask()).toEqual([221, OPEN]);
  });
});
