import { ai, type Freshness } from '@nwms/contract';
import { expect, it } from 'vitest';
import { fakeClock } from '@nwms/testkit';
import { conforms } from '../../../test/conforms.ts';
import { createServe } from '../../platform/http/serve.ts';
import { createHttpServer } from '../../platform/http/server.ts';
import { silentLog } from '../../platform/log.ts';
import { registerAiRoutes } from './index.ts';

const freshness: Freshness = {
  data_as_of: '2026-11-21T12:00:00Z',
  upstream_age_seconds: 5,
  status: 'live',
  reason: null,
  feed: 'nws',
  simulated: false,
};

it('KEY-14, R-24: without anything that writes, both addresses say unavailable, never healthy, and name no provider', async () => {
  const clock = fakeClock(Date.UTC(2026, 10, 21, 12));
  const app = await createHttpServer({ clock, log: silentLog, corsOrigins: () => [], trustedProxies: [], page: () => null, secure: false });
  registerAiRoutes(createServe(app), { freshness: () => freshness });
  const ask = async (url: string) => {
    const { statusCode, body, headers } = await app.inject({ method: 'GET', url: `/api/v1${url}` });
    return { status: statusCode, body: JSON.parse(body) as ai.AiHealth, caching: headers['cache-control'] };
  };
  const answer = await ask('/ai/health');
  conforms(ai.AiHealth, answer.body);
  expect(answer).toMatchObject({
    status: 503,
    body: {
      status: 'unavailable',
      model_initialized: false,
      provider: 'none',
      writer: null,
      kinds: [],
      checks: { facts: 'ok', model: 'not_configured' },
    },
    caching: 'no-store',
  });
  expect(await ask('/ai-insights/health')).toEqual(answer);
  Object.assign(freshness, { status: 'stale', reason: 'poll_failing' });
  expect((await ask('/ai/health')).body).toMatchObject({ checks: { facts: 'failing' }, freshness: { status: 'stale' } });
  await app.close();
});
