import { roundTo } from './rates.ts';

/** Fewer requests in the last 24 h say nothing about availability and latency. */
export const HEALTH_MIN_REQUESTS = 20;
/** A p95 of 200 ms or less is full marks, 2 s or more none; between them by ratio. */
const GOOD_MS = 200;
const BAD_MS = 2_000;
/** A share of server errors from here on is no availability at all. */
const WORST_SERVER_ERROR_PERCENT = 5;

export interface HealthInput {
  requests: number;
  serverErrorPercent: number | null;
  p95Ms: number | null;
  freshness: 'live' | 'simulated' | 'stale' | 'unknown';
  databaseAway: boolean;
  deliveryBacklog: boolean;
  usageDropped: boolean;
}

export interface HealthComponents {
  availability: number | null;
  latency: number | null;
  freshness: number | null;
  dependencies: number | null;
}

const between0and1 = (value: number) => Math.min(1, Math.max(0, value));

/** round(100 × (0.35 A + 0.25 L + 0.25 F + 0.15 D)); null while there are too few requests to tell A and L. */
export function systemHealth(input: HealthInput): { score: number | null; components: HealthComponents } {
  const { serverErrorPercent, p95Ms } = input;
  const enough = input.requests >= HEALTH_MIN_REQUESTS;
  const availability = enough && serverErrorPercent !== null ? Math.max(0, 1 - serverErrorPercent / WORST_SERVER_ERROR_PERCENT) : null;
  const latency =
    enough && p95Ms !== null
      ? between0and1((Math.log(BAD_MS) - Math.log(Math.max(1, p95Ms))) / (Math.log(BAD_MS) - Math.log(GOOD_MS)))
      : null;
  const freshness = { live: 1, simulated: 1, stale: 0.5, unknown: 0 }[input.freshness];
  const lost = (input.databaseAway ? 0.5 : 0) + (input.deliveryBacklog ? 0.25 : 0) + (input.usageDropped ? 0.25 : 0);
  const dependencies = 1 - lost;
  const score =
    availability === null || latency === null
      ? null
      : Math.round(100 * (0.35 * availability + 0.25 * latency + 0.25 * freshness + 0.15 * dependencies));
  const shown = (value: number | null) => (value === null ? null : roundTo(value, 3));
  return {
    score,
    components: { availability: shown(availability), latency: shown(latency), freshness, dependencies: shown(dependencies) },
  };
}
