import { describe, expect, test } from 'vitest';
import { POLICIES } from '../../api/intervals.ts';
import { silentWords } from './advice-panel.tsx';
import { confidenceOf, coverageWords, densityTone, gapWords, missingWords, severityWords } from './evidence-words.ts';
import { PLACES } from '../../lib/places.ts';
import { EVENT_TYPES, PATTERN_DAYS, PERIODS, readIntelligenceSearch } from './intelligence-search.ts';
import { valuesOf } from '../../ui/chart/chart-spec.ts';
import { changesChart, hoursChart, seasonEventChart, severityChart, topEventsOf, weekChart, yearChart } from './trend-charts.ts';

const none = { Extreme: 0, Severe: 0, Moderate: 0, Minor: 0, Unknown: 0 };
const bucket = (key: string, covered_days: number) => ({
  key,
  label: `Day ${key}`,
  events: covered_days === 0 ? null : 1,
  covered_days,
  per_day: null,
  interval: null,
  avg_severity: null,
  by_severity: covered_days === 0 ? null : none,
});

describe('the address of the page', () => {
  test('INTL-01, INTL-02: names the event type and the period; what cannot be meant is left out', () => {
    expect(EVENT_TYPES).toEqual([
      'Flood Warning',
      'Flash Flood Warning',
      'Severe Thunderstorm Warning',
      'Tornado Warning',
      'Winter Storm Warning',
      'Heat Advisory',
    ]);
    expect(PERIODS).toEqual([7, 30, 90]);
    expect(PATTERN_DAYS).toBe(90);
    expect(readIntelligenceSearch({ event: 'Tornado Warning', days: '30', panel: 'ml' })).toEqual({
      event: 'Tornado Warning',
      days: 30,
      panel: 'ml',
    });
    expect(readIntelligenceSearch({ event: ['x'], days: 12, panel: 'x' })).toEqual({ event: undefined, days: undefined, panel: undefined });
  });
});

test('INTL-06, R-19: the machine-learning panel has no route of its own: its address is a panel of this one', () => {
  expect(readIntelligenceSearch({ panel: 'ml' }).panel).toBe('ml');
  expect(readIntelligenceSearch({}).panel).toBeUndefined();
  expect(PLACES.filter(({ path }) => /ml|machine/i.test(path))).toEqual([]);
});

test('INTL-08: trends are asked every 2 minutes, fatigue and patterns every 5', () => {
  expect([POLICIES.severityTrends.every, POLICIES.alertFatigue.every, POLICIES.historicalPatterns.every]).toEqual([120, 300, 300]);
});

describe('bands', () => {
  test('INTL-03, R-33: density is red from 0.7 on and yellow from 0.4 on; unknown has no colour', () => {
    expect([0.39, 0.4, 0.69, 0.7, null].map(densityTone)).toEqual(['plain', 'warn', 'warn', 'bad', 'plain']);
  });

  test('R-33: confidence 0.8 is High and green, 0.6 Medium and yellow, below Low and red', () => {
    expect([0.8, 0.79, 0.6, 0.59].map((value) => confidenceOf(value))).toEqual([
      { label: 'High', token: 'ok' },
      { label: 'Medium', token: 'fill-moderate' },
      { label: 'Medium', token: 'fill-moderate' },
      { label: 'Low', token: 'bad' },
    ]);
  });

  test('average severity reads in the words of the scale', () => {
    expect([1, 2.4, 3.6, 4].map(severityWords)).toEqual(['Minor', 'Moderate', 'Extreme', 'Extreme']);
  });
});

describe('what is missing', () => {
  const gaps = [
    { path: 'trends.shares', reason: 'sample_too_small' as const, need: '20 events', have: '3 events' },
    { path: 'predictions.next_likely_period', reason: 'parameter_required' as const, need: 'event_type', have: 'none' },
  ];

  test('is told with what would be needed', () => {
    expect(missingWords(gaps, 'trends.shares.escalating')).toBe('Not enough data yet: needs 20 events, there are 3 events.');
    expect(missingWords(gaps, 'predictions')).toBe('Choose one event type to see this.');
    expect(missingWords(gaps, 'patterns')).toBeNull();
    expect(gapWords({ path: 'x', reason: 'no_coverage', need: '14 covered days', have: '1 covered days' })).toBe(
      'Not enough history yet: needs 14 covered days, there is 1 covered days.',
    );
  });

  test('the record says how far it reaches', () => {
    const at = '2025-12-15T00:00:00Z';
    const coverage = { from: at, to: at, days: 7, covered_days: 3, share: 0.4, gaps: [], archive_since: at, imported: false };
    expect(coverageWords(coverage)).toBe('3 of 7 days covered, record since 2025-12-15');
    expect(coverageWords({ ...coverage, covered_days: 0, archive_since: null })).toBe('0 of 7 days covered, no record yet');
  });

  test('INTL-04: rules that cannot say anything are named', () => {
    expect(silentWords({ silent: [] })).toBeNull();
    expect(silentWords({ silent: [{ id: 'feed_delay', reason: 'sample_too_small' }] })).toBe(
      '1 rule has too little data to say anything: feed delay.',
    );
  });
});

describe('charts of the record', () => {
  test('R-23: a weekday without a covered day is blank, not calm; a covered one without events is 0', () => {
    const spec = weekChart({ buckets: [bucket('1', 0), bucket('2', 3)], cross: [{ key: '2', x: '05', events: 4 }] });
    const cells = spec.kind === 'heatmap' ? spec.data.cells : [];
    expect(cells[0]?.every((cell) => cell === null)).toBe(true);
    expect([cells[1]?.[4], cells[1]?.[5]]).toEqual([0, 4]);
  });

  test('R-23: days outside of our record stay blank in the calendar, gaps stay gaps in the line', () => {
    const point = { at: '2025-12-15T00:00:00Z', in_force_max: null };
    const series = [
      {
        key: 'all',
        points: [
          { ...point, begun: 0, covered: false },
          { ...point, begun: 2, covered: true },
        ],
        total: 2,
        slope_per_bucket: null,
        trend: null,
        p_value: null,
      },
    ];
    const spec = yearChart({ series });
    expect(spec.kind === 'calendar' && spec.data.days.map(({ value }) => value)).toEqual([null, 2]);
    const line = changesChart({ series: [{ at: point.at, issued: null, escalations: null, de_escalations: null }] });
    expect(line.kind === 'line' && line.data.series.map(({ values }) => values[0])).toEqual([null, null, null]);
  });

  test('hours of a time that is not covered are not known', () => {
    const answer = { fatigue_analysis: { by_hour: null, by_severity: null } } as unknown as Parameters<typeof hoursChart>[0];
    expect(valuesOf(hoursChart(answer))).toEqual(Array(24).fill(null));
    expect(valuesOf(severityChart(answer))).toEqual(Array(5).fill(null));
    expect(hoursChart(answer)).toMatchObject({ data: { gap: 'not recorded' } });
  });

  test('events of all seasons are ordered by how often they began', () => {
    const cross = [
      { key: 'winter', x: 'Flood Warning', events: 2 },
      { key: 'spring', x: 'Tornado Warning', events: 5 },
      { key: 'spring', x: 'Flood Warning', events: 1 },
    ];
    expect(topEventsOf({ cross })).toEqual(['Tornado Warning', 'Flood Warning']);
    const spec = seasonEventChart({ buckets: [bucket('winter', 5), bucket('spring', 0)], cross });
    expect(spec.kind === 'heatmap' && spec.data.cells).toEqual([
      [0, null],
      [2, null],
    ]);
  });
});
