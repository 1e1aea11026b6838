import {
  type ImportedSpan,
  type Instant,
  type Placing,
  type RawRow,
  readRow,
  type RowFaultReason,
  STORM_BASED_SINCE,
  VTEC_SINCE,
} from '@nwms/domain';
import { type EventOutcome, LEFT_TO_OWN_RECORD_MS } from './archived-events.ts';
import type { ImportRequest, ImportSummary } from './types.ts';

/** Counts while an import runs, and what it may declare as complete. */
export interface Tally {
  row(): void;
  rows(): number;
  events(): number;
  refusedRow(reason: RowFaultReason): void;
  outcome(outcome: EventOutcome): void;
  summary(durationMs: number): ImportSummary;
  /** Hazards (and offices) with the time that is covered, by what the operator said of the file; empty when nothing was said or rows are missing. */
  coverage(request: Pick<ImportRequest, 'complete' | 'from' | 'to'>, now: Instant): ImportedSpan[];
}

interface Scope {
  code: string;
  office: string;
  areas: Placing;
}

/** What these reasons refuse is missing at one end of the time; any other is missing somewhere in it. */
const SINCE: Partial<Record<RowFaultReason, Instant>> = { before_vtec: VTEC_SINCE, county_era: STORM_BASED_SINCE };
const AT_THE_END: ReadonlySet<RowFaultReason> = new Set(['not_over', 'too_recent']);

export function createTally(): Tally {
  const counts = { rows: 0, add: 0, extend: 0, known: 0, own: 0, outside: 0, events: 0 };
  const refused = new Map<RowFaultReason, number>();
  const scopes = new Map<string, Scope>();
  const taken = { from: Infinity, to: -Infinity };
  /** Events that were refused for not being over begin here at the earliest. */
  let unfinishedFrom = Infinity;
  const refuse = (reason: RowFaultReason, rows = 1) => refused.set(reason, (refused.get(reason) ?? 0) + rows);
  return {
    row: () => void (counts.rows += 1),
    rows: () => counts.rows,
    events: () => counts.events,
    refusedRow: (reason) => void refuse(reason),
    outcome({ outcome, rows, from, until }) {
      counts.events += 1;
      if (outcome.how === 'refused') {
        refuse(outcome.fault.reason, rows.length);
        if (AT_THE_END.has(outcome.fault.reason)) unfinishedFrom = Math.min(unfinishedFrom, from);
        return;
      }
      counts[outcome.how] += 1;
      if (outcome.how === 'outside') return;
      taken.from = Math.min(taken.from, from);
      taken.to = Math.max(taken.to, until);
      for (const raw of rows) addScope(scopes, raw);
    },
    summary: (durationMs) => ({
      rows: counts.rows,
      added: counts.add,
      extended: counts.extend,
      known: counts.known,
      own: counts.own,
      outside: counts.outside,
      refused: [...refused].map(([reason, rows]) => ({ reason, rows })).sort((a, b) => b.rows - a.rows),
      from: taken.to > taken.from ? taken.from : null,
      to: taken.to > taken.from ? taken.to : null,
      durationMs,
    }),
    coverage(request, now) {
      const reasons = [...refused.keys()];
      if (request.complete === null || reasons.some((reason) => SINCE[reason] === undefined && !AT_THE_END.has(reason))) return [];
      const from = Math.max(request.from ?? taken.from, ...reasons.map((reason) => SINCE[reason] ?? -Infinity));
      const to = Math.min(request.to ?? taken.to, unfinishedFrom, now - LEFT_TO_OWN_RECORD_MS);
      return from < to ? spansOf([...scopes.values()], request.complete, from, to) : [];
    },
  };
}

function spansOf(scopes: readonly Scope[], complete: 'offices' | 'us', from: Instant, to: Instant): ImportedSpan[] {
  const spans = new Map<string, ImportedSpan>();
  for (const { code, office, areas } of scopes) {
    // What holds the country holds the offices that are in it.
    for (const held of complete === 'us' ? [null, office] : [office]) {
      const key = `${code} ${held}`;
      const other = spans.get(key);
      spans.set(key, { code, office: held, from, to, areas: other ? vaguer(other.areas, areas) : areas });
    }
  }
  return [...spans.values()];
}

function addScope(scopes: Map<string, Scope>, raw: RawRow): void {
  const scope = scopeOf(raw);
  if (!scope) return;
  const key = `${scope.code} ${scope.office}`;
  const other = scopes.get(key);
  if (!other) scopes.set(key, scope);
  else other.areas = vaguer(other.areas, scope.areas);
}

const vaguer = (a: Placing, b: Placing): Placing => (a === 'none' || b === 'none' ? 'none' : a === 'zones' ? a : b);

function scopeOf(raw: RawRow): Scope | null {
  const read = readRow(raw);
  if (!read.ok) return null;
  const { row } = read;
  if (row.kind === 'statements') return { code: 'SPS', office: row.office, areas: row.ugcs.length > 0 ? 'zones' : 'none' };
  const { office, phenomenon, significance } = row.name;
  const areas = row.kind === 'warnings' ? (row.ugc[2] === 'C' ? 'counties' : 'zones') : 'none';
  return { code: phenomenon + significance, office, areas };
}
