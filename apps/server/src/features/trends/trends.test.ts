import type { Freshness, ReplyOf } from '@nwms/contract';
import { trends } from '@nwms/contract';
import { DAY_MS, type EventFact, type FactStep, SEVERITY_LEVELS } from '@nwms/domain';
import { fakeClock } from '@nwms/testkit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conforms } from '../../../test/conforms.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { createServe } from '../../platform/http/serve.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { silentLog } from '../../platform/log.ts';
import { createFactsInMemory } from './facts-fixture.ts';
import { createTrends } from './index.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const HOUR = 3_600_000;
const MEMBER: Principal = {
  type: 'session',
  address: '192.0.2.1',
  sessionId: 's',
  account: {
    id: 'u',
    username: 'u',
    email: 'u@example.org',
    role: 'user',
    specialAccess: false,
    limits: { perMinute: 100, perDay: 10_000, perMonth: 100_000 },
  },
};

interface Options {
  covered?: (from: number, to: number) => { from: number; to: number }[];
  feed?: Freshness['feed'];
  at?: number;
  principal?: Principal | null;
}

/** The routes over facts in memory. */
async function serverOf(facts: readonly EventFact[], { covered, feed = 'nws', at = NOW, principal = MEMBER }: Options = {}) {
  const clock = fakeClock(at);
  const freshness: Freshness = {
    data_as_of: new Date(at).toISOString(),
    upstream_age_seconds: 3,
    status: 'live',
    reason: null,
    feed,
    simulated: feed !== 'nws',
  };
  const app = await createHttpServer({ clock, log: silentLog, corsOrigins: () => [], trustedProxies: [], page: () => null, secure: false });
  app.addHook('onRequest', async (request) => {
    request.principal = principal;
  });
  const area = (code: string) => ({ label: code, kind: 'county' as const, state: null, point: null });
  createTrends({
    clock,
    log: silentLog,
    random: () => 0.5,
    record: { facts: createFactsInMemory(facts), area },
    freshness: () => freshness,
    coveredSpans: async (from, to) => (covered ? covered(from, to) : [{ from, to }]),
    measured: () => ({ delayP90Seconds: 240, delayCount: 80, active: 100, withoutShape: 5 }),
  }).registerRoutes(createServe(app));
  return {
    close: () => app.close(),
    async get<Body>(url: string, headers: Record<string, string> = {}) {
      const reply = await app.inject({ method: 'GET', url: `/api/v1${url}`, headers });
      return {
        status: reply.statusCode,
        headers: reply.headers,
        body: (reply.body ? JSON.parse(reply.body) : null) as Body & { error?: string },
      };
    },
  };
}

let serial = 0;
function fact(parts: Partial<EventFact> & { begin: number; severities?: number[]; hours?: number }): EventFact {
  const { begin, severities = [3], hours = 2, ...rest } = parts;
  const until = begin + hours * HOUR;
  const steps = severities.map((severity, index): FactStep => ({
    at: begin + index * 600_000,
    version: index + 1,
    severity,
    rank: 100,
    km2: null,
    keptKm2: null,
    from: begin,
    until,
    live: true,
  }));
  serial += 1;
  return {
    eventId: `KDMX.SV.W.${serial}.2026`,
    event: 'Severe Thunderstorm Warning',
    family: 'thunderstorm',
    office: 'KDMX',
    source: 'nws',
    areaDesc: 'Polk, IA',
    firstSent: begin,
    firstSeen: begin,
    begin,
    overAt: until,
    offsetMinutes: -360,
    severity: Math.max(...severities),
    versions: severities.length,
    polygon: true,
    lateStart: false,
    end: { how: 'ended', at: until },
    baseRank: 500,
    upgradedRank: null,
    areas: [['019153', begin]],
    states: ['IA'],
    zones: ['IAC153'],
    steps,
    ...rest,
  };
}

type Severity = ReplyOf<typeof trends.severityTrends>;
type Patterns = ReplyOf<typeof trends.historicalPatterns>;
type Fatigue = ReplyOf<typeof trends.alertFatigueAnalysis>;
type Seasonal = ReplyOf<typeof trends.seasonalPatterns>;
type Analysis = ReplyOf<typeof trends.trendAnalysis>;

const shrunk = fc.record({
  ageHours: fc.integer({ min: 1, max: 30 * 24 }),
  severities: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 4 }),
  hours: fc.integer({ min: 1, max: 48 }),
});

describe('severity trends', () => {
  it('API-29: every event of the window falls into exactly one class, and the classes are those of a plain recount', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(shrunk, { maxLength: 40 }), async (drawn) => {
        const facts = drawn.map(({ ageHours, severities, hours }) => fact({ begin: NOW - ageHours * HOUR, severities, hours }));
        const server = await serverOf(facts);
        const { body } = await server.get<Severity>('/intelligence/severity-trends?days_back=7');
        await server.close();
        const from = NOW - 7 * DAY_MS;
        const expected = { up: 0, flat: 0, down: 0 };
        for (const each of facts.filter((one) => one.begin < NOW && (one.overAt ?? 0) > from)) {
          const known = each.steps.filter((step) => step.at < NOW);
          const first = known.filter((step) => step.at <= from).at(-1) ?? known[0];
          const [a, b] = [first?.severity ?? 0, known.at(-1)?.severity ?? 0];
          const sign = a === 0 || b === 0 ? 0 : Math.sign(b - a);
          expected[sign > 0 ? 'up' : sign < 0 ? 'down' : 'flat'] += 1;
        }
        const t = body.trends;
        expect([t.escalating_events, t.stable_events, t.de_escalating_events]).toEqual([expected.up, expected.flat, expected.down]);
        expect(t.total_events).toBe(expected.up + expected.flat + expected.down);
      }),
      { numRuns: 12 },
    );
  });

  it('has the documented form, exactly days_back daily rows, and an ETag that answers 304', async () => {
    const server = await serverOf(
      Array.from({ length: 25 }, (_, i) => fact({ begin: NOW - (i + 1) * 5 * HOUR, severities: i % 2 ? [2, 3] : [3] })),
    );
    for (const days of [1, 7, 30, 365]) {
      const { body, headers, status } = await server.get<Severity>(`/intelligence/severity-trends?days=${days}`);
      expect(status).toBe(200);
      conforms(trends.severityTrends.reply, body);
      expect(body.series).toHaveLength(days);
      const again = await server.get(`/intelligence/severity-trends?days_back=${days}`, { 'if-none-match': String(headers['etag']) });
      expect(again.status).toBe(304);
    }
    const { body } = await server.get<Severity>('/intelligence/severity-trends?days_back=7');
    expect(body.trends.shares.escalating).not.toBeNull();
    expect(body.recommendations.length).toBe(body.recommendation_details.length);
    await server.close();
  });

  it('I8: daily rows are exactly days_back UTC days across clock changes, leap days and year ends', async () => {
    for (const at of ['2026-03-09T06:30:00Z', '2026-11-02T06:30:00Z', '2028-03-01T00:00:00Z', '2027-01-01T00:00:30Z']) {
      const server = await serverOf([], { at: Date.parse(at) });
      const { body } = await server.get<Severity>('/intelligence/severity-trends?days_back=7');
      const days = body.series.map((row) => Date.parse(row.at) / DAY_MS);
      expect(days).toHaveLength(7);
      expect(days.every((day, index) => Number.isInteger(day) && (index === 0 || day === (days[index - 1] ?? 0) + 1))).toBe(true);
      expect(days.at(-1)).toBe(Math.floor(Date.parse(at) / DAY_MS));
      await server.close();
    }
  });

  it('a time that our record does not cover gives null with a reason, never zero', async () => {
    const server = await serverOf([fact({ begin: NOW - HOUR })], { covered: () => [] });
    const { body } = await server.get<Severity>('/intelligence/severity-trends');
    expect(body.trends).toMatchObject({ escalating_events: null, total_events: null, shares: { escalating: null } });
    expect(body.series.every((row) => row.issued === null)).toBe(true);
    expect(body.insufficient.map((each) => each.reason)).toContain('no_coverage');
    expect(body.coverage).toMatchObject({ covered_days: 0, share: 0 });
    expect(body.recommendations).toEqual([]);
    const seasonal = (await server.get<Seasonal>('/playback/patterns/seasonal')).body;
    expect(seasonal.buckets.every((bucket) => bucket.events === null && bucket.by_severity === null)).toBe(true);
    const fatigue = (await server.get<Fatigue>('/intelligence/alert-fatigue-analysis')).body;
    conforms(trends.alertFatigueAnalysis.reply, fatigue);
    const unknown = ['areas_with_alerts', 'distinct_events', 'messages', 'messages_per_event', 'by_severity', 'by_hour', 'night_share'];
    for (const name of [...unknown, 'overall_density_score']) expect(fatigue.fatigue_analysis).toHaveProperty(name, null);
    expect(fatigue.insufficient.map(({ path }) => path)).toContain('fatigue_analysis.by_hour');
    expect((await server.get<Patterns>('/intelligence/historical-patterns')).body.events).toBeNull();
    await server.close();
  });
});

describe('patterns and fatigue', () => {
  /** Three years of one event a day from May to June, one a month else, at 16:00 local time. */
  const years = Array.from({ length: 3 * 365 }, (_, index) => NOW - (index + 1) * DAY_MS).flatMap((at) => {
    const date = new Date(at);
    const inSeason = date.getUTCMonth() === 4 || date.getUTCMonth() === 5;
    return inSeason || date.getUTCDate() === 15
      ? [fact({ begin: Math.floor(at / DAY_MS) * DAY_MS + 22 * HOUR, severities: [inSeason ? 4 : 2] })]
      : [];
  });

  it('API-30: finds the season, the peak months and how often the rule would have held, from three years', async () => {
    const server = await serverOf(years);
    const { body } = await server.get<Patterns>('/intelligence/historical-patterns?event=severe%20thunderstorm%20warning&days=365');
    conforms(trends.historicalPatterns.reply, body);
    expect(body.patterns.frequency_analysis.peak_months).toEqual(['May', 'June']);
    expect(body.predictions.next_period).toMatchObject({ kind: 'season', in_season: false });
    expect(body.predictions.next_likely_period).toMatch(/^(April|May) \d+ to (June|July) \d+$/);
    expect(body.predictions).toMatchObject({ years: 3, hits: 3, confidence: 0.8 });
    expect(body.patterns.frequency_analysis).toMatchObject({ trend_basis: 'same_dates_earlier_years', trend: 'stable' });
    expect(body.patterns.seasonal_trends.spring.avg_severity ?? 0).toBeGreaterThan(body.patterns.seasonal_trends.winter.avg_severity ?? 4);
    const [spot] = body.patterns.geographic_hotspots;
    const withEvent = new Set(
      years.filter((each) => each.begin > NOW - 366 * DAY_MS).map((each) => Math.floor((each.begin - 6 * HOUR) / DAY_MS)),
    );
    expect(spot).toMatchObject({ area: '019153', frequency: Math.round((withEvent.size / 366) * 100) / 100 });
    await server.close();
  });

  it('says what is missing instead of inventing a period', async () => {
    const server = await serverOf(years.slice(0, 10));
    const without = await server.get<Patterns>('/intelligence/historical-patterns');
    expect(without.body.predictions).toMatchObject({ next_likely_period: null, confidence: null });
    expect(without.body.insufficient).toContainEqual(
      expect.objectContaining({ path: 'predictions.next_likely_period', reason: 'parameter_required' }),
    );
    await server.close();
  });

  it('API-31: load counts an event once per area and day, so updates add nothing, and the score follows its formula', async () => {
    const begins = Array.from({ length: 7 }, (_, index) =>
      fact({ begin: NOW - index * DAY_MS - 2 * HOUR, severities: [3, 3, 3], hours: 1 }),
    );
    const server = await serverOf(begins);
    const { body } = await server.get<Fatigue>('/intelligence/alert-fatigue-analysis?days_back=7');
    conforms(trends.alertFatigueAnalysis.reply, body);
    const [area] = body.fatigue_analysis.high_density_areas;
    const load = 7 / body.coverage.covered_days;
    expect(area).toMatchObject({
      area: '019153',
      alert_count: 7,
      density_score: Math.round((1 - 2 ** (-load / 0.5)) * 100) / 100,
      fatigue_risk: 'high',
    });
    expect(body.fatigue_analysis).toMatchObject({ distinct_events: 7, messages: 21, messages_per_event: 3 });
    await server.close();
  });

  it('no event on covered days is a measured zero', async () => {
    const server = await serverOf([]);
    const { body } = await server.get<Fatigue>('/intelligence/alert-fatigue-analysis');
    expect(body.fatigue_analysis).toMatchObject({ overall_density_score: 0, fatigue_risk: 'low', high_density_areas: [] });
    expect(body.insufficient).toEqual([]);
    await server.close();
  });

  it('API-45: seasonal and trend answers recount the same events', async () => {
    const server = await serverOf(years);
    const seasonal = (await server.get<Seasonal>('/playback/patterns/seasonal?bucket=month&cross=severity')).body;
    conforms(trends.seasonalPatterns.reply, seasonal);
    const byMonth = Array.from(
      { length: 12 },
      (_, month) => years.filter((each) => new Date(each.begin - 6 * HOUR).getUTCMonth() === month).length,
    );
    expect(seasonal.buckets.map((bucket) => bucket.events)).toEqual(byMonth);
    expect(seasonal.cross?.reduce((total, cell) => total + cell.events, 0)).toBe(years.length);
    const severities = seasonal.buckets.flatMap((bucket) => Object.values(bucket.by_severity ?? {}));
    expect(severities.reduce((total, count) => total + count, 0)).toBe(years.length);
    const analysis = (await server.get<Analysis>('/playback/analysis/trends?days_back=365&group_by=severity')).body;
    conforms(trends.trendAnalysis.reply, analysis);
    const recent = years.filter((each) => each.begin >= NOW - 365 * DAY_MS);
    for (const series of analysis.series) {
      expect(series.total).toBe(recent.filter((each) => each.severity === SEVERITY_LEVELS[series.key as 'Severe']).length);
      expect(series.points.reduce((total, point) => total + (point.begun ?? 0), 0)).toBe(series.total);
    }
    expect(analysis.life).toMatchObject({ median_minutes: 120, p90_minutes: 120 });
    await server.close();
  });
});

describe('questions', () => {
  it('R-21: synonyms mean the same; two that contradict each other, and values out of bounds, are refused', async () => {
    const server = await serverOf([fact({ begin: NOW - HOUR })]);
    const of = async (query: string) => (await server.get<Severity>(`/intelligence/severity-trends?${query}`)).body;
    expect((await of('days=3&event=Severe Thunderstorm Warning')).trends).toEqual(
      (await of('days_back=3&event_type=severe thunderstorm warning')).trends,
    );
    expect((await of('days=3&days_back=4')).error).toBe('request.invalid');
    expect((await of('days=366')).error).toBe('request.invalid');
    expect((await of('area=%25')).error).toBe('request.invalid');
    expect((await of('event_type=Dragon Warning')).warnings[0]?.code).toBe('event_unknown');
    expect((await of('area=19153')).trends.total_events).toBe(1);
    expect((await of('area=NE')).trends.total_events).toBe(0);
    expect((await server.get('/playback/analysis/trends?from=2020-01-01&to=2026-01-01')).body.error).toBe('query.window_too_large');
    expect((await server.get('/playback/analysis/trends?days_back=30&bucket=hour')).body.error).toBe('query.window_too_large');
    await server.close();
  });

  it('never mixes simulated weather with real: the answer counts and names one record', async () => {
    const both = [
      fact({ begin: NOW - HOUR }),
      fact({ begin: NOW - HOUR, source: 'simulator' }),
      fact({ begin: NOW - HOUR, source: 'import' }),
    ];
    for (const [feed, source, total] of [
      ['nws', 'live', 2],
      ['simulator', 'simulator', 1],
    ] as const) {
      const server = await serverOf(both, { feed });
      const { body } = await server.get<Severity>('/intelligence/severity-trends');
      expect([body.source, body.trends.total_events]).toEqual([source, total]);
      await server.close();
    }
  });

  it('INTL-04: recommendations carry their evidence, name the silent rules, and keep administrators’ for administrators', async () => {
    const server = await serverOf([]);
    const { body } = await server.get<ReplyOf<typeof trends.systemRecommendations>>('/intelligence/recommendations');
    conforms(trends.systemRecommendations.reply, body);
    expect(body.recommendations.map((each) => each.id)).toEqual(['feed_delay', 'shapes_missing']);
    expect(body.silent.map((each) => each.id)).toContain('webhook_failing');
    expect((await server.get('/intelligence/recommendations?audience=admin')).body.error).toBe('access.admin_required');
    await server.close();
  });
});
