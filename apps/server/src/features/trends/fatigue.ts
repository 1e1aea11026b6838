import type { ReplyOf, trends } from '@nwms/contract';
import { DAY_MS, dayBootstrap, type EventFact, seedOf } from '@nwms/domain';
import { adviceOf, percent, recommend } from './advice.ts';
import { areaAdvice, topEvents } from './area-advice.ts';
import { type AreaLoad, createAreaLoads, densityScore, isNight, loadOf, localHour, peakLoad, REFERENCE_LOAD, riskOf } from './area-load.ts';
import { bounds, coverageOf, createLacking, round2, roundOrNull, spansFor } from './covered.ts';
import type { TrendsDeps } from './deps.ts';
import { type AreaLevel, presentArea } from './hotspots.ts';
import type { DerivedQuestion } from './question.ts';

type Reply = Omit<ReplyOf<typeof trends.alertFatigueAnalysis>, 'freshness'>;
type Analysis = Reply['fatigue_analysis'];

const LEAST_DAYS = 3;
const LEAST_EVENTS = 20;
const LEAST_BEGINS = 3;
const SEVERITY_NAMES = ['Unknown', 'Minor', 'Moderate', 'Severe', 'Extreme'] as const;

export interface FatigueQuestion extends DerivedQuestion {
  daysBack: number;
  areaLevel: AreaLevel;
  limit: number;
}

/** How many different events people in one place are told about. */
export async function alertFatigue(deps: TrendsDeps, question: FatigueQuestion): Promise<Reply> {
  const { now, filter, daysBack, areaLevel, limit } = question;
  const window = { from: now - daysBack * DAY_MS, to: now };
  const covered = await coverageOf(spansFor(deps, filter, areaLevel), window.from, window.to, await deps.record.facts.since());
  const lacking = createLacking();
  const loads = createAreaLoads(window, covered.days, areaLevel);
  const events: EventFact[] = [];
  for await (const page of deps.record.facts.meeting(window.from, window.to, filter)) {
    for (const fact of page) if (loads.add(fact)) events.push(fact);
  }
  // An area that was asked for is shown alone; an event reaches into others too.
  const asked = areaLevel === 'county' ? filter.codes?.filter((code) => /^\d{6}$/.test(code)) : undefined;
  const areas = [...loads.areas.values()].filter((area) => !asked || asked.length === 0 || asked.includes(area.code));
  const days = covered.days.size;
  const hours = Array.from({ length: 24 }, () => 0);
  const bySeverity: NonNullable<Analysis['by_severity']> = { Extreme: 0, Severe: 0, Moderate: 0, Minor: 0, Unknown: 0 };
  for (const fact of events) {
    const hour = localHour(fact, fact.begin);
    hours[hour] = (hours[hour] ?? 0) + 1;
    bySeverity[SEVERITY_NAMES[fact.severity] ?? 'Unknown'] += 1;
  }
  const messages = events.reduce((total, fact) => total + fact.versions, 0);
  const night = hours.reduce((total, count, hour) => total + (isNight(hour) ? count : 0), 0);
  const overall = overallOf(areas, covered.days, events.length);
  if (days < LEAST_DAYS)
    lacking.add('fatigue_analysis.overall_density_score', 'no_coverage', `${LEAST_DAYS} covered days`, `${days} covered days`);
  if (days === 0)
    for (const name of ['areas_with_alerts', 'distinct_events', 'messages', 'by_severity', 'by_hour'])
      lacking.add(`fatigue_analysis.${name}`, 'no_coverage', '1 covered day', '0 covered days');
  // What meets a time nobody watched was learnt of in another: it says nothing of how much there was.
  const counted = <T>(value: T): T | null => (days === 0 ? null : value);
  const score = overall.overall_density_score;
  return {
    period: { from: new Date(window.from).toISOString(), to: new Date(now).toISOString(), days_back: daysBack },
    source: question.source,
    reference: {
      events_per_area_day: REFERENCE_LOAD,
      formula: '1 - 2^(-load/reference)',
      note: 'Our convention: one new event every second day in one place scores 0.50.',
    },
    fatigue_analysis: {
      ...overall,
      areas_with_alerts: counted(areas.length),
      distinct_events: counted(events.length),
      messages: counted(messages),
      messages_per_event: events.length === 0 ? null : counted(round2(messages / events.length)),
      by_severity: counted(bySeverity),
      by_hour: counted(hours),
      night_share: days === 0 || events.length < LEAST_EVENTS ? null : round2(night / events.length),
      high_density_areas: days < LEAST_DAYS ? [] : highest(areas, covered.days, { deps, limit, daysBack }),
    },
    ...adviceOf([
      score !== null && score >= 0.7
        ? recommend({
            id: 'high_density',
            priority: 'high',
            category: 'fatigue',
            title: 'People in the busiest places are told very often',
            description: `Where the average alert arrives there are ${overall.load_experienced ?? 0} new events a day: let only escalations and Severe interrupt.`,
            impact: 'Alerts that come too often are read less.',
            evidence: { metric: 'overall_density_score', value: score, threshold: 0.7, n: events.length, window_days: daysBack },
          })
        : null,
      events.length >= LEAST_EVENTS && messages / events.length >= 3
        ? recommend({
            id: 'merge_messages',
            priority: 'medium',
            category: 'fatigue',
            title: 'Many messages tell of one event',
            description: `${messages} messages belong to ${events.length} events: notify per event_id, not per message (${percent(1 - events.length / messages)} fewer).`,
            impact: 'Fewer interruptions, nothing withheld.',
            evidence: {
              metric: 'messages_per_event',
              value: round2(messages / events.length),
              threshold: 3,
              n: events.length,
              window_days: daysBack,
            },
          })
        : null,
    ]),
    coverage: covered.wire,
    insufficient: lacking.list,
    warnings: question.warnings,
  };
}

type Overall = Pick<Analysis, 'overall_density_score' | 'fatigue_risk' | 'interval' | 'load_experienced' | 'load_all_areas'>;

/** The load at the place where the average alert arrives: an average over all counties would hide every hot spot. */
function overallOf(areas: readonly AreaLoad[], covered: ReadonlySet<number>, events: number): Overall {
  const days = covered.size;
  if (days < LEAST_DAYS)
    return { overall_density_score: null, fatigue_risk: null, interval: null, load_experienced: null, load_all_areas: null };
  const weights = areas.reduce((total, area) => total + area.events.size, 0);
  const experienced = weights === 0 ? 0 : areas.reduce((total, area) => total + loadOf(area, days) * area.events.size, 0) / weights;
  const all = areas.length === 0 ? 0 : areas.reduce((total, area) => total + loadOf(area, days), 0) / areas.length;
  const score = densityScore(experienced);
  return {
    overall_density_score: round2(score),
    fatigue_risk: riskOf(round2(score)),
    interval: events < LEAST_EVENTS ? null : scoreInterval(areas, covered, weights),
    load_experienced: round2(experienced),
    load_all_areas: round2(all),
  };
}

/** Days are resampled whole: one outbreak is one day, however many events it brings. */
function scoreInterval(areas: readonly AreaLoad[], covered: ReadonlySet<number>, weights: number): Overall['interval'] {
  const perDay = new Map([...covered].toSorted((a, b) => a - b).map((day) => [day, 0]));
  for (const area of areas) {
    for (const [day, count] of area.perDay) perDay.set(day, (perDay.get(day) ?? 0) + (count * area.events.size) / weights);
  }
  const values = [...perDay.values()].map((value) => ({ sum: value, weight: 1 }));
  const found = dayBootstrap(values, seedOf(`density ${weights} ${values.length}`));
  return found && bounds({ low: densityScore(found.low), high: densityScore(found.high) }, 'day_bootstrap');
}

interface Shown {
  deps: TrendsDeps;
  limit: number;
  daysBack: number;
}

function highest(
  areas: readonly AreaLoad[],
  covered: ReadonlySet<number>,
  { deps, limit, daysBack }: Shown,
): Analysis['high_density_areas'] {
  const scored = areas
    .filter((area) => area.begins.length >= LEAST_BEGINS)
    .map((area) => ({ area, load: loadOf(area, covered.size) }))
    .toSorted((a, b) => b.load - a.load || b.area.begins.length - a.area.begins.length || (a.area.code < b.area.code ? -1 : 1));
  return scored.slice(0, limit).map(({ area, load }) => {
    const n = area.begins.length;
    const peak = peakLoad(area, covered);
    const nights = area.begins.filter(({ fact, from }) => isNight(localHour(fact, from))).length;
    const score = round2(densityScore(load));
    return {
      ...presentArea(area.code, deps.record.area(area.code)),
      alert_count: n,
      load: round2(load),
      density_score: score,
      peak_7_day_score: roundOrNull(peak === null ? null : densityScore(peak)),
      fatigue_risk: riskOf(score),
      top_events: topEvents(area),
      night_share: round2(nights / n),
      polygon_share: round2(area.begins.filter(({ fact }) => fact.polygon).length / n),
      ...areaAdvice(area, daysBack),
    };
  });
}
