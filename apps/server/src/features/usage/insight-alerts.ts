import type { UsageInsights } from '@nwms/contract';
import {
  HOUR_MS,
  type InsightFacts,
  insightFindings,
  type InsightFinding,
  type InsightLimits,
  MINUTE_MS,
  Sketch,
  startOfHour,
} from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import { iso } from './answer.ts';
import { named } from './insight-callers.ts';
import type { Recent } from './recent.ts';
import type { UsageReads } from './store-read.ts';

/** An alert stays open this long after its condition last held. */
const ENDS_AFTER_MS = 10 * MINUTE_MS;
const WEEK_MS = 7 * 24 * HOUR_MS;
/** Earlier weeks looked at for what is usual: as many as hours are kept. */
const WEEKS = 8;
const LOUDEST = 10;

export interface InsightAlertDeps {
  clock: Clock;
  recent: Recent;
  reads: UsageReads;
  limits(): InsightLimits;
  freshness(): InsightFacts['freshness'];
  droppedLastHour(): number;
  usernamesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Of accounts, by id. */
  quotas?: (accounts: readonly string[]) => Promise<InsightFacts['quotas']>;
  backlog?: () => InsightFacts['backlog'];
}

/** Conditions that hold, each open once per subject, with the time it began. */
export interface InsightAlerts {
  /** Looks at the rules; every minute. */
  check(): Promise<void>;
  open(): UsageInsights['alerts'];
}

export function createInsightAlerts(deps: InsightAlertDeps): InsightAlerts {
  const { clock } = deps;
  const startedMs = clock.monotonicMs();
  const held = new Map<string, { finding: InsightFinding; since: number; lastHeldMs: number }>();
  return {
    async check() {
      // A server that just started knows nothing yet, and that is nothing to wake anybody for.
      if (clock.monotonicMs() - startedMs < MINUTE_MS) return;
      const findings = insightFindings(await gatherFacts(deps), deps.limits());
      const nowMs = clock.monotonicMs();
      for (const finding of findings) {
        const key = `${finding.id} ${finding.subject}`;
        held.set(key, { finding, since: held.get(key)?.since ?? clock.now(), lastHeldMs: nowMs });
      }
      for (const [key, { lastHeldMs }] of held) if (nowMs - lastHeldMs >= ENDS_AFTER_MS) held.delete(key);
    },
    open() {
      const order = ['critical', 'warning', 'info'];
      return [...held.values()]
        .sort((a, b) => order.indexOf(a.finding.severity) - order.indexOf(b.finding.severity) || a.since - b.since)
        .map(({ finding: { id, severity, message, evidence }, since }) => ({ id, severity, message, since: iso(since), evidence }));
    },
  };
}

const loudestOf = (callers: ReadonlyMap<string, number>) =>
  [...callers]
    .map(([caller, requests]) => ({ caller, requests }))
    .sort((a, b) => b.requests - a.requests)
    .slice(0, LOUDEST);

async function gatherFacts(deps: InsightAlertDeps): Promise<InsightFacts> {
  const { clock, recent } = deps;
  const now = clock.now();
  const hour = { requests: 0, errors: 0 };
  const ten = { requests: 0, serverErrors: 0, failedSignIns: 0 };
  const sketch = new Sketch();
  const callers = new Map<string, number>();
  for (const minute of recent.minutesFrom(now - 60 * MINUTE_MS)) {
    const isTen = minute.start >= now - 10 * MINUTE_MS;
    for (const tally of minute.all.values()) {
      hour.requests += tally.requests;
      hour.errors += tally.errors;
      if (tally.sketch) sketch.merge(tally.sketch);
      if (!isTen) continue;
      ten.requests += tally.requests;
      ten.serverErrors += tally.server_errors;
    }
    if (isTen) ten.failedSignIns += minute.failedSignIns;
    for (const [caller, requests] of minute.callers) callers.set(caller, (callers.get(caller) ?? 0) + requests);
  }
  return {
    hour: { ...hour, p95Ms: sketch.quantile(0.95) },
    tenMinutes: ten,
    loudest: await named(loudestOf(callers), deps.usernamesOf),
    freshness: deps.freshness(),
    lastHour: await lastHour(deps.reads, now),
    droppedRows: deps.droppedLastHour(),
    quotas: (await deps.quotas?.(recent.active.accounts(null))) ?? null,
    backlog: deps.backlog?.() ?? null,
  };
}

/** The last complete hour and the same hour of the week in earlier weeks, as far as recording goes back. */
async function lastHour(reads: UsageReads, now: number): Promise<InsightFacts['lastHour']> {
  const since = await reads.since();
  const start = startOfHour(now) - HOUR_MS;
  if (since === null || since > start) return null;
  const starts = Array.from({ length: WEEKS + 1 }, (_, weeks) => start - weeks * WEEK_MS).filter((at) => at >= since);
  const rows = await reads.rollups({
    // Each hour whole, whether it is put together yet or not.
    parts: starts.map((from) => ({
      kinds: ['all'],
      segments: [
        { size: 1, open: false, from, to: from + HOUR_MS },
        { size: 0, open: true, from, to: from + HOUR_MS },
      ],
    })),
    principal: null,
    columns: ['requests'],
  });
  const of = (at: number) => rows.filter((row) => startOfHour(row.start) === at).reduce((sum, row) => sum + (row.requests ?? 0), 0);
  return { requests: of(start), before: starts.slice(1).map(of) };
}
