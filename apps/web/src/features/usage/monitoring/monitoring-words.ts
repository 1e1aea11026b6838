import type { UsageInsights, UsageInsufficient } from '@nwms/contract';
import type { BadgeTone } from '../../../ui/badge.tsx';

/** MON-07: what fills a bar. */
export const PEAK_HOUR_FULL = 3000;
export const TOTAL_FULL = 10_000;

/** MON-08; a label only where the spec has one (R-33: the lower band is neutral). */
export function diversityOf(score: number): 'high' | 'medium' | 'low' {
  if (score > 0.1) return 'high';
  return score > 0.05 ? 'medium' : 'low';
}

/** MON-08: requests per user. */
export function engagementOf(perUser: number | null): 'high' | 'good' | null {
  if (perUser === null || perUser <= 50) return null;
  return perUser > 100 ? 'high' : 'good';
}

/** MON-08 */
export const isPowerUser = (requests: number): boolean => requests > 50;

/** MON-09: percent per day. */
export function growthOf(percentPerDay: number | null): 'rapid' | 'steady' | 'stable' | 'declining' | null {
  if (percentPerDay === null) return null;
  if (percentPerDay > 5) return 'rapid';
  if (percentPerDay > 0) return 'steady';
  return percentPerDay > -5 ? 'stable' : 'declining';
}

/** MON-10 */
export const PRIORITY_TONE = { high: 'bad', medium: 'warn', low: 'plain' } as const satisfies Record<string, BadgeTone>;
export const ALERT_TONE = { critical: 'bad', warning: 'warn', info: 'accent' } as const satisfies Record<string, BadgeTone>;

/** What the server pages to: rows after this many are not reached. */
const MAX_OFFSET = 10_000;

/** Pages of a list of accounts, as far as the server goes. */
export function limitPages(total: number, rows: number): { total: number; count: number; isCut: boolean } {
  const reached = Math.min(total, MAX_OFFSET + rows);
  return { total: reached, count: Math.max(1, Math.ceil(reached / rows)), isCut: reached < total };
}

/** How full a bar is, in percent of its scale; never more than all of it. */
export const fillOf = (value: number, full: number): number => Math.min(100, Math.max(0, (100 * value) / full));

const REASONS = {
  no_requests: 'no requests yet',
  few_samples: 'too few requests',
  short_history: 'history too short',
  not_recorded: 'not recorded',
} as const;

/** Why a figure is missing: "history too short: 3 of 14 days". `otherwise`: what it means when nothing is said of it. */
export function whyMissing(insufficient: readonly UsageInsufficient[], field: string, otherwise = 'not known yet'): string {
  const gap = insufficient.find((each) => each.field === field || each.field.startsWith(`${field}.`) || field.startsWith(`${each.field}.`));
  if (!gap) return otherwise;
  const unit = gap.reason !== 'short_history' ? '' : gap.need === 1 ? ' day' : ' days';
  const counted = gap.have === null || gap.need === null ? '' : `: ${gap.have} of ${gap.need}${unit}`;
  return `${REASONS[gap.reason]}${counted}`;
}

/** "12,400 (80% interval 10,100 to 14,900)" */
export function forecastWords(value: number | null, interval: UsageInsights['predictions']['intervals']['next_week']): string | null {
  if (value === null) return null;
  const number = (n: number) => n.toLocaleString('en-US');
  return interval === null
    ? number(value)
    : `${number(value)} (${Math.round(interval.level * 100)}% interval ${number(interval.low)} to ${number(interval.high)})`;
}

export const hourWords = (hour: number | null): string | null => (hour === null ? null : `${String(hour).padStart(2, '0')}:00 UTC`);
