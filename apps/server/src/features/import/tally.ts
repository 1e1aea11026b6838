import type { ImportedSpan, Instant, RawRow, RowFaultReason, VtecRow } from '@nwms/domain';
import { readRow } from '@nwms/domain';
import type { EventOutcome } from './archived-events.ts';
import type { ImportRequest, ImportSummary } from './types.ts';

/** Counts while an import runs, and what it may declare as complete. */
export interface Tally {
  row(): void;
  rows(): number;
  events(): number;
  refusedRow(reason: RowFaultReason): void;
  outcome(outcome: EventOutcome): void;
  summary(durationMs: number): ImportSummary;
  /** Hazards (and offices) of the file with the time it is complete for, as the operator said; empty when nothing was said. */
  coverage(request: Pick<ImportRequest, 'complete' | 'from' | 'to'>): ImportedSpan[];
}

export function createTally(): Tally {
  const counts = { rows: 0, add: 0, extend: 0, known: 0, own: 0, outside: 0, events: 0 };
  const refused = new Map<RowFaultReason, number>();
  const scopes = new Map<string, { code: string; office: string }>();
  let from: Instant | null = null;
  let to: Instant | null = null;
  const refuse = (reason: RowFaultReason, rows = 1) => refused.set(reason, (refused.get(reason) ?? 0) + rows);
  return {
    row: () => void (counts.rows += 1),
    rows: () => counts.rows,
    events: () => counts.events,
    refusedRow: (reason) => void refuse(reason),
    outcome({ outcome, rows, ...span }) {
      counts.events += 1;
      if (outcome.how === 'refused') {
        refuse(outcome.fault.reason, rows.length);
        return;
      }
      counts[outcome.how] += 1;
      if (outcome.how === 'outside') return;
      from = Math.min(from ?? span.from, span.from);
      to = Math.max(to ?? span.until, span.until);
      const scope = scopeOf(rows[0]);
      if (scope) scopes.set(`${scope.code} ${scope.office}`, scope);
    },
    summary: (durationMs) => ({
      rows: counts.rows,
      added: counts.add,
      extended: counts.extend,
      known: counts.known,
      own: counts.own,
      outside: counts.outside,
      refused: [...refused].map(([reason, rows]) => ({ reason, rows })).sort((a, b) => b.rows - a.rows),
      from,
      to,
      durationMs,
    }),
    coverage({ complete, from: asked, to: until }) {
      const span = { from: asked ?? from, to: until ?? to };
      if (complete === null || span.from === null || span.to === null) return [];
      const [start, end] = [span.from, span.to];
      const offices = (office: string) => (complete === 'us' ? null : office);
      const spans = [...scopes.values()].map(({ code, office }) => ({ code, office: offices(office), from: start, to: end }));
      return [...new Map(spans.map((each) => [`${each.code} ${each.office}`, each])).values()];
    },
  };
}

function scopeOf(raw: RawRow | undefined): { code: string; office: string } | null {
  const read = raw && readRow(raw);
  if (!read?.ok) return null;
  const { row } = read;
  if (row.kind === 'statements') return { code: 'SPS', office: row.office };
  const { name } = row as VtecRow;
  return { code: name.phenomenon + name.significance, office: name.office };
}
