import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';
import type { Clock } from '../clock.ts';
import { sendProblem } from './error-handler.ts';

/** Answers a page path of the browser application; false when the path is not one. */
export type PageFallback = (request: FastifyRequest, path: string) => { headers: Record<string, string>; body: Buffer } | null;

/**
 * 308 for a trailing slash, 405 with Allow for a wrong method, the browser application's page for its paths, else a 404 problem.
 * Must be installed before routes are mounted: it remembers their patterns.
 */
export function installNotFound(app: FastifyInstance, clock: Clock, page: PageFallback): void {
  const routes: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', (options) => {
    const source = options.url.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/:\w+/g, '[^/]+');
    for (const method of [options.method].flat()) routes.push({ method, pattern: new RegExp(`^${source}$`) });
  });
  const methodsOf = (path: string) => [...new Set(routes.filter((route) => route.pattern.test(path)).map((route) => route.method))];

  app.setNotFoundHandler((request, reply) => {
    const { path, search } = split(request.url);
    const reading = request.method === 'GET' || request.method === 'HEAD';
    if (reading && path.length > 1 && path.endsWith('/') && methodsOf(path.slice(0, -1)).includes('GET')) {
      return reply
        .code(308)
        .header('Location', path.slice(0, -1) + search)
        .send();
    }
    const methods = methodsOf(path);
    if (methods.length > 0) {
      reply.header('Allow', methods.join(', '));
      return sendProblem(
        request,
        reply,
        new AppError('request.method_not_allowed', { public: `${path} answers ${methods.join(', ')}.` }),
        clock,
      );
    }
    const found = reading ? page(request, path) : null;
    if (found) return reply.code(200).headers(found.headers).send(found.body);
    return sendProblem(request, reply, new AppError('route.not_found', { public: 'No such path. The reference is at /docs.' }), clock);
  });
}

function split(url: string): { path: string; search: string } {
  const at = url.indexOf('?');
  return at < 0 ? { path: url, search: '' } : { path: url.slice(0, at), search: url.slice(at) };
}
