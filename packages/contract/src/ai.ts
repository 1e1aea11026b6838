import Type, { type Static } from 'typebox';
import { Freshness } from './freshness.ts';
import { route } from './route.ts';
import { oneOf, orNull, Ts } from './schema.ts';

const area = 'ai';
const access = 'open';
const summary = 'Whether texts can be written from alerts, and by whom';
const check = oneOf(['ok', 'failing', 'not_configured']);

/** State of what writes texts. It says nothing of which provider or host: anybody may ask. */
export const AiHealth = Type.Object({
  status: oneOf(['healthy', 'degraded', 'unavailable'], { description: 'unavailable: nothing writes; the answer is then 503' }),
  model_initialized: Type.Boolean({ description: 'Something that writes is ready; fixed rules count' }),
  provider: oneOf(['none', 'configured'], { description: 'Whether this server has a provider of language models' }),
  writer: orNull(oneOf(['narrator', 'model'], { description: 'Who writes: fixed rules, or a model; null = nobody' })),
  languages: Type.Array(Type.String()),
  kinds: Type.Array(Type.String({ description: 'Kinds of text that can be asked for' })),
  last_success_at: orNull(Ts),
  checks: Type.Object({ facts: check, narrator: check, model: check }),
  freshness: Freshness,
});
export type AiHealth = Static<typeof AiHealth>;

export const getAiHealth = route({
  method: 'GET',
  path: '/ai-insights/health',
  access,
  area,
  operation: 'getAiHealth',
  summary,
  reply: AiHealth,
});
/** the older address of the same. */
export const getAiHealthByAlias = route({
  method: 'GET',
  path: '/ai/health',
  access,
  area,
  operation: 'getAiHealthByAlias',
  summary: `${summary}: the same as /ai-insights/health`,
  reply: AiHealth,
});
