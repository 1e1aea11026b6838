import type { Severity } from '@nwms/domain/alert/vocabulary';
import type { SlimAlert } from '@nwms/contract';

export interface AlertFilter {
  severity: Severity | null;
  event: string | null;
  /** Words that must all occur; letter case and accents do not matter. */
  q: string;
}

export const foldText = (value: string): string => value.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/**
 * Tells whether a row matches. `found` are the events the server found for `q` in texts this page does not hold (descriptions);
 * null while unknown.
 */
export function alertMatcher(filter: AlertFilter, found: ReadonlySet<string> | null): (alert: SlimAlert) => boolean {
  const words = foldText(filter.q).split(/\s+/).filter(Boolean);
  return (alert) => {
    if (filter.severity !== null && alert.severity !== filter.severity) return false;
    if (filter.event !== null && alert.event !== filter.event) return false;
    if (words.length === 0 || found?.has(alert.event_id)) return true;
    const hay = foldText(`${alert.headline ?? ''} ${alert.event} ${alert.area_desc} ${alert.sender_name}`);
    return words.every((word) => hay.includes(word));
  };
}
