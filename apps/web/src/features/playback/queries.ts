import { keepPreviousData, queryOptions, skipToken } from '@tanstack/react-query';
import type { alerts, playback, ReplyOf } from '@nwms/contract';
import type { Severity } from '@nwms/domain/alert/vocabulary';
import type { Api } from '../../api/call.ts';
import { line } from '../../api/line.ts';
import { STEPS, type Span } from './timeline-rules.ts';
import { type Range, writeInstant } from './timeline-search.ts';

/** TIME-03 */
export const PAGE = 1000;

const TIMELINE = line<typeof playback.playbackTimelineByLink>('GET', '/playback/timeline');
const LIST = line<typeof alerts.listAlerts>('GET', '/alerts');

export type AsOf = ReplyOf<typeof alerts.listAlerts>;

/** The range with its counts at every step, and its oldest messages. Severities: undefined = all. */
export const timelineQuery = (api: Api, range: Range, severity: Severity[] | undefined, wanted: boolean) =>
  queryOptions({
    queryKey: ['playback', 'timeline', range, severity ?? 'all'],
    queryFn: wanted
      ? ({ signal }: { signal: AbortSignal }): Promise<playback.Timeline> =>
          api.call(TIMELINE, {
            query: { range, view: 'frames', frames: STEPS, limit: PAGE, geometry: 'label', ...(severity ? { severity } : {}) },
            signal,
            client: 'feature',
          })
      : skipToken,
    staleTime: 60_000,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });

/** The messages of a part of the range, for where one page does not hold all of them. Null: not asked. */
export const windowQuery = (api: Api, part: Span | null, severity: Severity[] | undefined) =>
  queryOptions({
    queryKey: ['playback', 'window', part && writeInstant(part.fromMs), part && writeInstant(part.toMs), severity ?? 'all'],
    queryFn: part
      ? ({ signal }: { signal: AbortSignal }): Promise<playback.Timeline> =>
          api.call(TIMELINE, {
            query: {
              from: writeInstant(part.fromMs),
              to: writeInstant(part.toMs),
              limit: PAGE,
              geometry: 'label',
              ...(severity ? { severity } : {}),
            },
            signal,
            client: 'feature',
          })
      : skipToken,
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });

/** What was in force at the instant, as known then, with its shapes. */
export const asOfQuery = (api: Api, atMs: number | null, severity: Severity[] | undefined) =>
  queryOptions({
    queryKey: ['playback', 'as-of', atMs === null ? null : writeInstant(atMs), severity ?? 'all'],
    queryFn:
      atMs === null
        ? skipToken
        : ({ signal }: { signal: AbortSignal }): Promise<AsOf> =>
            api.call(LIST, {
              query: {
                at: writeInstant(atMs),
                lifecycle: ['in_force', 'expiring', 'unconfirmed'],
                detail: 'full',
                ...(severity ? { severity } : {}),
              },
              signal,
              client: 'feature',
            }),
    staleTime: 300_000,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
