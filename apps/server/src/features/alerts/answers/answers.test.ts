import type { Freshness } from '@nwms/contract';
import { fakeClock } from '@nwms/testkit';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Board } from '../board/board.ts';
import { type Answers, createAnswers } from './answers.ts';

const NOW = Date.UTC(2026, 10, 21);
const freshness = { status: 'live', as_of: new Date(NOW).toISOString(), data_as_of: new Date(NOW).toISOString() } as unknown as Freshness;
const URL_ASKED = '/api/v1/alerts?active_only=true';

/** Answers over a board whose version the test moves, always with this text. */
function place() {
  let version = 1;
  const board = { loaded: () => true, rows: () => [{}], version: () => version } as unknown as Board;
  const answers = createAnswers({ clock: fakeClock(NOW), board, freshness: () => freshness });
  const ask = (etag?: string) => {
    const headers = etag === undefined ? {} : { 'if-none-match': etag };
    const raw = { method: 'GET', url: URL_ASKED, headers };
    return {
      raw: raw as Parameters<Answers['ready']>[0],
      request: { raw, headers, routeOptions: { config: { spec: {} } } } as unknown as FastifyRequest,
      reply: {
        getHeaders: () => ({ 'x-content-type-options': 'nosniff', 'access-control-allow-origin': 'https://other.example' }),
      } as unknown as FastifyReply,
    };
  };
  const build = () => ({ head: Buffer.from('{"alerts":[]'), tail: () => '', alerts: 0 });
  return {
    ready: (etag?: string) => answers.ready(ask(etag).raw),
    through: (etag?: string) => answers.answer({ key: 'list', build, ...ask(etag) }),
    move: () => (version += 1),
  };
}
const etagOf = (headers: object | undefined) => String((headers as Record<string, string> | undefined)?.['ETag']);

describe('answers that lie ready', () => {
  it('after a change that left an answer as it was, one confirmation through the framework is enough', async () => {
    const { ready, through, move } = place();
    const etag = etagOf((await through()).headers);
    expect(ready(etag)?.status).toBe(304);

    move();
    expect(ready(etag)).toBeNull();
    expect((await through(etag)).status).toBe(304);
    expect(ready(etag)?.status).toBe(304);
    // And whoever asks without a validator is not answered with a confirmation.
    expect(ready()?.status ?? 200).toBe(200);
  });

  it('what the page of another origin was told is not told to others', async () => {
    const { ready, through } = place();
    await through();
    const headers = ready()?.headers ?? [];
    expect(headers).toContain('x-content-type-options');
    expect(headers).not.toContain('access-control-allow-origin');
  });

  it('of another validator nothing is confirmed', async () => {
    const { ready, through } = place();
    const etag = etagOf((await through()).headers);
    expect(ready('W/"other"')?.status ?? 200).toBe(200);
    expect(ready(etag)?.headers).toContain(etag);
  });
});
