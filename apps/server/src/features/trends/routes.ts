import { type QueryOf, trends } from '@nwms/contract';
import { DAY_MS } from '@nwms/domain';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import { fieldFault } from '../../platform/http/field-fault.ts';
import { parseInstant } from '../../platform/http/instant.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { trendAnalysis } from './analysis.ts';
import { finestBucket } from './buckets.ts';
import type { TrendsDeps } from './deps.ts';
import { createDerivedCache } from './derived-cache.ts';
import { alertFatigue } from './fatigue.ts';
import { historicalPatterns } from './historical-patterns.ts';
import { questionOf, synonyms } from './question.ts';
import { systemRecommendations } from './recommendations.ts';
import { seasonalPatterns } from './seasonal.ts';
import { severityTrends } from './severity-trends.ts';

/** One question waits this long for the roll-up to follow the log. */
const CATCH_UP_MS = 6_000;
const MAX_DAYS = 365;
const MAX_HOURLY_DAYS = 14;
const PRIVATE = 'private, no-cache';

type Trend = QueryOf<typeof trends.trendAnalysis>;

export function registerTrendRoutes(serve: Serve, deps: TrendsDeps): void {
  const { clock, freshness } = deps;
  const cache = createDerivedCache({ clock, freshness });
  const asked = (query: Parameters<typeof questionOf>[0]) => questionOf(query, clock.now(), freshness().feed);
  /** Numbers of a record that is still being counted would be too low: the answer waits or is refused, never guessed. */
  const counted =
    <T>(build: () => Promise<T>) =>
    async (): Promise<T> => {
      if (!(await deps.record.facts.catchUp(CATCH_UP_MS))) {
        throw new AppError('trends.preparing', {
          public: 'The record is still being counted; ask again in half a minute.',
          retryAfterSeconds: 30,
        });
      }
      if (freshness().data_as_of === null && (await deps.record.facts.since()) === null) {
        throw new AppError('data.unavailable', {
          public: 'No alert data was loaded yet: nothing can be concluded. This is not "no alerts".',
        });
      }
      return build();
    };
  const keyOf = (name: string, question: object) => `${name} ${JSON.stringify({ ...question, now: 0 })}`;

  serve(trends.severityTrends, ({ query, request }) => {
    const daysBack = synonyms('days_back', query.days_back, 'days', query.days) ?? 7;
    const question = { ...asked(query), daysBack, bucket: query.bucket ?? 'day' } as const;
    const build = counted(() => severityTrends(deps, question));
    return cache.answer({ key: keyOf('severity', question), request, cacheControl: PRIVATE, build });
  });
  serve(trends.historicalPatterns, ({ query, request }) => {
    const days = synonyms('days', query.days, 'days_back', query.days_back) ?? MAX_DAYS;
    const question = { ...asked(query), days, areaLevel: query.area_level ?? 'county', limit: query.limit ?? 10 } as const;
    const build = counted(() => historicalPatterns(deps, question));
    return cache.answer({ key: keyOf('patterns', question), request, cacheControl: PRIVATE, build });
  });
  serve(trends.alertFatigueAnalysis, ({ query, request }) => {
    const daysBack = synonyms('days_back', query.days_back, 'days', query.days) ?? 7;
    const question = { ...asked(query), daysBack, areaLevel: query.area_level ?? 'county', limit: query.limit ?? 10 } as const;
    const build = counted(() => alertFatigue(deps, question));
    return cache.answer({ key: keyOf('fatigue', question), request, cacheControl: PRIVATE, build });
  });
  serve(trends.systemRecommendations, ({ query, request }) => {
    const audience = query.audience ?? 'member';
    if (audience === 'admin' && !isAdmin(request)) {
      throw new AppError('access.admin_required', {
        public: 'The recommendations for administrators need an administrator who is signed in.',
      });
    }
    return cache.answer({
      key: `advice ${audience}`,
      request,
      cacheControl: PRIVATE,
      build: counted(() => systemRecommendations(deps, audience)),
    });
  });
  serve(trends.seasonalPatterns, ({ query, request }) => {
    const question = { ...asked(query), years: query.years ?? 10, bucket: query.bucket ?? 'month', cross: query.cross ?? 'none' } as const;
    const build = counted(() => seasonalPatterns(deps, question));
    return cache.answer({ key: keyOf('seasonal', question), request, cacheControl: 'no-cache', build });
  });
  serve(trends.trendAnalysis, ({ query, request }) => {
    const base = asked(query);
    const range = rangeOf(query, base.now);
    const bucket = query.bucket ?? finestBucket(range.from, range.to);
    if (bucket === 'hour' && range.to - range.from > MAX_HOURLY_DAYS * DAY_MS) {
      throw fieldFault('bucket', 'range', `Hours are given for at most ${MAX_HOURLY_DAYS} days.`, 'query.window_too_large');
    }
    const question = { ...base, ...range, bucket, groupBy: query.group_by ?? 'none' } as const;
    const closed = range.to < clock.now() - DAY_MS;
    const build = counted(() => trendAnalysis(deps, question));
    const key = keyOf(
      'analysis',
      query.from === undefined ? { ...question, from: 0, to: 0, daysBack: query.days_back ?? query.days } : question,
    );
    return cache.answer({ key, request, cacheControl: closed ? 'max-age=3600' : 'no-cache', build });
  });
}

function rangeOf(query: Trend, now: number): { from: number; to: number } {
  const daysBack = synonyms('days_back', query.days_back, 'days', query.days) ?? 30;
  if (query.from === undefined && query.to === undefined) return { from: now - daysBack * DAY_MS, to: now };
  if (query.from === undefined) throw fieldFault('from', 'required', 'to needs from.');
  const from = parseInstant('from', query.from);
  const to = query.to === undefined ? now : Math.min(parseInstant('to', query.to), now);
  if (from >= to) throw fieldFault('to', 'range', 'to must be later than from, and from must be past.');
  if (to - from > MAX_DAYS * DAY_MS)
    throw fieldFault('to', 'range', `from and to are more than ${MAX_DAYS} days apart.`, 'query.window_too_large');
  return { from, to };
}

const isAdmin = ({ principal }: FastifyRequest): boolean => principal?.type === 'session' && principal.account.role === 'admin';
