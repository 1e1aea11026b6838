import type { IncomingMessage } from 'node:http';
import type { Freshness } from '@nwms/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../../platform/app-error.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { ReadyReply } from '../../../platform/http/fast-path.ts';
import type { Raw } from '../../../platform/http/serve.ts';
import type { Board } from '../board/board.ts';
import { createBodyCache } from './body-cache.ts';
import { encodingFor } from './encodings.ts';
import { matchesEtag } from './etag.ts';
import { freshnessHeaders } from './freshness.ts';
import { createReadyAnswers } from './ready.ts';

export { matchesEtag } from './etag.ts';

/** An answer without its last members: `{...` up to where as_of and freshness follow. */
export interface Built {
  head: Buffer;
  /** Members that follow: their JSON text without braces, made when the body is. */
  tail(freshness: Freshness): string;
  headers?: Record<string, string>;
  /** Alert objects in it, for usage figures. */
  alerts?: number;
  /** Set for answers about an earlier instant. */
  freshness?: Freshness;
}

export interface AnswerInput {
  /** Same for the same question: the operation and its parameters. */
  key: string;
  request: FastifyRequest;
  reply: FastifyReply;
  build(): Built | Promise<Built>;
  cacheControl?: string;
}

export interface AnswersDeps {
  clock: Clock;
  board: Board;
  freshness: () => Freshness;
}

/** Answers made once per question and board version, kept whole and compressed, told apart by weak validators over content without freshness. */
export interface Answers {
  answer(input: AnswerInput): Promise<Raw>;
  /** False while nothing was ever loaded: an empty answer would read as "none". */
  loaded(): boolean;
  /** Throws data.unavailable unless loaded. */
  refuseUnlessLoaded(): void;
  /** The whole answer when it lies ready under this URL. */
  ready(request: IncomingMessage): ReadyReply | null;
}

const BASE_HEADERS = { 'Content-Type': 'application/json; charset=utf-8', Vary: 'Accept, Accept-Encoding, Origin' };

export function createAnswers({ clock, board, freshness }: AnswersDeps): Answers {
  const bodies = createBodyCache({ clock });
  const loaded = () => board.loaded() && (board.rows().length > 0 || freshness().data_as_of !== null);
  const refuseUnlessLoaded = () => {
    if (loaded()) return;
    throw new AppError('data.unavailable', { public: 'No alert data was loaded yet: nothing can be concluded. This is not "no alerts".' });
  };
  const ready = createReadyAnswers({ board, freshness });
  return {
    loaded,
    refuseUnlessLoaded,
    ready: (request) => ready.find(request),
    async answer({ key, request, reply, build, cacheControl }) {
      refuseUnlessLoaded();
      const version = board.version();
      const kept = bodies.find(key, version);
      const entry = kept ?? (await bodies.make(key, version, build));
      const etag = entry.etag();
      const headers = { ...BASE_HEADERS, ETag: etag, 'Cache-Control': cacheControl ?? 'no-cache', ...entry.built.headers };
      const { spec } = request.routeOptions.config;
      // Of a confirmation too: after a change that did not touch this answer there may be nothing but those.
      if (spec) ready.remember(request.raw, { version, etag, entry, headers, spec }, () => reply.getHeaders());
      const own = entry.built.freshness ?? freshness();
      if (matchesEtag(request.headers['if-none-match'], etag)) {
        const { 'Content-Type': _type, ...rest } = headers;
        return { kind: 'raw', status: 304, headers: { ...rest, ...freshnessHeaders(own) }, body: null };
      }
      const { encoding, body } = await entry.body(encodingFor(request.headers['accept-encoding']), own);
      return {
        kind: 'raw',
        headers: { ...headers, ...freshnessHeaders(own), ...(encoding !== 'identity' && { 'Content-Encoding': encoding }) },
        body,
        alerts: entry.built.alerts ?? 0,
      };
    },
  };
}
