import type { alerts } from '@nwms/contract';
import { SEVERITIES } from '@nwms/domain';
import type { Row } from '../board/row.ts';

export type Counts = Omit<alerts.AlertStats, 'freshness' | 'position' | 'warnings' | 'total_exact'>;

const MEMBERS = [
  'is_active',
  'state',
  'severity',
  'event',
  'urgency',
  'certainty',
  'family',
  'office',
  'states',
  'geometry_source',
  'sent',
] as const;

/** What is counted of a row. */
export interface Counted {
  alert: Pick<Row['alert'], (typeof MEMBERS)[number]>;
  order: Pick<Row['order'], 'sent'>;
}

export const countedOf = ({ alert, order }: Row): Counted => ({
  alert: Object.fromEntries(MEMBERS.map((name) => [name, alert[name]])) as unknown as Counted['alert'],
  order: { sent: order.sent },
});

const countBy = (rows: readonly Counted[], of: (row: Counted) => string | null): Record<string, number> => {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const name = of(row);
    if (name !== null) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  // fromEntries defines members, so an event called "__proto__" is counted like any other.
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
};

/** Counts of exactly the rows a list with the same filters has. Sums agree: by_event = by_severity = by_state = total = active + over. */
export function countRows(rows: readonly Counted[]): Counts {
  const active = rows.filter((row) => row.alert.is_active).length;
  const upcoming = rows.filter((row) => row.alert.state === 'upcoming').length;
  const bySeverity = countBy(rows, (row) => row.alert.severity);
  const severities = Object.fromEntries(SEVERITIES.map((name) => [name, bySeverity[name] ?? 0])) as Counts['by_severity'];
  const byEvent = countBy(rows, (row) => row.alert.event);
  const newest = rows.reduce((latest, row) => Math.max(latest, row.order.sent), -Infinity);
  return {
    total: rows.length,
    by_event: byEvent,
    by_severity: severities,
    active,
    in_force: active - upcoming,
    upcoming,
    over: rows.length - active,
    event_types: Object.keys(byEvent).length,
    severe_or_extreme: severities.Severe + severities.Extreme,
    by_state: countBy(rows, (row) => row.alert.state),
    by_urgency: countBy(rows, (row) => row.alert.urgency ?? 'Unknown'),
    by_certainty: countBy(rows, (row) => row.alert.certainty ?? 'Unknown'),
    by_family: countBy(rows, (row) => row.alert.family),
    by_office: countBy(rows, (row) => row.alert.office),
    by_us_state: countEach(rows),
    by_geometry_source: countBy(rows, (row) => row.alert.geometry_source),
    drawn: rows.filter((row) => row.alert.geometry_source !== 'none').length,
    newest_sent: rows.find((row) => row.order.sent === newest)?.alert.sent ?? null,
  };
}

/** An event counts once in every state it touches. */
function countEach(rows: readonly Counted[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) for (const state of row.alert.states) counts.set(state, (counts.get(state) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}
