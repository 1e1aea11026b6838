import { sqliteEngine } from '@nwms/testkit';
import { expect, it } from 'vitest';
import { crashRun } from './storage-crash-fixture.ts';

it('ten killed processes later the record is what one undisturbed process keeps (B1)', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31);
  console.info(`B1 seed ${seed}`);
  const { kills, faults, kept, oracle } = await crashRun(sqliteEngine(), seed, 10, 260);
  expect(kills).toBeGreaterThanOrEqual(5);
  expect(faults).toEqual([]);
  expect(kept).toEqual(oracle);
}, 120_000);
