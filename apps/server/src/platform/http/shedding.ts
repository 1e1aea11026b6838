import { costRuleOf, PRIORITIES, type Priority, priorityOf, type RouteSpec } from '@nwms/contract';
import { reservedUnits } from '@nwms/domain';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import { addressKey } from './address-key.ts';
import { meteredOf } from './metered.ts';

/** How busy this process is. */
export interface Load {
  /** A request for the API arrived, whatever becomes of it. */
  asked(): void;
  /**
   * Median lateness of timers over the last second, milliseconds, as far as requests can be the cause: one long task alone does not count,
   * a loop that does not keep up does. 0 before a second was measured, and while hardly anything is asked for.
   */
  lagMs(): number;
  /** Requests that are being answered, long-polls and streams left out. */
  inFlight(): number;
  change(by: 1 | -1): void;
  stop(): void;
}

/**
 * From here on a kind of request is turned away. Accepted requests shall take 500 ms at most (D1), so reads of alerts, the last to go, begin
 * to be refused a little before a loop alone takes that long.
 */
const LEVELS: Readonly<Record<Priority, { lagMs: number; inFlight: number }>> = {
  ai: { lagMs: 60, inFlight: 200 },
  analytics: { lagMs: 90, inFlight: 300 },
  history: { lagMs: 120, inFlight: 400 },
  tiles: { lagMs: 160, inFlight: 600 },
  rest: { lagMs: 220, inFlight: 1_000 },
  alerts: { lagMs: 400, inFlight: 4_000 },
  health: { lagMs: Infinity, inFlight: Infinity },
};
/** What is turned away is let in again below this share of its level: at the level itself every second would decide otherwise. */
const LET_IN_AT = 0.7;
const SAMPLE_EVERY_MS = 50;
/** What was longer ago does not count; of a loop that hardly turns the last few turns do. */
const WINDOW = { ms: 1_000, samples: 5 };
/**
 * No handler holds the loop for over 50 ms (D5: 100 on a machine of half the speed), so requests that keep it busy are at least so many: fewer than
 * this in the last second and at this moment, and it is late for another reason, which turning somebody away does not mend.
 */
const BUSY = { asked: 20, inFlight: 20 };
/** Callers come back spread over so many seconds. */
const RETRY_SECONDS = { least: 1, spread: 5 };

/** How many kinds are turned away, of `PRIORITIES` the first ones; `before`: how many were until now. */
export function shedCount({ lagMs, inFlight }: { lagMs: number; inFlight: number }, before = 0): number {
  return (
    PRIORITIES.findLastIndex((priority, at) => {
      const level = LEVELS[priority];
      return inFlight >= level.inFlight || lagMs >= level.lagMs * (at < before ? LET_IN_AT : 1);
    }) + 1
  );
}

/** Whether a request of this kind is turned away now. */
export const isShed = (priority: Priority, now: { lagMs: number; inFlight: number }): boolean =>
  PRIORITIES.indexOf(priority) < shedCount(now);

/** Measures this process. `factor` divides what is measured: tests that starve each other of processors are no overload. */
export function createLoad(factor: number): Load {
  let samples: { atMs: number; lateMs: number; tookMs: number; asked: number }[] = [];
  let inFlight = 0;
  let asked = 0;
  let begunMs = Infinity;
  let lagMs = 0;
  let lastMs = performance.now();
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const tookMs = nowMs - lastMs;
    lastMs = nowMs;
    // What a start costs is no load: measuring begins with the first request.
    if (nowMs < begunMs) return;
    samples = [
      ...samples.filter(({ atMs }, at) => atMs > nowMs - WINDOW.ms || samples.length - at < WINDOW.samples),
      { atMs: nowMs, lateMs: Math.max(0, tookMs - SAMPLE_EVERY_MS), tookMs, asked },
    ];
    asked = 0;
    lagMs = nowMs - begunMs < WINDOW.ms || samples.length < WINDOW.samples ? 0 : medianOf(samples.map(({ lateMs }) => lateMs));
    // Little is asked for: whatever keeps the loop, it is not that.
    const perSecond =
      samples.reduce((sum, sample) => sum + sample.asked, 0) / (samples.reduce((sum, sample) => sum + sample.tookMs, 0) / 1_000);
    if (perSecond < BUSY.asked && inFlight < BUSY.inFlight) lagMs = 0;
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    asked() {
      begunMs = Math.min(begunMs, performance.now());
      asked += 1;
    },
    lagMs: () => lagMs / factor,
    inFlight: () => inFlight / factor,
    change: (by) => void (inFlight += by),
    stop: () => clearInterval(timer),
  };
}

const medianOf = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted as being answered. */
    isInFlight: boolean;
  }
}

/** Turns requests away by their priority before anything is done for them. Install it before other hooks that cost something. */
export function installShedding(app: FastifyInstance, { load, random }: { load: Load; random: () => number }): void {
  app.decorateRequest('isInFlight', false);
  let turnedAway = 0;
  app.addHook('onRequest', (request, _reply, done) => {
    const { spec } = request.routeOptions.config;
    if (!spec) return done();
    load.asked();
    turnedAway = shedCount({ lagMs: load.lagMs(), inFlight: load.inFlight() }, turnedAway);
    // Most of the time nothing is turned away, and nothing needs to be looked at.
    if (turnedAway > 0 && PRIORITIES.indexOf(priorityOf(spec, unitsOf(spec, request.raw.url ?? ''))) < turnedAway) {
      request.metered = { ...meteredOf({ type: 'anonymous', address: addressKey(request.ip) }), refused: 'server.overloaded' };
      return done(overloaded(random()));
    }
    if (!waits(spec)) {
      request.isInFlight = true;
      load.change(1);
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.isInFlight) {
      request.isInFlight = false;
      load.change(-1);
    }
    done();
  });
}

/** Long-polls and streams are open for long and do nothing most of the time. */
const waits = (spec: RouteSpec) => spec.allowance === 'stream' || spec.operation === 'alertChanges';

function unitsOf(spec: RouteSpec, url: string): number {
  const start = url.indexOf('?');
  return reservedUnits(costRuleOf(spec), new URLSearchParams(start < 0 ? '' : url.slice(start + 1)));
}

const overloaded = (random: number) =>
  new AppError('server.overloaded', {
    public: 'There is more to do than this server can do at the moment. Reads of active alerts go first.',
    retryAfterSeconds: RETRY_SECONDS.least + Math.floor(random * RETRY_SECONDS.spread),
  });
