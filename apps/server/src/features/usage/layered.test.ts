import { describe, expect, it } from 'vitest';
import { createBoundedCache } from '../../platform/bounded-cache.ts';
import { askInLayers, type LayeredQuestion } from './layered.ts';
import { CLOSED, type Layer, layersOf, RUNNING, SETTLED } from './segments.ts';
import { MINUTE as MINUTE_SIZE } from './types.ts';

describe('a question in layers', () => {
  const MINUTE = 60_000;
  /** Whole minutes, so that a minute is told by its number. */
  const at = (minute: number) => minute * MINUTE;
  /** A record of some numbers, which may change between two reads. Minutes 1 to 9 are written, and it is the beginning of minute 10. */
  const world = () => {
    const record = {
      settled: 10_000,
      running: 1_000,
      minutes: new Map(Array.from({ length: 9 }, (_, n) => [n + 1, 1])),
      generations: { settled: '1', running: '1' },
    };
    const reads: string[] = [];
    let beforeRead: (() => void)[] = [];
    const clock = { ms: 0, now: at(10) };
    const question: Omit<LayeredQuestion<{ layer: Layer; n: number }, number>, 'now'> = {
      key: 'sum',
      async read(reach) {
        beforeRead.shift()?.();
        const minutes = [...record.minutes].map(([minute, n]) => ({ start: at(minute), written: n }));
        const all: { layer: Layer; n: number }[] = [
          { layer: SETTLED, n: record.settled },
          { layer: RUNNING, n: record.running },
          ...minutes.flatMap(({ start, written }) =>
            layersOf({ size: MINUTE_SIZE, open: true, from: start, to: start + MINUTE }, reach).map(({ layer }) => ({ layer, n: written })),
          ),
        ];
        const rows = all.filter(({ layer }) => layer >= reach.lowest);
        reads.push(`${'src-'.charAt(reach.lowest)}${rows.filter(({ layer }) => layer >= CLOSED).length}`);
        return { rows, generations: { ...record.generations, minutes } };
      },
      add: async (base, rows) => rows.reduce((sum, { n }) => sum + n, base ?? 0),
      bytesOf: () => 1,
    };
    const kept = { ...createBoundedCache<unknown>(10), nowMs: () => clock.ms };
    /** The answer, and what was read for it: the lowest layer (settled, running, closed, none of these), and how many minutes. */
    const ask = async () => {
      reads.length = 0;
      return [await askInLayers(kept, { ...question, now: clock.now }), ...reads];
    };
    const settle = () => {
      record.settled += 10_000;
      record.generations.settled += '+';
    };
    const roll = () => {
      record.running += 1_000;
      record.generations.running += '+';
    };
    const write = (minute: number) => void record.minutes.set(minute, (record.minutes.get(minute) ?? 0) + 1);
    return { record, clock, ask, settle, roll, write, before: (changes: (() => void)[]) => (beforeRead = changes) };
  };

  it('P9: reads once what changed and nothing below it', async () => {
    const { ask, settle, roll, write } = world();
    expect(await ask()).toEqual([11_009, 's9']);
    expect(await ask()).toEqual([11_009, '-1']);
    write(9);
    expect(await ask()).toEqual([11_010, '-1']);
    roll();
    expect(await ask()).toEqual([12_010, '-1', 'r9']);
    expect(await ask()).toEqual([12_010, '-1']);
    settle();
    expect(await ask()).toEqual([22_010, '-1', 's9']);
    expect(await ask()).toEqual([22_010, '-1']);
  });

  it('P9: minutes close as time goes on, some at a time, and each is read as closed once', async () => {
    const { clock, ask, write } = world();
    expect(await ask()).toEqual([11_009, 's9']);
    const asked = [];
    for (let minute = 10; minute < 16; minute += 1) {
      clock.now = at(minute) + 30_000;
      write(minute);
      asked.push((await ask()).slice(1));
    }
    // Two minutes that close, and two that are open.
    expect(asked).toEqual([['-2'], ['-3'], ['c4'], ['-3'], ['c4'], ['-3']]);
  });

  it('P9: what is written to a closed minute is seen, whoever writes it: a count that grows, a minute that comes', async () => {
    const { ask, write } = world();
    expect(await ask()).toEqual([11_009, 's9']);
    write(3);
    expect(await ask()).toEqual([11_010, '-1', 'c9']);
    expect(await ask()).toEqual([11_010, '-1']);
    write(0);
    expect(await ask()).toEqual([11_011, '-1', 'c10']);
    expect(await ask()).toEqual([11_011, '-1']);
  });

  it('a clock that goes back tells nothing twice', async () => {
    const { clock, ask, write } = world();
    expect(await ask()).toEqual([11_009, 's9']);
    clock.now = at(5);
    write(5);
    expect(await ask()).toEqual([11_010, '-1', 'c9']);
    expect(await ask()).toEqual([11_010, '-6']);
    clock.now = at(10);
    expect(await ask()).toEqual([11_010, 'c6']);
  });

  it('is read as a whole after an hour, should nobody have noted a change', async () => {
    const { record, clock, ask } = world();
    expect(await ask()).toEqual([11_009, 's9']);
    record.settled = 20_000;
    clock.ms = 3_599_999;
    expect(await ask()).toEqual([11_009, '-1']);
    clock.ms = 3_600_000;
    expect(await ask()).toEqual([21_009, 's9']);
  });

  it('is never answered from two states, though the record changes between its reads', async () => {
    const { ask, settle, roll, write, before } = world();
    expect(await ask()).toEqual([11_009, 's9']);
    before([() => write(2), roll, settle]);
    expect(await ask()).toEqual([22_010, '-1', 'c9', 'r9', 's9']);
    expect(await ask()).toEqual([22_010, '-1']);
  });
});
