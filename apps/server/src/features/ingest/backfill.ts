import type { Instant } from '@nwms/domain';
import type { Outbound } from '../../platform/outbound.ts';
import { type ListResult, readPages } from './read-pages.ts';

/** 40 pages of 500 hold a week of ordinary weather; the maximum page size of `/alerts` is 500. */
const MAX_PAGES = 40;
const PAGE_SIZE = 500;

/**
 * Everything issued since `since`, from the upstream history. Newest first and paged; whether what came is all there was is for
 * `missingEvidence` to judge.
 */
export function fetchHistory(outbound: Outbound, since: Instant, signal: AbortSignal): Promise<ListResult> {
  return readPages(outbound, { path: `/alerts?start=${wholeSecond(since)}&limit=${PAGE_SIZE}`, maxPages: MAX_PAGES, signal });
}

/** As `fetchHistory`, what was issued up to `until` alone. */
export function fetchWindow(outbound: Outbound, since: Instant, until: Instant, signal: AbortSignal): Promise<ListResult> {
  const path = `/alerts?start=${wholeSecond(since)}&end=${wholeSecond(until)}&limit=${PAGE_SIZE}`;
  return readPages(outbound, { path, maxPages: MAX_PAGES, signal });
}

const wholeSecond = (at: Instant) => encodeURIComponent(`${new Date(at).toISOString().slice(0, 19)}Z`);

/**
 * A history answer can be empty, thin or old with a 200 like any other. It is believed when it holds every message we know it must hold;
 * returns how many of those are missing.
 */
export function missingEvidence(
  known: Iterable<{ upstreamId: string; sent: Instant }>,
  got: ReadonlySet<string>,
  from: Instant,
  to: Instant,
): number {
  let missing = 0;
  for (const { upstreamId, sent } of known) {
    if (sent >= from && sent <= to && !got.has(upstreamId)) missing++;
  }
  return missing;
}
