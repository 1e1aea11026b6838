import { type Instant, parseTimestamp } from '@nwms/domain';
import type { Outbound, OutboundResult, ResponseFacts } from '../../platform/outbound.ts';
import { nextPage } from './next-page.ts';

/** A list as upstream gave it, all pages together; features are untrusted JSON values or `ListItem`s of them, duplicates included. */
export interface UpstreamList {
  features: unknown[];
  /** `updated` of the first page, null when absent or unreadable. */
  updated: Instant | null;
  /** False when a page is missing: a repeated or foreign `next`, the cap, or a later page that failed. */
  complete: boolean;
  incompleteBecause: string | null;
  /** Of the bytes of a list that came as one page, else null. */
  digest: string | null;
  facts: ResponseFacts;
}

export type ListFailure = Exclude<OutboundResult, { kind: 'ok' | 'not_modified' }> | { kind: 'not_a_collection'; detail: string };
export type ListResult =
  | { kind: 'list'; list: UpstreamList }
  | { kind: 'not_modified'; facts: ResponseFacts }
  | { kind: 'failed'; failure: ListFailure };

export interface ListRequest {
  path: string;
  etag?: string | null;
  lastModified?: string | null;
  sameAs?: string | null;
  /** Features with these digests were read before. */
  isKnown?: (digest: string) => boolean;
  /** More pages than this are not fetched. */
  maxPages: number;
  signal?: AbortSignal;
}

/**
 * Reads a list page by page. It ends at a page without `next` or at an empty page (upstream gives a `next` on those too); it breaks off,
 * incomplete, at a repeated address, a foreign one, the cap or a failing page (trap 38).
 */
export async function readPages(outbound: Outbound, request: ListRequest): Promise<ListResult> {
  const list = { member: 'features', isKnown: request.isKnown ?? (() => false) };
  const first = await outbound.getJson({ ...request, list });
  if (first.kind === 'not_modified') return { kind: 'not_modified', facts: first.facts };
  if (first.kind !== 'ok') return { kind: 'failed', failure: first };
  let collection = asCollection(first.json);
  if (!collection) return { kind: 'failed', failure: { kind: 'not_a_collection', detail: 'no FeatureCollection with a list of features' } };
  const whole: UpstreamList = {
    features: [...collection.features],
    updated: parseTimestamp(collection.members['updated'])?.at ?? null,
    complete: true,
    incompleteBecause: null,
    digest: first.digest,
    facts: first.facts,
  };
  const breakOff = (because: string): ListResult => ({
    kind: 'list',
    list: { ...whole, complete: false, incompleteBecause: because, digest: null },
  });
  const seen = new Set([request.path]);
  for (let pages = 1; collection.features.length > 0; pages++) {
    const next = nextPage(collection.members, outbound.origin);
    if (next.kind === 'none') break;
    if (next.kind === 'refused') return breakOff('next_refused');
    if (seen.has(next.path)) return breakOff('cursor_repeated');
    if (pages >= request.maxPages) return breakOff('page_cap');
    seen.add(next.path);
    const page = await outbound.getJson({ path: next.path, list, ...(request.signal ? { signal: request.signal } : {}) });
    const following = page.kind === 'ok' ? asCollection(page.json) : null;
    if (!following) return breakOff(page.kind === 'ok' ? 'page_not_a_collection' : `page_${page.kind}`);
    collection = following;
    whole.digest = null;
    for (const feature of following.features) whole.features.push(feature);
  }
  return { kind: 'list', list: whole };
}

function asCollection(json: unknown): { features: unknown[]; members: Record<string, unknown> } | null {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return null;
  const members = json as Record<string, unknown>;
  return Array.isArray(members['features']) ? { features: members['features'], members } : null;
}
