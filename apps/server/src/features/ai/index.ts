import { ai as contract, type AiHealth, type Freshness } from '@nwms/contract';
import type { Raw, Serve } from '../../platform/http/serve.ts';

export interface AiDeps {
  freshness(): Freshness;
}

/** Binds the state of the writers. Nothing of this version writes, and that is what is said: never that it is well. */
export function registerAiRoutes(serve: Serve, { freshness }: AiDeps): void {
  const health = (): Raw => {
    const body = unavailable(freshness());
    return {
      kind: 'raw',
      status: 503,
      headers: { 'Cache-Control': 'no-store', 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify(body),
    };
  };
  serve(contract.getAiHealth, health);
  serve(contract.getAiHealthByAlias, health);
}

function unavailable(freshness: Freshness): AiHealth {
  const isCurrent = freshness.status === 'live' || freshness.status === 'simulated';
  return {
    status: 'unavailable',
    model_initialized: false,
    provider: 'none',
    writer: null,
    languages: [],
    kinds: [],
    last_success_at: null,
    checks: { facts: isCurrent ? 'ok' : 'failing', narrator: 'not_configured', model: 'not_configured' },
    freshness,
  };
}
