import { useQuery } from '@tanstack/react-query';
import { useServices } from '../../api/services.ts';
import type { IntelligenceSearch } from './intelligence-search.ts';
import { adviceOf, fatigueOf, patternsOf, seasonsOf, severityTrendsOf, yearOf } from './queries.ts';

/** Everything the page asks. */
export function useIntelligence({ event, days = 7 }: IntelligenceSearch) {
  const services = useServices();
  return {
    trends: useQuery(severityTrendsOf(services, event, days)),
    fatigue: useQuery(fatigueOf(services, event, days)),
    patterns: useQuery(patternsOf(services, event)),
    advice: useQuery(adviceOf(services)),
    week: useQuery(seasonsOf(services, event, 'weekday', 'hour')),
    seasons: useQuery(seasonsOf(services, event, 'season', 'event')),
    year: useQuery(yearOf(services, event)),
  };
}
export type Intelligence = ReturnType<typeof useIntelligence>;
/** What is counted: weather of this record. Null for what the weather service issued. */
export const markOf = (source: 'live' | 'simulator' | 'replay' | undefined): string | null =>
  source === 'simulator' ? 'Simulated weather: exercise data' : source === 'replay' ? 'Replay of recorded weather' : null;
