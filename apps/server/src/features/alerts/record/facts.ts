import type { EventFact } from '@nwms/domain';
import { databaseFault } from '../../../platform/db/faults.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Places } from '../../places/types.ts';
import { buildFact } from './build-fact.ts';
import { createOffsetAt } from './local-time.ts';
import type { FactMark, FactStore } from './store-facts.ts';
import type { EventFacts } from './types.ts';

/** Events per batch: a few megabytes of messages. */
const BATCH = 200;
/** Changes are looked for this far behind the last one taken over, in case the clock was set back a little between two batches. */
const OVERLAP_MS = 5_000;
const BEGINNING: FactMark = { updatedAt: -1, eventId: '' };

/** Keeps the facts in step with the events; one catch-up runs at a time and all callers share it. */
export function createEventFacts(deps: { store: FactStore; clock: Clock; places: Places; pause: () => Promise<void> }): EventFacts {
  const { store, clock, places, pause } = deps;
  const offsetAt = createOffsetAt();
  let mark: FactMark | null = null;
  let running: Promise<boolean> | null = null;

  async function run(budgetMs: number): Promise<boolean> {
    const deadline = clock.monotonicMs() + budgetMs;
    let reached: FactMark = mark ?? (await store.mark()) ?? BEGINNING;
    let at: FactMark = { updatedAt: reached.updatedAt - OVERLAP_MS, eventId: '' };
    for (;;) {
      const { changed, messages } = await store.changedAfter(at, BATCH);
      const last = changed.at(-1)?.event;
      if (!last) return true;
      const facts: EventFact[] = [];
      for (const { event, known } of changed) {
        const fact = buildFact(event, known, (id) => messages.get(id), { places, offsetAt });
        if (fact) facts.push(fact);
        await pause();
      }
      at = { updatedAt: last.updatedAt, eventId: last.eventId };
      if (at.updatedAt > reached.updatedAt) reached = at;
      await store.save(facts, reached);
      mark = reached;
      if (changed.length < BATCH) return true;
      if (clock.monotonicMs() > deadline) return false;
    }
  }

  return {
    async catchUp(budgetMs) {
      running ??= run(budgetMs).finally(() => (running = null));
      try {
        return await running;
      } catch (error) {
        throw databaseFault(error);
      }
    },
    async *meeting(from, to, filter) {
      for await (const details of store.meeting(from, to, filter)) {
        const facts: EventFact[] = [];
        for (const detail of details) {
          facts.push(JSON.parse(detail) as EventFact);
          await pause();
        }
        yield facts;
      }
    },
    counts: (...question) => store.counts(...question),
    since: () => store.since(),
  };
}
