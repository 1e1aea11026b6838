import { DAY_MS, type EventFact, type Instant, stepSigns } from '@nwms/domain';
import { type AreaLevel, areasAt } from './hotspots.ts';

/** One new event every second day scores 0.50. Ours, published with every answer. */
export const REFERENCE_LOAD = 0.5;

export const densityScore = (load: number): number => 1 - 2 ** (-load / REFERENCE_LOAD);

/** high from 0.70, medium from 0.40 (closed below). */
export const riskOf = (score: number): 'high' | 'medium' | 'low' => (score >= 0.7 ? 'high' : score >= 0.4 ? 'medium' : 'low');

export interface AreaBegin {
  fact: EventFact;
  from: Instant;
  until: Instant;
}

export interface AreaLoad {
  code: string;
  /** Events that began here within the window. */
  begins: AreaBegin[];
  /** Events that began or escalated here. */
  events: Set<string>;
  /** Interruptions per covered local day: an event counts once per day. */
  perDay: Map<number, number>;
}

/** Adds up, per area, what interrupts people there: distinct events that begin or escalate, once per event and local day. */
export function createAreaLoads(window: { from: Instant; to: Instant }, covered: ReadonlySet<number>, level: AreaLevel) {
  const areas = new Map<string, AreaLoad>();
  const inWindow = (at: Instant) => at >= window.from && at < window.to;
  return {
    areas,
    /** True when the event began or escalated anywhere within the window. */
    add(fact: EventFact): boolean {
      const rises = stepSigns(fact).flatMap(({ at, sign }) => (sign > 0 && inWindow(at) ? [at] : []));
      let counted = false;
      for (const [code, from] of areasAt(fact, level)) {
        const begins = inWindow(from);
        const instants = [...(begins ? [from] : []), ...rises.filter((at) => at >= from)];
        if (instants.length === 0) continue;
        counted = true;
        const area = areas.get(code) ?? { code, begins: [], events: new Set<string>(), perDay: new Map<number, number>() };
        areas.set(code, area);
        area.events.add(fact.eventId);
        if (begins) area.begins.push({ fact, from, until: fact.overAt ?? window.to });
        const days = new Set(instants.map((at) => Math.floor((at + fact.offsetMinutes * 60_000) / DAY_MS)));
        for (const day of days) if (covered.has(day)) area.perDay.set(day, (area.perDay.get(day) ?? 0) + 1);
      }
      return counted;
    },
  };
}

/** Interruptions per covered day. */
export function loadOf(area: AreaLoad, coveredDays: number): number {
  let total = 0;
  for (const count of area.perDay.values()) total += count;
  return total / coveredDays;
}

/** The fullest seven days in a row; null when the window has no seven covered days. */
export function peakLoad(area: AreaLoad, covered: ReadonlySet<number>): number | null {
  let peak: number | null = null;
  for (const day of covered) {
    const days = Array.from({ length: 7 }, (_, index) => day + index);
    if (!days.every((each) => covered.has(each))) continue;
    const load = days.reduce((total, each) => total + (area.perDay.get(each) ?? 0), 0) / 7;
    peak = Math.max(peak ?? 0, load);
  }
  return peak;
}

/** Local hour of an instant of an event. */
export const localHour = (fact: EventFact, at: Instant): number => {
  const local = at + fact.offsetMinutes * 60_000;
  return Math.floor((local - Math.floor(local / DAY_MS) * DAY_MS) / 3_600_000);
};

export const isNight = (hour: number): boolean => hour >= 22 || hour < 7;
