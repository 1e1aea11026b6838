/** What the calls of /intelligence answer once there is a record of years: a new server has none, and cannot have one within a test. */
import type { Page } from 'playwright-core';

const DAY_MS = 86_400_000;
const iso = (at: number): string => new Date(at).toISOString();
/** Numbers that look like weather and are the same every time. */
const wave = (at: number, most: number): number =>
  Math.max(0, Math.round(most * (0.5 + 0.5 * Math.sin(at / 3)) * (0.6 + 0.4 * Math.cos(at / 17))));
const interval = (low: number, high: number) => ({ low, high, level: 0.95, method: 'wilson' });
const EVENTS = [
  'Severe Thunderstorm Warning',
  'Flood Warning',
  'Flash Flood Warning',
  'Winter Storm Warning',
  'Heat Advisory',
  'Tornado Warning',
];
const HOTSPOTS = ['Polk County, IA', 'Harris County, TX', 'Jefferson County, AL', 'Lake County, IL', 'Tulsa County, OK', 'Dade County, FL'];

function common(nowMs: number, days: number) {
  const from = nowMs - days * DAY_MS;
  return {
    source: 'simulator',
    coverage: {
      from: iso(from),
      to: iso(nowMs),
      days: days + 1,
      covered_days: days,
      share: 0.98,
      gaps: [],
      archive_since: iso(nowMs - 900 * DAY_MS),
      imported: false,
    },
    insufficient: [],
    warnings: [],
    recommendations: [],
    recommendation_details: [],
    freshness: { data_as_of: iso(nowMs), upstream_age_seconds: 1, status: 'simulated', reason: null, feed: 'simulator', simulated: true },
    period: { from: iso(from), to: iso(nowMs), days_back: days },
  };
}

const area = (label: string, at: number) => ({
  area: `01900${at}`,
  label,
  code: `01900${at}`,
  kind: 'county',
  state: label.slice(-2),
  lat: null,
  lon: null,
});

function bucketsOf(labels: readonly string[], keys: readonly string[], uncovered = -1) {
  const none = { Extreme: 1, Severe: 4, Moderate: 6, Minor: 2, Unknown: 0 };
  return labels.map((label, at) => ({
    key: keys[at],
    label,
    events: at === uncovered ? null : 13,
    covered_days: at === uncovered ? 0 : 120,
    per_day: at === uncovered ? null : 0.4,
    interval: null,
    avg_severity: 2.4,
    by_severity: at === uncovered ? null : none,
  }));
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
const SEASONS = ['winter', 'spring', 'summer', 'fall'];

function answers(nowMs: number): Record<string, (query: URLSearchParams) => unknown> {
  return {
    '/intelligence/severity-trends': (query) => {
      const days = Number(query.get('days_back') ?? 7);
      const share = (value: number) => ({ share: value, interval: interval(value - 0.06, value + 0.06) });
      return {
        ...common(nowMs, days),
        trends: {
          escalating_events: 64,
          stable_events: 310,
          de_escalating_events: 41,
          total_events: 415,
          shares: { escalating: share(0.15), stable: share(0.75), de_escalating: share(0.1) },
          by_reason: { severity: 30 },
          single_version: 200,
          swung: 4,
          extended: 20,
          shortened: 10,
          late_start: 3,
        },
        previous: { escalating_events: 58, stable_events: 290, de_escalating_events: 44, total_events: 392, escalating_share_change: null },
        by_event: [],
        series: Array.from({ length: days }, (_, at) => ({
          at: iso(Math.floor(nowMs / DAY_MS) * DAY_MS - (days - 1 - at) * DAY_MS),
          issued: at === 2 ? null : wave(at, 90),
          escalations: at === 2 ? null : wave(at + 2, 18),
          de_escalations: at === 2 ? null : wave(at + 5, 12),
        })),
        examples: [],
      };
    },
    '/intelligence/alert-fatigue-analysis': () => ({
      ...common(nowMs, 7),
      reference: { events_per_area_day: 0.5, formula: '1 - 2^(-load/reference)', note: 'ours' },
      fatigue_analysis: {
        overall_density_score: 0.72,
        fatigue_risk: 'high',
        interval: interval(0.64, 0.78),
        load_experienced: 0.9,
        load_all_areas: 0.3,
        areas_with_alerts: 812,
        distinct_events: 415,
        messages: 1300,
        messages_per_event: 3.13,
        by_severity: { Extreme: 12, Severe: 118, Moderate: 190, Minor: 88, Unknown: 7 },
        by_hour: Array.from({ length: 24 }, (_, hour) => wave(hour, 40)),
        night_share: 0.31,
        high_density_areas: HOTSPOTS.slice(0, 4).map((label, at) => ({
          ...area(label, at),
          alert_count: 9 - at,
          load: 1.3 - at * 0.2,
          density_score: 0.84 - at * 0.13,
          peak_7_day_score: null,
          fatigue_risk: at < 2 ? 'high' : at === 2 ? 'medium' : 'low',
          top_events: [{ event: EVENTS[at], count: 5 - at }],
          night_share: 0.4,
          polygon_share: 0.2,
          recommendations: at === 0 ? ['Quiet hours would hold 4 of 9; life-threat alerts pass.'] : [],
          recommendation_details: [],
        })),
      },
    }),
    '/intelligence/historical-patterns': (query) => {
      const typed = query.has('event_type');
      const season = (avg: number) => ({
        avg_severity: avg,
        count: 120,
        known: 118,
        per_day: 1.3,
        covered_days: 90,
        interval: interval(avg - 0.2, avg + 0.2),
      });
      return {
        ...common(nowMs, 90),
        events: 1400,
        severity_scale: { Minor: 1, Moderate: 2, Severe: 3, Extreme: 4 },
        patterns: {
          seasonal_trends: {
            winter: season(2.1),
            spring: season(2.9),
            summer: { avg_severity: null, count: null, known: 0, per_day: null, covered_days: 0, interval: null },
            fall: season(2.4),
          },
          geographic_hotspots: HOTSPOTS.map((label, at) => ({
            ...area(label, at),
            frequency: 0.61 - at * 0.08,
            interval: interval(0.5 - at * 0.08, 0.7 - at * 0.08),
            days_with: 50,
            covered_days: 90,
            events: 70 - at * 6,
            avg_severity: 2.6,
          })),
          frequency_analysis: {
            events_per_month: 466.3,
            trend: 'increasing',
            trend_basis: 'same_dates_earlier_years',
            trend_ratio: 1.32,
            interval: interval(1.1, 1.6),
            peak_months: ['May', 'June'],
            peak_month_numbers: [5, 6],
            by_month: Array.from({ length: 12 }, (_, at) => ({
              month: at + 1,
              events: 100,
              covered_days: 60,
              per_day: at === 7 ? null : wave(at, 9) / 2,
            })),
          },
        },
        predictions: {
          next_likely_period: typed ? 'May 6 to June 30' : null,
          confidence: typed ? 0.8 : null,
          next_period: typed ? { kind: 'season', from: '2027-05-06', to: '2027-06-30', in_season: false } : null,
          basis: typed ? 'weekly rates of three years' : 'needs event_type',
          years: typed ? 3 : 0,
          hits: typed ? 3 : null,
          events_used: typed ? 812 : 0,
        },
        insufficient: typed
          ? []
          : [{ path: 'predictions.next_likely_period', reason: 'parameter_required', need: 'event_type', have: 'none' }],
      };
    },
    '/playback/patterns/seasonal': (query) => {
      const byWeek = query.get('bucket') === 'weekday';
      const keys = byWeek ? WEEKDAYS.map((_, at) => String(at + 1)) : SEASONS;
      const across = byWeek ? Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0')) : EVENTS;
      return {
        ...common(nowMs, 900),
        buckets: bucketsOf(byWeek ? WEEKDAYS : ['Winter', 'Spring', 'Summer', 'Fall'], keys, byWeek ? -1 : 2),
        cross: keys.flatMap((key, row) => across.map((x, at) => ({ key, x, events: wave(at + row, 60) }))),
        years: [],
        peak: null,
      };
    },
    '/playback/analysis/trends': () => {
      const days = 365;
      const points = Array.from({ length: days }, (_, at) => ({
        at: iso(Math.floor(nowMs / DAY_MS) * DAY_MS - (days - 1 - at) * DAY_MS),
        begun: at > 60 && at < 90 ? null : wave(at, 40),
        in_force_max: null,
        covered: !(at > 60 && at < 90),
      }));
      return {
        ...common(nowMs, days),
        range: { from: iso(nowMs), to: iso(nowMs) },
        bucket: 'day',
        series: [{ key: 'all', points, total: 1, slope_per_bucket: null, trend: null, p_value: null }],
        comparison: null,
      };
    },
  };
}

/** Lets this page see a record of years. Answers say that they are simulated. */
export async function serveRecord(page: Page, nowMs: number): Promise<void> {
  for (const [path, answer] of Object.entries(answers(nowMs))) {
    await page.route(
      (url) => url.pathname === `/api/v1${path}`,
      (route) => route.fulfill({ json: answer(new URL(route.request().url()).searchParams) }),
    );
  }
}
