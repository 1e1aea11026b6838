import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RouteSpec } from '@nwms/contract';
import type { FastifyInstance } from 'fastify';

/** An answer whose bytes and headers lie ready. `headers`: name, value, name, value. */
export interface ReadyReply {
  status: number;
  headers: string[];
  body: Buffer | null;
  /** The route that gave this answer. */
  spec: RouteSpec;
  /** Alert objects in the body, for usage figures. */
  alerts: number;
  /** Quota units it cost, once the gate said so. */
  units?: number;
}

export interface FastPathDeps {
  /** Null = not ready, or not to be answered without the hooks: the framework takes the request. */
  find(request: IncomingMessage): ReadyReply | null;
  requestId(request: IncomingMessage): string;
  /** Told of every answer given here, as the framework's hooks are told of theirs. `bytes`: written to the connection, headers included. */
  served(request: IncomingMessage, reply: ReadyReply, told: { durationMs: number; bytes: number; requestId: string }): void;
}

/** Requests that need a hook of the framework: another origin, a credential, a body, an id to hand on. */
const HOOKED = ['origin', 'authorization', 'x-api-key', 'x-request-id', 'expect', 'content-encoding', 'transfer-encoding'] as const;

/**
 * Answers what lies ready before the framework sees the request: on a 304 routing, hooks and validation cost twice the answer itself
 * (measured). What it sends was learned from an answer the framework gave to the same URL, so both read alike. Call it once, when
 * the server listens.
 */
export function installFastPath(app: FastifyInstance, deps: FastPathDeps): void {
  const listeners = app.server.listeners('request') as RequestListener[];
  let closing = false;
  app.server.removeAllListeners('request');
  app.server.on('close', () => (closing = true));
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const reply =
      closing || !app.server.listening || HOOKED.some((name) => request.headers[name] !== undefined) ? null : deps.find(request);
    if (!reply) {
      for (const listener of listeners) listener.call(app.server, request, response);
      return;
    }
    const startedAt = performance.now();
    const before = request.socket.bytesWritten;
    const requestId = deps.requestId(request);
    response.writeHead(reply.status, ['x-request-id', requestId, ...reply.headers]);
    response.end(reply.body ?? undefined);
    deps.served(request, reply, { durationMs: performance.now() - startedAt, bytes: request.socket.bytesWritten - before, requestId });
  });
}
