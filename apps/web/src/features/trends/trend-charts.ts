import type { AlertFatigueAnalysis, HistoricalPatterns, SeasonalPatterns, SeverityTrends, TrendAnalysis } from '@nwms/contract';
import type { ChartSpec, Tone, Value } from '../../ui/chart/chart-spec.ts';

const DAY = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const TOP_EVENTS = 10;
/** Our own record has no such day, or only a part of it: not the same as quiet (docs/intelligence.md). */
const NOT_RECORDED = 'not recorded';

/** Events begun, and steps up and down, per day. */
export function changesChart({ series }: Pick<SeverityTrends, 'series'>): ChartSpec {
  return {
    kind: 'line',
    data: {
      heading: 'Day (UTC)',
      labels: series.map(({ at }) => at.slice(0, 10)),
      ticks: series.map(({ at }) => DAY.format(Date.parse(at))),
      series: [
        { name: 'Issued', values: series.map(({ issued }) => issued), tone: 'series-4' },
        { name: 'Escalations', values: series.map(({ escalations }) => escalations), tone: 'fill-severe' },
        { name: 'De-escalations', values: series.map((each) => each.de_escalations), tone: 'series-2' },
      ],
      gap: NOT_RECORDED,
    },
  };
}

export function hotspotChart(hotspots: HistoricalPatterns['patterns']['geographic_hotspots']): ChartSpec {
  return {
    kind: 'bar',
    lying: true,
    data: {
      heading: 'Area',
      labels: hotspots.map(({ label }) => label),
      series: [
        {
          name: 'Days with an event in force',
          unit: '%',
          values: hotspots.map(({ frequency }) => Math.round(frequency * 100)),
          ranges: hotspots.map(({ interval }) => ({ low: Math.round(interval.low * 100), high: Math.round(interval.high * 100) })),
        },
      ],
    },
  };
}

/** Twelve months of the whole archive; months without a covered day are blank. */
export function monthsChart(months: HistoricalPatterns['patterns']['frequency_analysis']['by_month']): ChartSpec {
  return {
    kind: 'bar',
    data: {
      heading: 'Month',
      labels: months.map(({ month }) => MONTHS[month - 1] ?? String(month)),
      ticks: months.map(({ month }) => (MONTHS[month - 1] ?? '').slice(0, 3)),
      series: [{ name: 'Events per covered day', digits: 2, values: months.map((each) => each.per_day) }],
      gap: NOT_RECORDED,
    },
  };
}

/** Begins by local hour; nothing is known where no day is covered. */
export function hoursChart({ fatigue_analysis }: Pick<AlertFatigueAnalysis, 'fatigue_analysis'>): ChartSpec {
  const hours: readonly Value[] = fatigue_analysis.by_hour ?? Array.from({ length: 24 }, () => null);
  return {
    kind: 'bar',
    data: {
      heading: 'Local hour',
      labels: hours.map((_, hour) => `${String(hour).padStart(2, '0')}:00`),
      series: [{ name: 'Events begun', values: hours }],
      gap: NOT_RECORDED,
    },
  };
}

const SEVERITY_TONES = {
  Extreme: 'fill-extreme',
  Severe: 'fill-severe',
  Moderate: 'fill-moderate',
  Minor: 'fill-minor',
  Unknown: 'fill-unknown',
} as const;

export function severityChart({ fatigue_analysis }: Pick<AlertFatigueAnalysis, 'fatigue_analysis'>): ChartSpec {
  const names = Object.keys(SEVERITY_TONES) as (keyof typeof SEVERITY_TONES)[];
  return {
    kind: 'doughnut',
    data: {
      heading: 'Severity',
      labels: names,
      tones: names.map((name): Tone => SEVERITY_TONES[name]),
      series: [{ name: 'Events', values: names.map((name) => fatigue_analysis.by_severity?.[name] ?? null) }],
    },
  };
}

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));

type Crossed = Pick<SeasonalPatterns, 'buckets' | 'cross'>;

/** How often each pair occurs. A bucket without a covered day is not known; in a covered one, no event is a measured 0. */
function crossCounts({ cross }: Crossed): (bucket: Crossed['buckets'][number], x: string) => Value {
  const counts = new Map((cross ?? []).map(({ key, x, events }) => [`${key} ${x}`, events]));
  return (bucket, x) => (cross === null || bucket.covered_days === 0 ? null : (counts.get(`${bucket.key} ${x}`) ?? 0));
}

export function weekChart(answer: Crossed): ChartSpec {
  const count = crossCounts(answer);
  return {
    kind: 'heatmap',
    data: {
      xHeading: 'Local hour',
      yHeading: 'Weekday',
      valueName: 'Events begun',
      x: HOURS.map((hour) => `${hour}:00`),
      y: answer.buckets.map(({ label }) => label),
      cells: answer.buckets.map((bucket) => HOURS.map((hour) => count(bucket, hour))),
    },
  };
}

/** The most frequent events of the answer, most first. */
export function topEventsOf({ cross }: Pick<Crossed, 'cross'>): string[] {
  const totals = new Map<string, number>();
  for (const { x, events } of cross ?? []) totals.set(x, (totals.get(x) ?? 0) + events);
  return [...totals]
    .toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .slice(0, TOP_EVENTS)
    .map(([event]) => event);
}

/** Events on the left: their names are long. */
export function seasonEventChart(answer: Crossed): ChartSpec {
  const count = crossCounts(answer);
  const events = topEventsOf(answer);
  return {
    kind: 'heatmap',
    data: {
      xHeading: 'Season',
      yHeading: 'Event',
      valueName: 'Events begun',
      x: answer.buckets.map(({ label }) => label),
      y: events,
      cells: events.map((event) => answer.buckets.map((bucket) => count(bucket, event))),
    },
  };
}

/** A year of days; days that are not covered are blank. */
export function yearChart({ series }: Pick<TrendAnalysis, 'series'>): ChartSpec {
  return {
    kind: 'calendar',
    data: {
      valueName: 'Events begun',
      days: (series[0]?.points ?? []).map(({ at, begun, covered }) => ({ date: at.slice(0, 10), value: covered ? begun : null })),
    },
  };
}
