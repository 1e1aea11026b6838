/** The whole slice against a simulated weather service over real HTTP, on a fake clock. Imported by tests only. */
import { type FaultPlan, type Feed, type NwsSim, type SimRequest, startNwsSim } from '@nwms/nws-sim';
import { type FakeClock, fakeClock } from '@nwms/testkit';
import type { Clock } from '../../platform/clock.ts';
import { silentLog } from '../../platform/log.ts';
import { createSteadyClock, type SteadyClock } from '../../platform/steady-clock.ts';
import type { AlertWriter } from '../alerts/types.ts';
import { createIngest, type Ingest } from './index.ts';
import type { IngestConfig, IngestStore } from './types.ts';

export interface Harness {
  clock: FakeClock;
  steady: SteadyClock;
  sim: NwsSim;
  ingest: Ingest;
  requests(): SimRequest[];
  /** Replaces the faults; request numbers and times of the new plan count from now. */
  setFaults(plan: FaultPlan | null): void;
  /**
   * Moves the clocks by `ms`. Time stands still while anything is under way, requests that the plan lets hang excepted: whatever the load of
   * the machine, the same run gives the same result.
   */
  run(ms: number): Promise<void>;
  /** Most requests that were in flight at once. */
  mostInFlight(): number;
  close(): Promise<void>;
}

export interface HarnessOptions {
  feed: Feed;
  startAt: number;
  /** Shared with whatever else must live in the same time; at `startAt`. */
  clock?: FakeClock;
  faults?: FaultPlan;
  config?: Partial<IngestConfig>;
  /** Upstream's clock; default: undisturbed time. */
  upstreamClock?: (undisturbedNow: number) => number;
  writer: (clock: SteadyClock) => AlertWriter;
  store: IngestStore;
  /** Goes on with the clock and the upstream of an earlier harness, as a new process would. */
  after?: Harness;
  onEnsure?: (codes: string[]) => void;
}

export async function createHarness(options: HarnessOptions): Promise<Harness> {
  const clock = options.after?.clock ?? options.clock ?? fakeClock(options.startAt);
  const timers = trackTimers(clock);
  const steady = createSteadyClock(timers.clock);
  const undisturbedNow = () => Math.round(options.startAt + clock.monotonicMs());
  const upstreamNow = () => options.upstreamClock?.(undisturbedNow()) ?? undisturbedNow();
  const sim = options.after?.sim ?? (await startNwsSim({ feed: options.feed, clock: upstreamNow }));
  let willHang = hangs(null, upstreamNow);
  const setFaults = (plan: FaultPlan | null) => {
    sim.setFaults(plan);
    willHang = hangs(plan, upstreamNow);
  };
  setFaults(options.faults ?? null);
  const activity = createActivity();
  const ingest = createIngest({
    config: {
      feed: 'simulator',
      baseUrl: sim.url,
      contact: 'ops@example.org',
      pollSeconds: 30,
      frozenAfterSeconds: 600,
      ...options.config,
    },
    clock: steady,
    log: silentLog,
    fetch: (url, init) => activity.request(willHang(url), () => wholeAnswer(url, init)),
    random: () => 0.5,
    writer: activity.watched(options.writer(steady)),
    store: activity.watched(options.store),
    places: { ensure: (zones) => options.onEnsure?.(zones.map((zone) => zone.code)), onLoaded: () => () => {} },
  });
  return {
    clock,
    steady,
    sim,
    ingest,
    requests: () => sim.requests(),
    setFaults,
    async run(ms) {
      const end = clock.monotonicMs() + ms;
      await activity.settle();
      while (clock.monotonicMs() < end) {
        await clock.advance(Math.min(end, timers.nextDueMs()) - clock.monotonicMs());
        await activity.settle();
      }
    },
    mostInFlight: activity.mostInFlight,
    async close() {
      await ingest.stop();
      await sim.close();
    },
  };
}

/** The clock, and when its next timer is due: time is moved from timer to timer. */
function trackTimers(clock: FakeClock): { clock: Clock; nextDueMs(): number } {
  const due = new Set<{ atMs: number }>();
  return {
    nextDueMs: () => Math.max(clock.monotonicMs(), Math.min(...[...due].map(({ atMs }) => atMs))),
    clock: {
      now: () => clock.now(),
      monotonicMs: () => clock.monotonicMs(),
      after(delayMs, run) {
        const timer = { atMs: clock.monotonicMs() + Math.max(0, delayMs) };
        due.add(timer);
        const cancel = clock.after(delayMs, () => {
          due.delete(timer);
          run();
        });
        return () => {
          due.delete(timer);
          cancel();
        };
      },
    },
  };
}

/** Which requests the plan lets hang, by the plan's own way of counting. */
function hangs(plan: FaultPlan | null, now: () => number): (url: string) => boolean {
  const setAt = now();
  let count = -1;
  return (url) => {
    const steps = plan?.steps.filter((step) => new URL(url).pathname.startsWith(step.path ?? '/alerts')) ?? [];
    if (steps.length === 0) return false;
    count++;
    const within = (value: number, [from, to]: [number, number]) => value >= from && value < to;
    const met = steps.find(({ during }) =>
      'requests' in during ? within(count, during.requests) : within((now() - setAt) / 1_000, during.seconds),
    );
    return met?.fault.kind === 'hang';
  };
}

/** Reads the body inside the call, so that a request counts as open until its last byte. Compression and cuts are real; see outbound.test.ts. */
async function wholeAnswer(url: string, init: RequestInit): Promise<Response> {
  const { status, headers, body } = await fetch(url, init).then(async (answer) => ({
    status: answer.status,
    headers: answer.headers,
    body: await answer.arrayBuffer(),
  }));
  return new Response(status === 304 ? null : body, { status, headers });
}

function createActivity() {
  let calls = 0;
  let most = 0;
  const requests = new Set<{ isHanging: boolean }>();
  const busy = () => calls > 0 || [...requests].some((request) => !request.isHanging);
  const turn = () => new Promise((done) => setImmediate(done));
  return {
    mostInFlight: () => most,
    async request<T>(isHanging: boolean, run: () => Promise<T>): Promise<T> {
      const request = { isHanging };
      requests.add(request);
      most = Math.max(most, requests.size);
      try {
        return await run();
      } finally {
        requests.delete(request);
      }
    },
    /** The same object; calls that return promises count as work until they settle. */
    watched<T extends object>(target: T): T {
      return new Proxy(target, {
        get(object, name) {
          const member: unknown = Reflect.get(object, name);
          if (typeof member !== 'function') return member;
          return (...args: unknown[]) => {
            const result: unknown = Reflect.apply(member, object, args);
            if (!(result instanceof Promise)) return result;
            calls++;
            return result.finally(() => calls--);
          };
        },
      });
    },
    async settle() {
      for (let quiet = 0; quiet < 5;) {
        await turn();
        quiet = busy() ? 0 : quiet + 1;
      }
    },
  };
}
