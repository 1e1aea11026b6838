import { DAY_MS, dayOf, type Instant } from '@nwms/domain';

export type TrendBucket = 'hour' | 'day' | 'week' | 'month';

const MAX_POINTS = 120;
const HOUR_MS = DAY_MS / 24;

/** The finest bucket that needs at most 120 points. */
export function finestBucket(from: Instant, to: Instant): TrendBucket {
  const days = (to - from) / DAY_MS;
  if (days * 24 <= MAX_POINTS) return 'hour';
  return days <= MAX_POINTS ? 'day' : 'week';
}

/** Starts of the buckets (UTC) that [from, to) touches, and the end of the last. Weeks begin on Monday. */
export function bucketEdges(bucket: TrendBucket, from: Instant, to: Instant): Instant[] {
  const edges = [startOf(bucket, from)];
  for (let at = next(bucket, edges[0] ?? from); at < to; at = next(bucket, at)) edges.push(at);
  edges.push(next(bucket, edges.at(-1) ?? from));
  return edges;
}

function startOf(bucket: TrendBucket, at: Instant): Instant {
  if (bucket === 'hour') return Math.floor(at / HOUR_MS) * HOUR_MS;
  const day = dayOf(at);
  if (bucket === 'day') return day * DAY_MS;
  if (bucket === 'week') return (day - ((((day + 3) % 7) + 7) % 7)) * DAY_MS;
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
}

function next(bucket: TrendBucket, at: Instant): Instant {
  if (bucket === 'hour') return at + HOUR_MS;
  if (bucket === 'day') return at + DAY_MS;
  if (bucket === 'week') return at + 7 * DAY_MS;
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

/** Index of the bucket that holds `at`, -1 outside. */
export function bucketAt(edges: readonly Instant[], at: Instant): number {
  if (at < (edges[0] ?? Infinity) || at >= (edges.at(-1) ?? -Infinity)) return -1;
  let low = 0;
  let high = edges.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  return low;
}

/** Most intervals open at once within each bucket. */
export function maxOpen(edges: readonly Instant[], intervals: readonly { from: Instant; until: Instant }[]): number[] {
  const changes = intervals.flatMap(({ from, until }) =>
    until > from
      ? [
          { at: from, by: 1 },
          { at: until, by: -1 },
        ]
      : [],
  );
  // At one instant ends come first: an interval does not hold its end.
  changes.sort((a, b) => a.at - b.at || a.by - b.by);
  const maxima: number[] = [];
  let open = 0;
  let index = 0;
  for (let bucket = 0; bucket < edges.length - 1; bucket += 1) {
    const [start = 0, end = 0] = [edges[bucket], edges[bucket + 1]];
    while (index < changes.length && (changes[index]?.at ?? 0) <= start) open += changes[index++]?.by ?? 0;
    let most = open;
    while (index < changes.length && (changes[index]?.at ?? 0) < end) {
      open += changes[index++]?.by ?? 0;
      most = Math.max(most, open);
    }
    maxima.push(most);
  }
  return maxima;
}
