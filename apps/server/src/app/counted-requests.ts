import type { FastifyRequest } from 'fastify';

/** Areas and operations that are not requests of the product: probes, reports of pages, map pictures (they have a counter of their own). */
const UNCOUNTED_AREAS = new Set(['health', 'client-errors']);
export const TILE_OPERATION = 'alertTile';
const UNCOUNTED_OPERATIONS = new Set([TILE_OPERATION]);

/** Whether a request is one of the product: below /api/v1, whatever was answered. */
export function isCounted(request: FastifyRequest): boolean {
  if (request.method === 'OPTIONS' || !request.url.startsWith('/api/v1/') || request.url.startsWith('/api/v1/openapi.json')) return false;
  const { spec } = request.routeOptions.config;
  return !spec || !(UNCOUNTED_AREAS.has(spec.area) || UNCOUNTED_OPERATIONS.has(spec.operation));
}
