import type { Health } from '@nwms/contract';
import { decimal, milliseconds } from './milliseconds.ts';

/** LAND-06: the count at which each bar is full. */
export const SEVERITY_MAXIMA = { Extreme: 5, Severe: 50, Moderate: 30, Minor: 20 } as const;
export type BarSeverity = keyof typeof SEVERITY_MAXIMA;
export const BAR_SEVERITIES = ['Extreme', 'Severe', 'Moderate', 'Minor'] as const satisfies readonly BarSeverity[];

/** fixed, never random, and only ever shown with their tag. */
export const DEMO = { requests: 12_480, responseMs: 42, usersOnline: 36, uptimePercent: 99.9 } as const;

/** below it an average response is good. */
const GOOD_RESPONSE_MS = 100;

export interface Figure {
  /** Null: not measured, or not to be had; shown as a dash, never as zero. */
  value: string | null;
  note: string;
  good?: boolean;
}

export interface LiveFigures {
  /** Health was never had: these are demo figures. */
  demo: boolean;
  requests: Figure;
  response: Figure;
  users: Figure;
  uptime: Figure;
  /** Null while it cannot be told how many alerts are in force. */
  severities: Readonly<Record<BarSeverity, number>> | null;
  active: number | null;
  /** Milliseconds of the health check itself, and of one question to the database. */
  checkMs: number | null;
  databaseMs: number | null;
  perMinute: number | null;
  connections: number | null;
}

const demo: LiveFigures = {
  demo: true,
  requests: { value: decimal(DEMO.requests, 0), note: 'today' },
  response: { value: `${DEMO.responseMs} ms`, note: 'average' },
  users: { value: String(DEMO.usersOnline), note: 'people and programs' },
  uptime: { value: `${DEMO.uptimePercent}%`, note: 'not measured' },
  // Counts of alerts are never invented, not even with a tag.
  severities: null,
  active: null,
  checkMs: null,
  databaseMs: null,
  perMinute: null,
  connections: null,
};

/** What the start page shows of the health; demo figures when there is none (LAND-05, R-02). */
export function liveFigures(health: Health | null): LiveFigures {
  if (!health) return demo;
  const { metrics, uptime, checks } = health;
  const { data_freshness: data } = checks;
  // Before the first poll the server counts zero alerts: that is not a fact about the weather.
  const known = data.status !== 'unknown' && data.by_severity !== null;
  return {
    demo: false,
    requests: { value: metrics.requests_today === null ? null : decimal(metrics.requests_today, 0), note: 'today, UTC' },
    response: responseFigure(metrics.avg_response_time_ms),
    users: { value: metrics.users_online === null ? null : decimal(metrics.users_online, 0), note: 'people and programs, last 5 min' },
    uptime: uptimeFigure(uptime),
    severities: known ? data.by_severity : null,
    active: known ? data.active_alerts : null,
    checkMs: health.response_time_ms,
    databaseMs: checks.database.latency_ms,
    perMinute: metrics.requests_per_minute,
    connections: checks.live.connections,
  };
}

function responseFigure(ms: number | null): Figure {
  if (ms === null) return { value: null, note: 'no request in the last 5 min' };
  return { value: `${milliseconds(ms)} ms`, note: 'average, last 5 min', good: ms < GOOD_RESPONSE_MS };
}

function uptimeFigure({ percent, window_days, since }: Health['uptime']): Figure {
  if (percent === null) return { value: null, note: 'the first probes are under way' };
  // Rounded down: 99.996 % is not 100 %.
  const shown = `${decimal(Math.floor(percent * 100) / 100, 2)}%`;
  return { value: shown, note: `of stored probes, ${windowLabel(window_days, since)}` };
}

function windowLabel(days: number, since: string | null): string {
  if (days >= 29.5 || since === null) return 'last 30 days';
  if (days >= 1.5) return `last ${Math.floor(days)} days`;
  const hours = Math.floor(days * 24);
  if (hours >= 2) return `last ${hours} hours`;
  return `last ${Math.max(1, Math.round(days * 1440))} min`;
}

/** Width of a severity bar, 0 to 1; a count above the scale fills it. */
export const barShare = (severity: BarSeverity, count: number): number => Math.min(1, Math.max(0, count / SEVERITY_MAXIMA[severity]));
