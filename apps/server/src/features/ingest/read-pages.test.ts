import { describe, expect, it } from 'vitest';
import type { Outbound, OutboundResult } from '../../platform/outbound.ts';
import { nextPage } from './next-page.ts';
import { readPages } from './read-pages.ts';

const ORIGIN = 'https://api.weather.gov';
const facts = { date: null, etag: null, lastModified: null, cacheControl: null, correlationId: null };

/** Pages by path; `null` fails. */
function upstream(pages: Record<string, { features: unknown[]; next?: unknown } | null>): Outbound & { asked: string[] } {
  const asked: string[] = [];
  return {
    origin: ORIGIN,
    asked,
    async getJson({ path }): Promise<OutboundResult> {
      asked.push(path);
      const page = pages[path];
      if (!page) return { kind: 'timeout', detail: '' };
      const json = {
        type: 'FeatureCollection',
        features: page.features,
        ...(page.next === undefined ? {} : { pagination: { next: page.next } }),
      };
      return { kind: 'ok', status: 200, json, bytes: 1, digest: 'd', prunedParts: 0, facts };
    },
  };
}

const read = async (outbound: Outbound, maxPages = 5) => {
  const answer = await readPages(outbound, { path: '/alerts?limit=2', maxPages });
  return answer.kind === 'list' ? answer.list : answer;
};

describe('readPages (trap 38)', () => {
  it('follows cursors to the end', async () => {
    const outbound = upstream({
      '/alerts?limit=2': { features: [1, 2], next: `${ORIGIN}/alerts?limit=2&cursor=a` },
      '/alerts?limit=2&cursor=a': { features: [3, 4], next: `${ORIGIN}/alerts?limit=2&cursor=b` },
      '/alerts?limit=2&cursor=b': { features: [5] },
    });
    expect(await read(outbound)).toMatchObject({ features: [1, 2, 3, 4, 5], complete: true });
  });

  it('ends at an empty page that still has a next', async () => {
    const outbound = upstream({
      '/alerts?limit=2': { features: [1], next: `${ORIGIN}/alerts?limit=2&cursor=a` },
      '/alerts?limit=2&cursor=a': { features: [], next: `${ORIGIN}/alerts?limit=2&cursor=b` },
    });
    expect(await read(outbound)).toMatchObject({ features: [1], complete: true });
    expect(outbound.asked).toHaveLength(2);
  });

  it.each([
    ['cursor_repeated', { features: [1], next: `${ORIGIN}/alerts?limit=2` }],
    ['next_refused', { features: [1], next: 'https://elsewhere.invalid/alerts?cursor=a' }],
    ['next_refused', { features: [1], next: 7 }],
    ['page_timeout', { features: [1], next: `${ORIGIN}/alerts?cursor=gone` }],
  ])('says %s when it had to break off', async (because, page) => {
    expect(await read(upstream({ '/alerts?limit=2': page }))).toMatchObject({ features: [1], complete: false, incompleteBecause: because });
  });

  it('stops at the cap', async () => {
    const outbound = upstream(
      Object.fromEntries(
        Array.from({ length: 9 }, (_, n) => [
          n === 0 ? '/alerts?limit=2' : `/alerts?cursor=${n}`,
          { features: [n], next: `${ORIGIN}/alerts?cursor=${n + 1}` },
        ]),
      ),
    );
    expect(await read(outbound, 3)).toMatchObject({ features: [0, 1, 2], incompleteBecause: 'page_cap' });
    expect(outbound.asked).toHaveLength(3);
  });

  it.each([[null], [[]], ['x'], [{ features: {} }]])('%j is not a collection', async (json) => {
    const outbound: Outbound = {
      origin: ORIGIN,
      getJson: async () => ({ kind: 'ok', status: 200, json, bytes: 1, digest: 'd', prunedParts: 0, facts }),
    };
    expect(await readPages(outbound, { path: '/alerts', maxPages: 1 })).toMatchObject({
      kind: 'failed',
      failure: { kind: 'not_a_collection' },
    });
  });
});

describe('nextPage (G1)', () => {
  it.each([
    'http://api.weather.gov/alerts?cursor=a',
    'https://api.weather.gov.evil.example/alerts?cursor=a',
    'https://api.weather.gov@evil.example/alerts',
    'https://user:secret@api.weather.gov/alerts?cursor=a',
    'https://api.weather.gov:444/alerts?cursor=a',
    '//evil.example/alerts',
    '/\\evil.example/alerts',
    'https://api.weather.gov/zones?cursor=a',
    'https://api.weather.gov/alerts/../admin',
    'https://api.weather.gov/alerts?cursor=a&_t=1',
    'https://api.weather.gov/alerts/active?limit=500',
    'file:///etc/passwd',
    'http://127.0.0.1/alerts',
    `https://api.weather.gov/alerts?cursor=${'a'.repeat(5_000)}`,
  ])('refuses %s', (next) => {
    expect(nextPage({ pagination: { next } }, ORIGIN)).toEqual({ kind: 'refused' });
  });

  it('takes nothing for none', () => {
    for (const pagination of [undefined, null, {}, { next: null }, { next: '' }, 'x'])
      expect(nextPage({ pagination }, ORIGIN).kind).toBe('none');
  });
});
