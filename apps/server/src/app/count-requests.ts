import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RequestCounts } from '../features/admin/index.ts';

/** Areas and operations that are not requests of the product: probes, reports of pages, map pictures (they have a counter of their own). */
const UNCOUNTED_AREAS = new Set(['health', 'client-errors']);
export const TILE_OPERATION = 'alertTile';
const UNCOUNTED_OPERATIONS = new Set([TILE_OPERATION]);
const NOBODY = { type: 'anonymous', address: '' } as const;

/** Counts what reached the API under /api/v1, whatever was answered. */
export function countRequests(app: FastifyInstance, counts: RequestCounts): void {
  app.addHook('onResponse', (request, _reply, done) => {
    if (isCounted(request)) counts.record(request.principal ?? NOBODY);
    done();
  });
}

/** Answers that lay ready never have a credential. */
export function countReady(url: string | undefined, counts: RequestCounts): void {
  if (url?.startsWith('/api/v1/') && !url.startsWith('/api/v1/alerts/tiles/')) counts.record(NOBODY);
}

/** Whether a request is one of the product: below /api/v1, whatever was answered. */
export function isCounted(request: FastifyRequest): boolean {
  if (request.method === 'OPTIONS' || !request.url.startsWith('/api/v1/') || request.url.startsWith('/api/v1/openapi.json')) return false;
  const { spec } = request.routeOptions.config;
  return !spec || !(UNCOUNTED_AREAS.has(spec.area) || UNCOUNTED_OPERATIONS.has(spec.operation));
}
