import type { Recommendation, ReplyOf, trends } from '@nwms/contract';
import { coveredDays } from '@nwms/domain';
import { recommend } from './advice.ts';
import type { TrendsDeps } from './deps.ts';

type Reply = Omit<ReplyOf<typeof trends.systemRecommendations>, 'freshness'>;
type Silent = Reply['silent'][number];
type Said = Recommendation | Silent['reason'] | null;

/** Rules of areas that keep their own measurements; they speak once those are wired to this panel. */
const ELSEWHERE = ['use_changes', 'use_etag', 'webhook_failing', 'no_location', 'noise', 'model_stood_down'];
const DELAY_SECONDS = 180;
const LEAST_DELAYS = 50;
const SHAPE_SHARE = 0.01;
const LEAST_WITHOUT_SHAPE = 3;
const FULL_ARCHIVE_DAYS = 365;
const ORDER = { high: 0, medium: 1, low: 2 };

/** The page's recommendation panel: fixed rules, measured evidence, and which rules stay silent for want of data. */
export async function systemRecommendations(deps: TrendsDeps, audience: 'member' | 'admin'): Promise<Reply> {
  const now = deps.clock.now();
  const rules: [string, Said][] = [
    ['feed_stale', feedStale(deps)],
    ['feed_delay', feedDelay(deps)],
    ['shapes_missing', shapesMissing(deps)],
    ...(audience === 'admin' ? [['archive_short', await archiveShort(deps)] as [string, Said]] : []),
    ...ELSEWHERE.map((id): [string, Said] => [id, 'not_measured']),
  ];
  const said = rules.flatMap(([, rule]) => (rule !== null && typeof rule === 'object' ? [rule] : []));
  return {
    generated_at: new Date(now).toISOString(),
    recommendations: said.toSorted((a, b) => ORDER[a.priority] - ORDER[b.priority] || (a.id < b.id ? -1 : 1)),
    silent: rules.flatMap(([id, rule]) => (typeof rule === 'string' ? [{ id, reason: rule }] : [])),
  };
}

function feedStale({ freshness }: TrendsDeps): Said {
  const { status, upstream_age_seconds: age } = freshness();
  if (status !== 'stale' && status !== 'unknown') return null;
  return recommend({
    id: 'feed_stale',
    priority: 'high',
    category: 'feed',
    title: 'The alert data is not current',
    description: 'An empty list does not mean "no alerts" now: read weather.gov or NOAA Weather Radio until the feed is back.',
    impact: 'New warnings may be missing.',
    evidence: { metric: 'upstream_age_seconds', value: age ?? 0, unit: 'seconds', threshold: 0, n: 1, window_days: 0 },
    action: { label: 'Feed status', path: '/live-data' },
  });
}

function feedDelay({ measured }: TrendsDeps): Said {
  const facts = measured();
  if (!facts || facts.delayP90Seconds === null) return 'not_measured';
  if (facts.delayCount < LEAST_DELAYS) return 'sample_too_small';
  if (facts.delayP90Seconds <= DELAY_SECONDS) return null;
  return recommend({
    id: 'feed_delay',
    priority: 'medium',
    category: 'feed',
    title: 'Alerts reach us late',
    description: `One alert in ten was seen more than ${Math.round(facts.delayP90Seconds)} s after it was sent.`,
    impact: 'Warnings of minutes lose a part of their lead time.',
    evidence: {
      metric: 'seen_delay_p90',
      value: facts.delayP90Seconds,
      unit: 'seconds',
      threshold: DELAY_SECONDS,
      n: facts.delayCount,
      window_days: 1,
    },
  });
}

function shapesMissing({ measured }: TrendsDeps): Said {
  const facts = measured();
  if (!facts) return 'not_measured';
  const share = facts.active === 0 ? 0 : facts.withoutShape / facts.active;
  if (share <= SHAPE_SHARE || facts.withoutShape < LEAST_WITHOUT_SHAPE) return null;
  return recommend({
    id: 'shapes_missing',
    priority: 'medium',
    category: 'map',
    title: 'Some alerts have no shape yet',
    description: `${facts.withoutShape} of ${facts.active} active alerts are not on the map: use the list beside it.`,
    impact: 'The map alone does not show every alert.',
    evidence: {
      metric: 'without_shape_share',
      value: Math.round(share * 100) / 100,
      threshold: SHAPE_SHARE,
      n: facts.active,
      window_days: 0,
    },
    action: { label: 'List', path: '/weather-alerts' },
  });
}

async function archiveShort({ clock, record, coveredSpans }: TrendsDeps): Promise<Said> {
  const since = await record.facts.since();
  const now = clock.now();
  const days = since === null ? 0 : coveredDays(await coveredSpans(since, now), since, now).size;
  if (days >= FULL_ARCHIVE_DAYS) return null;
  return recommend({
    id: 'archive_short',
    priority: 'low',
    category: 'archive',
    title: 'The record is still short',
    description: `${days} covered days so far: answers about seasons and years are limited until there are ${FULL_ARCHIVE_DAYS}.`,
    impact: 'Seasonal numbers say "not enough history" instead of guessing.',
    evidence: { metric: 'covered_days', value: days, unit: 'days', threshold: FULL_ARCHIVE_DAYS, n: days, window_days: days },
  });
}
