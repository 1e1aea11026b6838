import { DAY_MS, type EventFact } from '@nwms/domain';
import type { EventFacts, FactFilter } from '../alerts/index.ts';

/** Facts as plain arrays: every question answered by looking at all of them. */
export function createFactsInMemory(facts: readonly EventFact[]): EventFacts {
  const fits = (fact: EventFact, { sources, events, codes }: FactFilter) => {
    const own = [...fact.areas.map(([code]) => code), ...fact.zones, ...fact.states, fact.office];
    return (
      sources.includes(fact.source) &&
      (!events || events.some((name) => name.toLowerCase() === fact.event.toLowerCase())) &&
      (!codes || codes.some((code) => own.includes(code)))
    );
  };
  const start = (fact: EventFact) => Math.min(fact.firstSeen, fact.begin);
  return {
    catchUp: async () => true,
    async *meeting(from, to, filter) {
      yield facts.filter((fact) => start(fact) < to && (fact.overAt ?? Infinity) > from && fits(fact, filter));
    },
    counts: async (fromDay, toDay, filter, by) =>
      facts
        .filter((fact) => fits(fact, filter))
        .map((fact) => {
          const local = fact.begin + fact.offsetMinutes * 60_000;
          const day = Math.floor(local / DAY_MS);
          return {
            day,
            severity: fact.severity,
            hour: by.hour ? Math.floor((local - day * DAY_MS) / 3_600_000) : null,
            event: by.event ? fact.event : null,
            states: by.states ? fact.states.join(' ') : null,
            count: 1,
          };
        })
        .filter(({ day }) => day >= fromDay && day <= toDay),
    since: async () => (facts.length === 0 ? null : Math.min(...facts.map(start))),
  };
}
