import type { Coverage, Insufficient, Interval } from '@nwms/contract';
import type { BadgeTone } from '../../ui/badge.tsx';

type Gap = Pick<Insufficient, 'path' | 'reason' | 'need' | 'have'>;

/** Why the value at `path` (or anything below it) is missing: "Not enough data yet: needs 20 events, there are 3 events." */
export function missingWords(insufficient: readonly Gap[], path: string): string | null {
  const gap =
    insufficient.find((each) => each.path === path || each.path.startsWith(`${path}.`)) ??
    insufficient.find(({ path: at }) => path.startsWith(`${at}.`));
  return gap ? gapWords(gap) : null;
}

export function gapWords({ reason, need, have }: Gap): string {
  if (reason === 'parameter_required') return 'Choose one event type to see this.';
  if (reason === 'no_pattern') return `No pattern stands out: it would take ${need}, there is ${have}.`;
  if (reason === 'not_measured' || reason === 'not_configured' || reason === 'source_unavailable') return 'Not measured yet.';
  const lead = reason === 'sample_too_small' ? 'Not enough data yet' : 'Not enough history yet';
  return `${lead}: needs ${need}, there ${have.startsWith('1 ') ? 'is' : 'are'} ${have}.`;
}

const percent = (share: number): string => `${Math.round(share * 100)}%`;

/** "24% (95% interval 18% to 31%)" */
export const shareWords = ({ share, interval }: { share: number; interval: Interval }): string =>
  `${percent(share)} (${percent(interval.level)} interval ${percent(interval.low)} to ${percent(interval.high)})`;

const two = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 2 });

export const rangeWords = (interval: Interval | null): string | null =>
  interval === null ? null : `${percent(interval.level)} interval ${two(interval.low)} to ${two(interval.high)}`;

/** "3 of 7 days of our record": what every figure beside it rests on. */
export function coverageWords({ covered_days, days, archive_since }: Coverage): string {
  const since = archive_since === null ? 'no record yet' : `record since ${archive_since.slice(0, 10)}`;
  return `${covered_days.toLocaleString('en-US')} of ${days.toLocaleString('en-US')} days covered, ${since}`;
}

/** INTL-03, R-33: closed below. */
export const densityTone = (score: number | null): 'plain' | 'warn' | 'bad' =>
  score === null || score < 0.4 ? 'plain' : score < 0.7 ? 'warn' : 'bad';

export const riskTone = (risk: 'high' | 'medium' | 'low'): BadgeTone => ({ high: 'bad', medium: 'warn', low: 'plain' })[risk] as BadgeTone;

export interface Confidence {
  label: 'High' | 'Medium' | 'Low';
  /** Token of its bar: above 0.8 green, above 0.6 yellow, else red; closed below. */
  token: 'ok' | 'fill-moderate' | 'bad';
}

export function confidenceOf(value: number): Confidence {
  if (value >= 0.8) return { label: 'High', token: 'ok' };
  if (value >= 0.6) return { label: 'Medium', token: 'fill-moderate' };
  return { label: 'Low', token: 'bad' };
}

/** The scale of `avg_severity` in words: 2.4 is between Moderate and Severe. */
export function severityWords(average: number): string {
  return ['Minor', 'Moderate', 'Severe', 'Extreme'][Math.min(3, Math.max(0, Math.round(average) - 1))] ?? 'Minor';
}
