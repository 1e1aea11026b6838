import { createHash } from 'node:crypto';
import type { Freshness } from '@nwms/contract';
import type { FastifyRequest } from 'fastify';
import type { Clock } from '../../platform/clock.ts';
import type { Raw } from '../../platform/http/serve.ts';
import { freshnessHeaders, matchesEtag } from '../alerts/index.ts';

/** Statistics are at most this old. */
const KEPT_MS = 60_000;
const MAX_ENTRIES = 200;

export interface DerivedCache {
  /** Computes once per question and minute for all callers; answers 304 to the ETag of the same content. */
  answer(input: { key: string; request: FastifyRequest; cacheControl: string; build: () => Promise<object> }): Promise<Raw>;
}

interface Entry {
  madeMs: number;
  body: Promise<{ text: string; etag: string }>;
}

export function createDerivedCache({ clock, freshness }: { clock: Clock; freshness: () => Freshness }): DerivedCache {
  const entries = new Map<string, Entry>();
  const make = (key: string, build: () => Promise<object>): Entry => {
    const entry: Entry = { madeMs: clock.monotonicMs(), body: build().then(encode) };
    entries.set(key, entry);
    // A failure is told to those who wait and then forgotten.
    entry.body.catch(() => entries.get(key) === entry && entries.delete(key));
    for (const old of entries.keys()) {
      if (entries.size <= MAX_ENTRIES) break;
      entries.delete(old);
    }
    return entry;
  };
  return {
    async answer({ key, request, cacheControl, build }) {
      const found = entries.get(key);
      const entry = found && clock.monotonicMs() - found.madeMs < KEPT_MS ? found : make(key, build);
      const { text, etag } = await entry.body;
      const own = freshness();
      const headers = { ETag: etag, 'Cache-Control': cacheControl, Vary: 'Accept, Accept-Encoding, Origin', ...freshnessHeaders(own) };
      if (matchesEtag(request.headers['if-none-match'], etag)) return { kind: 'raw', status: 304, headers, body: null };
      const body = `${text.slice(0, -1)},"freshness":${JSON.stringify(own)}}`;
      return { kind: 'raw', headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' }, body };
    },
  };
}

/** The validator is over the content without freshness, which moves with every second. */
function encode(content: object): { text: string; etag: string } {
  const text = JSON.stringify(content);
  return { text, etag: `W/"d${createHash('sha256').update(text).digest('base64url').slice(0, 16)}"` };
}
