import type { Instant } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createTimeZoneCheck, readZoneFeature, runInTurns } from './prepare-zone.ts';
import type { FetchZone, StoredZone, ZoneFamily } from './types.ts';

/** What to do first: shapes that nothing stands in for, before counties of the atlas and shapes that only grow old. */
export type Urgency = 'needed' | 'wanted';

export interface FetchQueue {
  /** Never waits; a zone already queued, under way or resting after a failure is left alone. */
  ask(code: string, family: ZoneFamily, urgency: Urgency): void;
  stats(): { waiting: number; resting: number; fetched: number; failed: number };
  /** Nothing new is begun; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

interface Task {
  code: string;
  family: ZoneFamily;
  urgency: Urgency;
  failures: number;
  state: 'waiting' | 'running' | 'resting';
}

/** Polite to upstream and quick enough for a first start: some 1,300 zones in a few minutes (trap 35). */
const CONCURRENCY = 4;
/** Full jitter above the floor: floor + random x min(cap, first x 2^failures). */
const BACKOFF_FLOOR_MS = 10_000;
const BACKOFF_FIRST_MS = 20_000;
const BACKOFF_CAP_MS = 3_600_000;
/** A zone upstream does not know may be published later: zones change several times a year (trap 20). */
const MISSING_REST_MS = 6 * 3_600_000;
/** After this many failures in a row upstream itself is taken to be away, and only one request is tried at a time. */
const TROUBLE_AFTER = 4;

export function createFetchQueue(deps: {
  clock: Clock;
  random: () => number;
  log: Log;
  fetchZone: FetchZone;
  onZone: (zone: StoredZone) => Promise<void>;
}): FetchQueue {
  const { clock, log } = deps;
  const isTimeZone = createTimeZoneCheck();
  const tasks = new Map<string, Task>();
  const lanes: Record<Urgency, Task[]> = { needed: [], wanted: [] };
  const cancels = new Set<() => void>();
  const running = new Set<Promise<void>>();
  let stopped = false;
  let failuresInRow = 0;
  let quietUntil: Instant = 0;
  let fetched = 0;
  let failed = 0;

  function later(delayMs: number, run: () => void): void {
    const cancel = clock.after(delayMs, () => {
      cancels.delete(cancel);
      if (!stopped) run();
    });
    cancels.add(cancel);
  }

  function rest(task: Task, delayMs: number): void {
    task.state = 'resting';
    later(delayMs, () => {
      task.state = 'waiting';
      lanes[task.urgency].push(task);
      pump();
    });
  }

  function pump(): void {
    if (stopped || clock.monotonicMs() < quietUntil) return;
    const limit = failuresInRow >= TROUBLE_AFTER ? 1 : CONCURRENCY;
    while (running.size < limit) {
      const task = lanes.needed.shift() ?? lanes.wanted.shift();
      if (!task) return;
      if (task.state !== 'waiting') continue;
      task.state = 'running';
      const work = fetchOne(task).finally(() => {
        running.delete(work);
        pump();
      });
      running.add(work);
    }
  }

  function backoffMs(failures: number): number {
    return BACKOFF_FLOOR_MS + deps.random() * Math.min(BACKOFF_CAP_MS, BACKOFF_FIRST_MS * 2 ** Math.min(failures, 12));
  }

  function fail(task: Task, reason: string, retryAfterSeconds: number | null): void {
    failed += 1;
    task.failures += 1;
    failuresInRow += 1;
    const asked = Math.min(retryAfterSeconds ?? 0, 3600) * 1000;
    log.warn({ code: task.code, family: task.family, reason, failures: task.failures }, 'zone shape could not be fetched, will retry');
    if (asked > 0 || failuresInRow >= TROUBLE_AFTER) {
      const pause = Math.max(asked, Math.min(600_000, backoffMs(failuresInRow - TROUBLE_AFTER)));
      quietUntil = Math.max(quietUntil, clock.monotonicMs() + pause);
      later(pause, pump);
    }
    rest(task, Math.max(asked, backoffMs(task.failures)));
  }

  async function fetchOne(task: Task): Promise<void> {
    const { code, family } = task;
    try {
      const answer = await deps.fetchZone(family, code);
      if (answer.kind === 'failed') return fail(task, answer.reason, answer.retryAfterSeconds);
      failuresInRow = 0;
      if (answer.kind === 'missing') {
        log.warn({ code, family }, 'upstream does not know this zone');
        return rest(task, MISSING_REST_MS);
      }
      const zone = await runInTurns(readZoneFeature(answer.feature, { code, family, fetchedAt: clock.now() }, isTimeZone));
      if (!zone) return fail(task, 'unreadable', null);
      fetched += 1;
      tasks.delete(keyOf(code, family));
      await deps.onZone(zone);
    } catch (error) {
      fail(task, error instanceof Error ? error.message : String(error), null);
    }
  }

  return {
    ask(code, family, urgency) {
      const known = tasks.get(keyOf(code, family));
      if (known && (known.urgency === 'needed' || urgency === 'wanted')) return;
      const task: Task = known ?? { code, family, urgency, failures: 0, state: 'waiting' };
      task.urgency = urgency;
      tasks.set(keyOf(code, family), task);
      // A task that moves up leaves its old place behind, where it is passed over.
      if (task.state === 'waiting') lanes[urgency].push(task);
      pump();
    },
    stats() {
      const states = [...tasks.values()].map((task) => task.state);
      const count = (state: Task['state']) => states.filter((each) => each === state).length;
      return { waiting: count('waiting'), resting: count('resting'), fetched, failed };
    },
    async stop() {
      stopped = true;
      for (const cancel of cancels) cancel();
      await Promise.all(running);
    },
  };
}

const keyOf = (code: string, family: ZoneFamily): string => `${family}/${code}`;
