import type { UsageOverview, UsagePerformance } from '@nwms/contract';
import type { StatCardProps } from '../../ui/stat-card.tsx';
import { figureText } from '../../ui/chart/chart-words.ts';

type Tone = Extract<StatCardProps['tone'], 'plain' | 'ok' | 'warn' | 'bad'>;

/** ANLY-09: characters of an endpoint's name on a chart, and of the busiest endpoints. */
export const SHORT = 15;
export const BUSY = 30;

/** Cut names end in an ellipsis within the length; the whole name is in the title. */
export const cut = (name: string, length: number): string => (name.length <= length ? name : `${name.slice(0, length - 1)}…`);

/** What all templates begin with says nothing. */
export const endpointWords = (endpoint: string): string => endpoint.replace(/^\/api\/v1(?=\/)/, '');

/** ANLY-08, R-33: under 100 ms is positive; 100 and over is neither. */
export const responseTone = (ms: number | null): Tone => (ms !== null && ms < 100 ? 'ok' : 'plain');

/** ANLY-08: over 1000 ms red, over 500 ms amber. */
export const endpointTone = (ms: number | null): Tone => (ms === null || ms <= 500 ? 'plain' : ms > 1000 ? 'bad' : 'warn');

/** ANLY-08, R-33: under 5% is positive, over 5 yellow, over 10 red; exactly 5 is neither. */
export const errorTone = (percent: number | null): Tone => {
  if (percent === null || percent === 5) return 'plain';
  if (percent < 5) return 'ok';
  return percent > 10 ? 'bad' : 'warn';
};

export const TONE_TEXT = { plain: '', ok: 'text-ok', warn: 'text-warn', bad: 'text-bad' } as const satisfies Record<Tone, string>;

export const milliseconds = (value: number | null): string => figureText(value, { unit: 'ms', digits: 1 });
export const percents = (value: number | null): string => figureText(value, { unit: '%', digits: 2 });

/** "+12.5% against the 7 days before": only where the time before was recorded whole, and had requests. */
export function growthWords({
  growth_percent: growth,
  previous,
  analysis_period: { days },
}: Pick<UsageOverview, 'growth_percent' | 'previous' | 'analysis_period'>): string {
  const before = days === 1 ? 'the 24 hours before' : `the ${days} days before`;
  if (previous === null) return `${before} are not fully recorded`;
  if (growth === null) return `no request in ${before}`;
  const sign = growth > 0 ? '+' : growth < 0 ? '−' : '±';
  return `${sign}${figureText(Math.abs(growth), { unit: '%', digits: 1 })} against ${before}`;
}

/** Endpoints with few requests are among the slowest only while no other has five. */
const OFTEN = 5;
export const slowestNote = (rows: readonly Pick<UsagePerformance['slowest_endpoints'][number], 'request_count'>[]): string =>
  rows.some(({ request_count: requests }) => requests < OFTEN)
    ? 'By average in ms; no endpoint has five requests yet'
    : 'By average in ms, of those with five requests or more';

/** "Nov 15, 00:00 to Nov 21, 15:42 UTC" */
export function periodWords({ start, end }: { start: string; end: string }): string {
  const at = new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  });
  return `${at.format(Date.parse(start))} to ${at.format(Date.parse(end))} UTC`;
}

/** A count that was estimated says how closely. */
export function estimateWords(estimates: Record<string, { method: string; error_95: number }>, field: string): string | null {
  const found = estimates[field];
  if (!found || found.method === 'exact') return null;
  return `estimated, ± ${figureText(100 * found.error_95, { unit: '%', digits: 1 })}`;
}
