import { type BodyOf, playback } from '@nwms/contract';
import { DAY_MS } from '@nwms/domain';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Raw, Serve } from '../../platform/http/serve.ts';
import { freshnessHeaders } from '../alerts/index.ts';
import type { PlaybackDeps } from './deps.ts';
import { createPartsJob } from './parts-job.ts';
import { readQuestion } from './question.ts';
import { streamTimeline } from './stream.ts';
import { MAX_STREAMED, pageOf, readTimeline } from './timeline.ts';

export type { PlaybackDeps } from './deps.ts';

export interface Playback {
  registerRoutes(serve: Serve): void;
  /** Begins to look for a record that is not ready for timelines, once the server has started. */
  start(): void;
  stop(): Promise<void>;
}

/** What was in force over a range, as known then: rows, frames or the log. History is never rewritten by what became known later. */
export function createPlayback(deps: PlaybackDeps): Playback {
  const answer = async (asked: BodyOf<typeof playback.playbackTimeline>, request: FastifyRequest, signal: AbortSignal): Promise<Raw> => {
    const now = deps.clock.now();
    const question = await readQuestion(asked, now, deps.timeline.since);
    const whole = await readTimeline(deps, question, signal);
    const freshness = deps.freshness();
    const closed = question.to < now - DAY_MS && request.method !== 'POST';
    const headers = {
      Vary: 'Accept, Accept-Encoding, Origin',
      'Cache-Control': closed ? 'max-age=3600' : 'no-cache',
      ...freshnessHeaders(freshness),
    };
    if (wantsLines(request)) {
      if (whole.rows.length > MAX_STREAMED)
        throw new AppError('query.window_too_large', { public: `More than ${MAX_STREAMED} items match; ask for a shorter time, or page.` });
      const body = streamTimeline(whole, freshness, faultOf);
      return { kind: 'raw', headers: { ...headers, 'Content-Type': 'application/x-ndjson; charset=utf-8' }, body };
    }
    const body = JSON.stringify({ ...(await pageOf(whole, question)), freshness });
    return { kind: 'raw', headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' }, body };
  };
  const partsJob = createPartsJob(deps);
  let cancel: () => void = () => {};
  return {
    start() {
      cancel = deps.clock.after(START_AFTER_MS, () => partsJob.start());
    },
    stop() {
      cancel();
      return partsJob.stop();
    },
    registerRoutes(serve) {
      serve(playback.playbackTimeline, ({ body, request, signal }) => answer(body, request, signal));
      serve(playback.playbackTimelineByLink, ({ query, request, signal }) => answer(query, request, signal));
    },
  };
}

/** The start has better things to do. */
const START_AFTER_MS = 15_000;

const wantsLines = (request: FastifyRequest): boolean => (request.headers.accept ?? '').toLowerCase().includes('application/x-ndjson');

function faultOf(error: unknown): { code: string; detail: string } {
  return error instanceof AppError
    ? { code: error.code, detail: error.detail }
    : { code: 'server.internal', detail: 'The rest could not be made.' };
}
