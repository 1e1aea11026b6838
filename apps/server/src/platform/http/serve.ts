import type { Readable } from 'node:stream';
import type { BodyOf, ParamsOf, QueryOf, ReplyOf, RouteSpec } from '@nwms/contract';
import { invariant } from '../app-error.ts';
import type { Principal } from './principal.ts';
import './served.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';

/** An answer that is already encoded: ready bytes go out without passing a serializer. */
export interface Raw {
  kind: 'raw';
  status?: number;
  headers: Record<string, string>;
  body: Buffer | string | Readable | null;
  /** Alert objects in the body, for usage figures. */
  alerts?: number;
}

/** Who a route of this level can have been let through for. */
export type PrincipalOf<R extends RouteSpec> = R['access'] extends 'member' | 'admin'
  ? Extract<Principal, { type: 'session' }>
  : R['access'] extends 'key-or-session' | 'special'
    ? Exclude<Principal, { type: 'anonymous' }>
    : Principal;

export interface HandlerInput<R extends RouteSpec> {
  query: QueryOf<R>;
  params: ParamsOf<R>;
  body: BodyOf<R>;
  /** Who asks, as the identity hook let them through. Not to be read on open routes: they read no credentials. */
  principal: PrincipalOf<R>;
  request: FastifyRequest;
  reply: FastifyReply;
  /** Aborts when the caller went away or the handler's 10 s are over. */
  signal: AbortSignal;
}

export type Handler<R extends RouteSpec> = (input: HandlerInput<R>) => Promise<ReplyOf<R> | Raw> | ReplyOf<R> | Raw;

/** Binds a contract route to its handler. Slices receive it and never see the instance. */
export type Serve = <const R extends RouteSpec>(spec: R, handler: Handler<R>) => void;

/** Handlers get 10 s; longer answers are long-polls and streams, which end themselves. */
export const HANDLER_DEADLINE_MS = 10_000;

const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'raw';

/** Paths a contract route is reachable at. `{id}` becomes Fastify's `:id`. */
export function pathsOf(spec: RouteSpec): string[] {
  const path = spec.path.replaceAll(/\{(\w+)\}/g, ':$1');
  if (spec.root === 'only') return [path];
  return spec.root === 'also' ? [`/api/v1${path}`, path] : [`/api/v1${path}`];
}

function schemaOf(spec: RouteSpec): Record<string, unknown> {
  const schema: Record<string, unknown> = {};
  if (spec.params) schema['params'] = spec.params;
  if (spec.query) schema['querystring'] = { ...spec.query, additionalProperties: false };
  if (spec.body && spec.bodyCheckedBy !== 'handler') schema['body'] = spec.body;
  if (spec.reply) schema['response'] = { [spec.replyStatus ?? 200]: spec.reply };
  return schema;
}

/** The one way a route is mounted: its contract compiles into validation and serialization, its access level is declared or it does not start. */
export function createServe(app: FastifyInstance): Serve {
  return (spec, handler) => {
    if (!spec.access) throw new Error(`route ${spec.operation} declares no access level`);
    const isGuarded = spec.access !== 'open' && spec.access !== 'public';
    for (const url of pathsOf(spec)) {
      app.route({
        method: (spec.method === 'GET' ? ['GET', 'HEAD'] : spec.method) as HTTPMethods | HTTPMethods[],
        url,
        schema: schemaOf(spec),
        config: { spec },
        ...(spec.bodyLimitBytes ? { bodyLimit: spec.bodyLimitBytes } : {}),
        handler: async (request, reply) => {
          // Without the identity hook nobody is let through to what is not for everybody.
          if (isGuarded) invariant(request.principal, `${spec.operation} is served without identity`);
          const answer = await handler(new Input(request, reply) as unknown as HandlerInput<typeof spec>);
          if (isRaw(answer)) request.alertsServed = answer.alerts ?? 0;
          else return reply.code(spec.replyStatus ?? 200).send(answer);
          return (
            reply
              .code(answer.status ?? 200)
              .headers(answer.headers)
              // Null is "no body"; sent as a value it would become the JSON text `null`.
              .send(answer.body ?? undefined)
          );
        },
      });
    }
  };
}

/** Builds the abort signal only for handlers that ask for it: most answers are ready bytes and never wait. */
class Input {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request;
    this.reply = reply;
  }

  get query(): unknown {
    return this.request.query;
  }

  get params(): unknown {
    return this.request.params;
  }

  get body(): unknown {
    return this.request.body;
  }

  get principal(): Principal {
    invariant(this.request.principal, 'a principal is read only where credentials are');
    return this.request.principal;
  }

  get signal(): AbortSignal {
    this.#signal ??= AbortSignal.any([goneSignal(this.reply), AbortSignal.timeout(HANDLER_DEADLINE_MS)]);
    return this.#signal;
  }
}

function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}
