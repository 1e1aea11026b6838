import { costRuleOf, PRIORITIES, type Priority, priorityOf, type RouteSpec } from '@nwms/contract';
import { reservedUnits } from '@nwms/domain';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../app-error.ts';
import { addressKey } from './address-key.ts';
import { meteredOf } from './metered.ts';

/** How busy this process is. */
export interface Load {
  /** Median lateness of timers over the last second, milliseconds: one long task alone does not count, a loop that does not keep up does. */
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
const SAMPLE_EVERY_MS = 50;
const SAMPLES = 20;
/** Callers come back spread over so many seconds. */
const RETRY_SECONDS = { least: 1, spread: 5 };

/** Whether a request of this kind is turned away now. */
export function isShed(priority: Priority, { lagMs, inFlight }: { lagMs: number; inFlight: number }): boolean {
  const level = LEVELS[priority];
  return lagMs >= level.lagMs || inFlight >= level.inFlight;
}

/** Measures this process. `factor` divides what is measured: tests that starve each other of processors are no overload. */
export function createLoad(factor: number): Load {
  const samples: number[] = [];
  let inFlight = 0;
  let lagMs = 0;
  let dueMs = performance.now() + SAMPLE_EVERY_MS;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    samples.push(Math.max(0, nowMs - dueMs));
    if (samples.length > SAMPLES) samples.shift();
    dueMs = nowMs + SAMPLE_EVERY_MS;
    lagMs = [...samples].sort((a, b) => a - b)[samples.length >> 1] ?? 0;
  }, SAMPLE_EVERY_MS);
  timer.unref();
  return {
    lagMs: () => lagMs / factor,
    inFlight: () => inFlight / factor,
    change: (by) => void (inFlight += by),
    stop: () => clearInterval(timer),
  };
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Counted as being answered. */
    isInFlight: boolean;
  }
}

/** Turns requests away by their priority before anything is done for them. Install it before other hooks that cost something. */
export function installShedding(app: FastifyInstance, { load, random }: { load: Load; random: () => number }): void {
  app.decorateRequest('isInFlight', false);
  app.addHook('onRequest', (request, _reply, done) => {
    const { spec } = request.routeOptions.config;
    if (!spec) return done();
    const now = { lagMs: load.lagMs(), inFlight: load.inFlight() };
    // The first level tells whether anything needs to be looked at: most of the time nothing does.
    if (isShed(PRIORITIES[0], now) && isShed(priorityOf(spec, unitsOf(spec, request.raw.url ?? '')), now)) {
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
