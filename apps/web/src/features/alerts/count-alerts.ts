import { SEVERITIES, type Severity } from '@nwms/domain/alert/vocabulary';
import type { SlimAlert } from '@nwms/contract';

export interface AlertCounts {
  active: number;
  upcoming: number;
  bySeverity: Record<Severity, number>;
  severeOrExtreme: number;
  /** Most frequent first, ties by name. */
  byEvent: readonly { event: string; count: number }[];
  families: number;
}

/** Counts of the active rows; rows that are over never count. Σ bySeverity = Σ byEvent = active. */
export function countAlerts(alerts: Iterable<SlimAlert>): AlertCounts {
  const bySeverity = Object.fromEntries(SEVERITIES.map((name) => [name, 0])) as Record<Severity, number>;
  const events = new Map<string, number>();
  const families = new Set<string>();
  let active = 0;
  let upcoming = 0;
  for (const alert of alerts) {
    if (!alert.is_active) continue;
    active += 1;
    if (alert.state === 'upcoming') upcoming += 1;
    bySeverity[alert.severity] = (bySeverity[alert.severity] ?? 0) + 1;
    events.set(alert.event, (events.get(alert.event) ?? 0) + 1);
    families.add(alert.family);
  }
  const byEvent = [...events].map(([event, count]) => ({ event, count })).sort((a, b) => b.count - a.count || (a.event < b.event ? -1 : 1));
  return { active, upcoming, bySeverity, severeOrExtreme: bySeverity.Extreme + bySeverity.Severe, byEvent, families: families.size };
}
