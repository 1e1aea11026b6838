import type { IncomingMessage } from 'node:http';
import type { Freshness, RouteSpec } from '@nwms/contract';
import type { ReadyReply } from '../../../platform/http/fast-path.ts';
import type { Board } from '../board/board.ts';
import { matchesEtag } from './etag.ts';
import type { CachedBody } from './body-cache.ts';
import { encodingFor } from './encodings.ts';
import { freshnessHeaders } from './freshness.ts';

/** URLs remembered; the ones asked most recently stay. */
const MAX_URLS = 300;

interface Remembered {
  version: number;
  etag: string;
  entry: CachedBody;
  /** Headers that do not change from answer to answer: of a 304 (RFC 9110 section 15.4.5 asks for no more), and what a 200 has besides. */
  validators: string[];
  standing: string[];
  contentType: string;
  spec: RouteSpec;
}

/** Whole answers by URL, for requests that need no more than the ready bytes. */
export interface ReadyAnswers {
  /** `standing`: headers the framework had set before the route answered. */
  remember(
    request: IncomingMessage,
    answer: { version: number; etag: string; entry: CachedBody; headers: Record<string, string>; spec: RouteSpec },
    standing: () => Readonly<Record<string, unknown>>,
  ): void;
  find(request: IncomingMessage): ReadyReply | null;
}

export function createReadyAnswers({ board, freshness }: { board: Board; freshness: () => Freshness }): ReadyAnswers {
  const byUrl = new Map<string, Remembered>();
  /** Text of the freshness headers, as long as the same freshness comes. */
  let told: { of: Freshness; headers: string[] } | null = null;
  const freshnessText = (now: Freshness): string[] => {
    if (told?.of !== now) told = { of: now, headers: flatten(freshnessHeaders(now)) };
    return told.headers;
  };
  return {
    remember(request, { version, etag, entry, headers, spec }, standing) {
      if (request.method !== 'GET' || entry.built.freshness) return;
      const key = keyOf(request);
      const known = byUrl.get(key);
      byUrl.delete(key);
      // Of most answers nothing is new: callers with a key are answered by the framework every time.
      if (known?.entry === entry) {
        byUrl.set(key, known);
        return;
      }
      const { 'Content-Type': contentType = '', ...rest } = headers;
      byUrl.set(key, {
        version,
        etag,
        entry,
        contentType,
        validators: flatten(rest),
        standing: flatten(withoutNames(standing(), rest)),
        spec,
      });
      const oldest = byUrl.size > MAX_URLS ? byUrl.keys().next().value : undefined;
      if (oldest !== undefined) byUrl.delete(oldest);
    },
    find(request) {
      if (request.method !== 'GET') return null;
      const known = byUrl.get(keyOf(request));
      if (!known || known.version !== board.version()) return null;
      const now = freshness();
      const headers = known.validators.concat(freshnessText(now));
      if (matchesEtag(request.headers['if-none-match'], known.etag))
        return { status: 304, headers, body: null, spec: known.spec, alerts: 0 };
      const ready = known.entry.ready(encodingFor(request.headers['accept-encoding']), now);
      if (!ready) return null;
      headers.push(...known.standing, 'content-type', known.contentType, 'content-length', String(ready.body.length));
      if (ready.encoding !== 'identity') headers.push('content-encoding', ready.encoding);
      return { status: 200, headers, body: ready.body, spec: known.spec, alerts: known.entry.built.alerts ?? 0 };
    },
  };
}

/** The form of the answer depends on Accept; `_t` is a cache buster that means nothing. */
function keyOf({ url = '', headers: { accept = '' } }: IncomingMessage): string {
  const plain = url.includes('_t=') ? url.replace(/([?&])_t=[^&]*&?/, '$1').replace(/[?&]$/, '') : url;
  return `${plain}\n${accept}`;
}

/** Headers of the framework that the answer does not set itself, without what was meant for the page of one other origin. */
function withoutNames(standing: Readonly<Record<string, unknown>>, own: Record<string, string>): Record<string, unknown> {
  const names = new Set(Object.keys(own).map((name) => name.toLowerCase()));
  return Object.fromEntries(
    Object.entries(standing).filter(([name]) => {
      const plain = name.toLowerCase();
      return !names.has(plain) && !plain.startsWith('access-control-');
    }),
  );
}

/** Request ids are made per request. */
function flatten(headers: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name.toLowerCase() === 'x-request-id' ? [] : [name, Array.isArray(value) ? value.join(', ') : String(value)],
  );
}
