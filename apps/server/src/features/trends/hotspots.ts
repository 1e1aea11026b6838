import type { ReplyOf, trends } from '@nwms/contract';
import { DAY_MS, effectiveSize, type EventFact, type Instant, wilson } from '@nwms/domain';
import type { AreaInfo } from '../alerts/index.ts';
import { bounds, type Lacking, round2, roundOrNull } from './covered.ts';

type Hotspot = ReplyOf<typeof trends.historicalPatterns>['patterns']['geographic_hotspots'][number];
export type AreaLevel = 'county' | 'state' | 'office';
const LEAST_DAYS = 14;

/** Area codes of an event at a level, each with the instant it was first affected. */
export function areasAt(fact: EventFact, level: AreaLevel): readonly (readonly [string, Instant])[] {
  if (level === 'county') return fact.areas;
  if (level === 'office') return fact.office === null ? [] : [[fact.office, fact.begin]];
  return fact.states.map((state) => [state, fact.begin] as const);
}

export const presentArea = (code: string, { label, kind, state, point }: AreaInfo) => ({
  area: code,
  label,
  code,
  kind,
  state,
  lat: point?.[1] ?? null,
  lon: point?.[0] ?? null,
});

/** Counts, per area, the covered local days on which anything was in force there. */
export function createHotspots(covered: ReadonlySet<number>, level: AreaLevel, now: Instant) {
  const areas = new Map<string, { days: Set<number>; events: number; severity: number; known: number }>();
  const [firstDay, lastDay] = [Math.min(...covered), Math.max(...covered)];
  return {
    add(fact: EventFact): void {
      for (const [code, from] of areasAt(fact, level)) {
        const until = Math.min(fact.overAt ?? now, now);
        if (until <= from) continue;
        const area = areas.get(code) ?? { days: new Set<number>(), events: 0, severity: 0, known: 0 };
        areas.set(code, area);
        area.events += 1;
        area.severity += fact.severity;
        area.known += fact.severity > 0 ? 1 : 0;
        const local = (at: Instant) => Math.floor((at + fact.offsetMinutes * 60_000) / DAY_MS);
        const last = Math.min(local(until - 1), lastDay);
        for (let day = Math.max(local(from), firstDay); day <= last; day += 1) if (covered.has(day)) area.days.add(day);
      }
    },
    rows(limit: number, info: (code: string) => AreaInfo, lacking: Lacking): Hotspot[] {
      if (covered.size < LEAST_DAYS) {
        lacking.add('patterns.geographic_hotspots', 'no_coverage', `${LEAST_DAYS} covered days`, `${covered.size} covered days`);
        return [];
      }
      const sorted = [...areas]
        .filter(([, area]) => area.events >= 2)
        .toSorted(([a, one], [b, two]) => two.days.size - one.days.size || two.events - one.events || (a < b ? -1 : 1));
      const order = [...covered].toSorted((a, b) => a - b);
      return sorted.slice(0, limit).map(([code, area]) => {
        const frequency = area.days.size / covered.size;
        const size = effectiveSize(order.map((day) => Number(area.days.has(day))));
        return {
          ...presentArea(code, info(code)),
          frequency: round2(frequency),
          interval: bounds(wilson(frequency * size, size), 'wilson_effective'),
          days_with: area.days.size,
          covered_days: covered.size,
          events: area.events,
          avg_severity: roundOrNull(area.known === 0 ? null : area.severity / area.known),
        };
      });
    },
  };
}
