/** A log and a board in memory, for tests and benchmarks of the live feed: small, scripted, and able to fail on demand. */
import type { Freshness, LiveAlert } from '@nwms/contract';
import { type Channel, type Kind, SEVERITIES, type Severity } from '@nwms/domain';
import type { AlertLog, CommittedBatch, LogEntry } from '../alerts/types.ts';
import type { AlertMatcher, CompiledFilter, FilterInput, LiveBoard } from './types.ts';

export interface Scripted {
  eventId: string;
  kind?: Kind;
  severity?: Severity;
  event?: string;
  ugc?: string[];
  rank?: number;
  countable?: boolean;
  /** Pads the text, to give a message its size. */
  description?: string;
  diff?: LogEntry['diff'];
}

const OVER: readonly Kind[] = ['ended', 'cancelled', 'upgraded', 'withdrawn', 'backfilled'];

export const LIVE_NOW: Freshness = {
  data_as_of: '2026-11-21T09:00:00Z',
  upstream_age_seconds: 4,
  status: 'live',
  reason: null,
  feed: 'nws',
  simulated: false,
};

export interface MemoryWorld {
  log: AlertLog;
  board: LiveBoard;
  /** Commits one batch; answers its entries. */
  commit(...scripts: Scripted[]): LogEntry[];
  /** How often the log was read from its store. */
  reads(): number;
  /** Forgets entries up to this number, as retention does. */
  prune(upTo: number): void;
  /** Reads fail, or take this long, until told otherwise. */
  trouble(how: { fails?: boolean; delayMs?: number }): void;
  /** Wire JSON of the alerts active now, as the oracle. */
  active(): LiveAlert[];
  freshness: Freshness;
}

export function createMemoryWorld(options: { epoch?: string; firstSeq?: number } = {}): MemoryWorld {
  const epoch = options.epoch ?? 'testepoc';
  const listeners = new Set<(batch: CommittedBatch) => void>();
  const alerts = new Map<string, LiveAlert>();
  const matchers = new WeakMap<AlertMatcher, FilterInput>();
  let entries: LogEntry[] = [];
  let oldest = options.firstSeq ?? 0;
  let latest = oldest;
  let reads = 0;
  let trouble: { fails?: boolean; delayMs?: number } = {};

  const log: AlertLog = {
    catchUp: async () => {},
    epoch: () => epoch,
    latestSeq: () => latest,
    oldestSeq: () => oldest,
    async read(after, limit) {
      reads += 1;
      if (trouble.delayMs) await new Promise((done) => setTimeout(done, trouble.delayMs));
      if (trouble.fails) throw new Error('the store is away');
      const from = Math.max(0, after - oldest);
      return entries.slice(from, from + limit);
    },
    onCommitted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  const world: MemoryWorld = {
    log,
    board: {
      snapshot(filter) {
        const rows = [...alerts.values()].filter((alert) => alert.is_active && (filter === null || filter(alert)));
        rows.sort((a, b) => b.hazard_rank - a.hazard_rank);
        return { seq: latest, alerts: rows.map((alert) => JSON.stringify(alert)) };
      },
      compileFilter(filter) {
        const compiled = compile(filter);
        if (compiled.ok) matchers.set(compiled.matches, filter);
        return compiled;
      },
    },
    commit(...scripts) {
      const batch = scripts.map((script) => {
        latest += 1;
        const before = alerts.get(script.eventId);
        const alert = alertOf(script, latest, before);
        if (OVER.includes(script.kind ?? 'issued')) alerts.delete(script.eventId);
        else alerts.set(script.eventId, alert);
        return entryOf(script, latest, alert);
      });
      entries.push(...batch);
      for (const listener of listeners) listener({ entries: batch, events: [], messages: [] });
      return batch;
    },
    reads: () => reads,
    prune(upTo) {
      entries = entries.filter((entry) => entry.seq > upTo);
      oldest = Math.max(oldest, upTo);
    },
    trouble(how) {
      trouble = how;
    },
    active: () => [...alerts.values()].filter((alert) => alert.is_active),
    freshness: LIVE_NOW,
  };
  return world;
}

function channelsFor(kind: Kind, severity: Severity): Channel[] {
  const severe = severity === 'Severe' || severity === 'Extreme';
  if (kind === 'issued') return severe ? ['alerts', 'severe_alerts'] : ['alerts'];
  return kind === 'escalated' && severe ? ['severe_alerts', 'updates'] : ['updates'];
}

function entryOf(script: Scripted, seq: number, alert: LiveAlert): LogEntry {
  const kind = script.kind ?? 'issued';
  return {
    seq,
    at: Date.parse('2026-11-21T09:00:00Z') + seq * 1_000,
    kind,
    channels: channelsFor(kind, alert.severity),
    eventId: script.eventId,
    messageId: alert.id,
    version: alert.version,
    state: alert.state,
    stateReason: alert.state_reason,
    isActive: alert.is_active,
    countable: script.countable ?? true,
    summary: `${kind} ${script.eventId}`,
    diff: script.diff ?? null,
    alertJson: JSON.stringify(alert),
  };
}

/** Only what the feed and its filters look at; a real row has every member of the contract. */
function alertOf(script: Scripted, seq: number, before: LiveAlert | undefined): LiveAlert {
  const over = OVER.includes(script.kind ?? 'issued');
  const text = '2026-11-21T09:00:00Z';
  const ugc = script.ugc ?? before?.ugc ?? ['IAC153'];
  const alert: Partial<LiveAlert> = {
    id: `urn:test:${script.eventId}:${seq}`,
    event_id: script.eventId,
    version: (before?.version ?? 0) + 1,
    event: script.event ?? before?.event ?? 'Severe Thunderstorm Warning',
    severity: script.severity ?? before?.severity ?? 'Severe',
    state: over ? 'ended' : 'in_force',
    state_reason: over ? 'end_time_passed' : 'issued',
    is_active: !over,
    hazard_rank: script.rank ?? before?.hazard_rank ?? 700,
    ugc,
    same: [],
    office: 'KDMX',
    headline: `${script.eventId} ${script.kind ?? 'issued'}`,
    description: script.description ?? null,
    area_desc: ugc.join('; '),
    areaDesc: ugc.join('; '),
    sent: text,
    timestamp: text,
    updated_at: text,
    sample: false,
  };
  return alert as LiveAlert;
}

function compile(filter: FilterInput): CompiledFilter {
  const checks: AlertMatcher[] = [];
  const list = (name: string) => filter[name] as string[] | undefined;
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    if (name === 'severity')
      checks.push((alert) => !!list(name)?.includes(alert.severity) && (SEVERITIES as readonly string[]).includes(alert.severity));
    else if (name === 'event') checks.push((alert) => !!list(name)?.includes(alert.event));
    else if (name === 'ugc') checks.push((alert) => alert.ugc.some((code) => list(name)?.some((prefix) => code.startsWith(prefix))));
    else if (name === 'min_rank') checks.push((alert) => alert.hazard_rank >= Number(value));
    else if (name === 'bbox') checks.push(() => false);
    else return { ok: false, detail: `${name} is not scripted.` };
  }
  return { ok: true, matches: (alert) => checks.every((check) => check(alert)) };
}
