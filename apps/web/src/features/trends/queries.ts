import type { trends } from '@nwms/contract';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { line } from '../../api/line.ts';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';
import { PATTERN_DAYS } from './intelligence-search.ts';

const LINES = {
  trends: line<typeof trends.severityTrends>('GET', '/intelligence/severity-trends'),
  fatigue: line<typeof trends.alertFatigueAnalysis>('GET', '/intelligence/alert-fatigue-analysis'),
  patterns: line<typeof trends.historicalPatterns>('GET', '/intelligence/historical-patterns'),
  advice: line<typeof trends.systemRecommendations>('GET', '/intelligence/recommendations'),
  seasons: line<typeof trends.seasonalPatterns>('GET', '/playback/patterns/seasonal'),
  analysis: line<typeof trends.trendAnalysis>('GET', '/playback/analysis/trends'),
} as const;

/** Days of the calendar. */
export const CALENDAR_DAYS = 365;

const typesOf = (event: string | undefined) => (event === undefined ? {} : { event_type: [event] });

/** screens of members wait 30 s. Another event or period keeps what is shown until its own answer is there. */
const shared = { placeholderData: keepPreviousData } as const;

export const severityTrendsOf = (services: Services, event: string | undefined, days: number) =>
  queryOptions({
    queryKey: ['trends', 'severity', event ?? null, days],
    queryFn: ({ signal }) => services.api.call(LINES.trends, { query: { ...typesOf(event), days_back: days }, signal, client: 'feature' }),
    ...byPolicy('severityTrends', services),
    ...shared,
  });

export const fatigueOf = (services: Services, event: string | undefined, days: number) =>
  queryOptions({
    queryKey: ['trends', 'fatigue', event ?? null, days],
    queryFn: ({ signal }) => services.api.call(LINES.fatigue, { query: { ...typesOf(event), days_back: days }, signal, client: 'feature' }),
    ...byPolicy('alertFatigue', services),
    ...shared,
  });

export const patternsOf = (services: Services, event: string | undefined) =>
  queryOptions({
    queryKey: ['trends', 'patterns', event ?? null],
    queryFn: ({ signal }) =>
      services.api.call(LINES.patterns, { query: { ...typesOf(event), days: PATTERN_DAYS }, signal, client: 'feature' }),
    ...byPolicy('historicalPatterns', services),
    ...shared,
  });

export const adviceOf = (services: Services) =>
  queryOptions({
    queryKey: ['trends', 'advice'],
    queryFn: ({ signal }) => services.api.call(LINES.advice, { signal, client: 'feature' }),
    ...byPolicy('historicalPatterns', services),
  });

/** Weekday by hour, or season by event. */
export const seasonsOf = (services: Services, event: string | undefined, bucket: 'weekday' | 'season', cross: 'hour' | 'event') =>
  queryOptions({
    queryKey: ['trends', 'seasons', event ?? null, bucket, cross],
    queryFn: ({ signal }) => services.api.call(LINES.seasons, { query: { ...typesOf(event), bucket, cross }, signal, client: 'feature' }),
    ...byPolicy('historicalPatterns', services),
    ...shared,
  });

/** Events of each day of the last year. */
export const yearOf = (services: Services, event: string | undefined) =>
  queryOptions({
    queryKey: ['trends', 'year', event ?? null],
    queryFn: ({ signal }) =>
      services.api.call(LINES.analysis, {
        query: { ...typesOf(event), days_back: CALENDAR_DAYS, bucket: 'day' },
        signal,
        client: 'feature',
      }),
    ...byPolicy('historicalPatterns', services),
    ...shared,
  });
