import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type FakeClock } from '@nwms/testkit';
import { dump, openStorage } from '../alerts/storage/storage-fixture.ts';
import { chaosFeed, type Keeper, playPlan, type PlanResult } from './chaos-fixture.ts';
import { createFakeStore, createFakeWriter, type FakeWriter } from './memory-fixture.ts';
import { createIngestStore } from './store.ts';

/**
 * Every day a few plans, half of them on a store in memory; NWMS_CHAOS=1 plays 1,000 on the real one, NWMS_CHAOS_PLANS=<first>-<last> some of
 * them (to share them out), NWMS_CHAOS_SEED=<n> that one alone.
 */
const IS_LONG = process.env['NWMS_CHAOS'] === '1';
const ONLY = process.env['NWMS_CHAOS_SEED'];
const IN_MEMORY = 6;
const ON_STORE = IS_LONG ? 1_000 : 4;
const [FIRST = 1, LAST = ON_STORE] = (ONLY ? `${ONLY}-${ONLY}` : (process.env['NWMS_CHAOS_PLANS'] ?? `1-${ON_STORE}`))
  .split('-')
  .map(Number);

async function memoryKeeper(): Promise<Keeper> {
  const store = createFakeStore();
  let writer: FakeWriter | undefined;
  return {
    store,
    writer: (clock) => (writer = createFakeWriter(clock, store.good)),
    kept: async () => ({
      entries: writer!.entries,
      events: [...writer!.index.events()],
      upstreamIds: [...writer!.stored.keys()].map((key) => key.slice(65)),
    }),
    close: async () => {},
  };
}

async function storeKeeper(clock: FakeClock): Promise<Keeper> {
  const dir = await mkdtemp(join(tmpdir(), 'nwms-ingest-chaos-'));
  const opened = await openStorage({ kind: 'sqlite', dir }, { clock });
  const { storage, database } = opened;
  return {
    store: createIngestStore(database.log),
    writer: () => storage.writer,
    async kept() {
      const { events } = await storage.boot.load();
      const entries = await storage.log.read(0, 1_000_000);
      const messages = (await dump(database))['messages'] as { upstream_id: string }[];
      return { entries, events, upstreamIds: messages.map((row) => row.upstream_id) };
    },
    async close() {
      await opened.close();
      await rm(dir, { recursive: true });
    },
  };
}

const faultsOf = ({ seed, lost, duplicated, falselyEnded, invented }: PlanResult): string[] =>
  [
    ...lost.map((id) => `lost ${id}`),
    ...duplicated.map((what) => `told twice: ${what}`),
    ...falselyEnded.map((id) => `falsely ended ${id}`),
    ...invented.map((id) => `invented ${id}`),
  ].map((fault) => `seed ${seed}: ${fault}`);

const timeoutMs = IS_LONG ? 4 * 3_600_000 : 300_000;

describe('A1: random fault plans against what was really issued', () => {
  const play = async (seeds: number[], keeper: (clock: FakeClock) => Promise<Keeper>) => {
    const feed = chaosFeed();
    const faults: string[] = [];
    let issued = 0;
    for (const [at, seed] of seeds.entries()) {
      const result = await playPlan(seed, feed, keeper);
      issued += result.issued;
      faults.push(...faultsOf(result));
      expect(result.mostInFlight).toBe(1);
      if (at % 50 === 49) console.log(`A1: ${at + 1} plans, ${issued} messages issued, ${faults.length} faults`);
    }
    console.log(`A1: seeds ${seeds[0]} to ${seeds.at(-1)}, ${issued} messages issued, ${faults.length} faults`);
    return { faults, issued };
  };
  const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at);

  it.skipIf(IS_LONG || ONLY !== undefined)(
    `${IN_MEMORY} plans: nothing lost, nothing told twice, nothing falsely ended, nothing invented`,
    async () => {
      const { faults, issued } = await play(range(10_001, IN_MEMORY), memoryKeeper);
      expect(faults).toEqual([]);
      expect(issued).toBeGreaterThan(IN_MEMORY * 20);
    },
    timeoutMs,
  );

  it(
    `the same on the real store: plans ${FIRST} to ${LAST}`,
    async () => {
      const { faults, issued } = await play(range(FIRST, LAST - FIRST + 1), storeKeeper);
      expect(faults).toEqual([]);
      expect(issued).toBeGreaterThan((LAST - FIRST + 1) * 20);
    },
    timeoutMs,
  );
});
