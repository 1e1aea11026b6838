import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { ALL_ROUTES, ERRORS, openApiDocument } from '@nwms/contract';
import type { FastifyInstance } from 'fastify';
import { errorsPage, referencePage, REFERENCE_START } from './pages.ts';

/** The viewer sets styles at run time and compiles nothing: scripts stay limited to our own origin. */
const PAGE_CSP =
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** OpenAPI document, reference page and error catalogue, all from our own origin. */
export function registerReference(app: FastifyInstance, options: { version: string }): void {
  // Made when somebody asks: neither is needed to start.
  const document = once(() => JSON.stringify(openApiDocument(ALL_ROUTES, { version: options.version, serverUrl: '/api/v1' })));
  const viewer = once(() => {
    const entry = createRequire(import.meta.url).resolve('@scalar/api-reference');
    return readFileSync(join(entry.slice(0, entry.lastIndexOf(`${sep}dist${sep}`)), 'dist', 'browser', 'standalone.js'));
  });
  const cached = { 'Cache-Control': 'public, max-age=300' };

  app.get('/api/v1/openapi.json', (_request, reply) =>
    reply.headers({ ...cached, 'Content-Type': 'application/json; charset=utf-8' }).send(document()),
  );
  app.get('/docs', (_request, reply) =>
    reply.headers({ ...cached, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_CSP }).send(referencePage),
  );
  app.get('/docs/start.js', (_request, reply) =>
    reply.headers({ ...cached, 'Content-Type': 'text/javascript; charset=utf-8' }).send(REFERENCE_START),
  );
  app.get('/docs/viewer.js', (_request, reply) =>
    reply.headers({ 'Cache-Control': 'public, max-age=86400', 'Content-Type': 'text/javascript; charset=utf-8' }).send(viewer()),
  );
  app.get('/docs/errors', (_request, reply) =>
    reply.headers({ ...cached, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_CSP }).send(errorsPage(ERRORS)),
  );
}

function once<T extends {}>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}
