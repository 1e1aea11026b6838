import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { bendContext, bendReply, createFaultClock, replaceReply } from '../faults/apply.ts';
import type { FaultPlan } from '../faults/plan.ts';
import type { Feed } from '../feature.ts';
import { createLocalTime } from '../local-time.ts';
import { hash32 } from '../random.ts';
import { formatOf } from './alert-formats.ts';
import { answerAlerts } from './alerts.ts';
import type { Context } from './context.ts';
import { answerForecasts } from './forecasts.ts';
import { forbiddenHtml, json, notFound, problem, type Reply } from './reply.ts';
import { send } from './send.ts';
import { answerZones } from './zones.ts';

/** One request as it came in, for assertions. `at` is the simulator's clock. */
export interface SimRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  at: number;
}

export interface SimOptions {
  feed: Feed;
  clock: () => number;
  faults?: FaultPlan;
  /** Of the forecasts and observations; default 7. */
  weatherSeed?: number;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  log?: (line: string) => void;
}

export interface NwsSim {
  url: string;
  close(): Promise<void>;
  requests(): SimRequest[];
  /** Replaces the plan; request numbers and times of the new plan count from now. */
  setFaults(plan: FaultPlan | null): void;
}

/** Starts the stand-in for api.weather.gov; rejects when it cannot listen. */
export async function startNwsSim(options: SimOptions): Promise<NwsSim> {
  const { feed, clock } = options;
  const host = options.host ?? '127.0.0.1';
  const times = createLocalTime();
  const seen: SimRequest[] = [];
  let faults = createFaultClock(options.faults ?? null, clock());
  let url = '';
  const server = createServer((request, response) => {
    const now = clock();
    const target = new URL(request.url ?? '/', url);
    seen.push({ method: request.method ?? 'GET', path: target.pathname, query: target.searchParams, headers: request.headers, at: now });
    const correlationId = hash32(seen.length, now, target.href).toString(16).padStart(8, '0');
    options.log?.(`${request.method ?? 'GET'} ${target.pathname}${target.search}`);
    const context: Context = {
      feed,
      now,
      segments: target.pathname.split('/').filter(Boolean).map(decoded),
      path: target.pathname,
      query: target.searchParams,
      format: formatOf(request.headers.accept),
      baseUrl: url,
      correlationId,
      weather: { seed: options.weatherSeed ?? 7, times },
    };
    serve(request, response, context, faults.next(target.pathname, now));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(options.port ?? 0, host, resolve));
  const { port } = server.address() as AddressInfo;
  url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    url,
    requests: () => seen,
    setFaults: (plan) => {
      faults = createFaultClock(plan, clock());
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Met = ReturnType<ReturnType<typeof createFaultClock>['next']>;

function serve(request: IncomingMessage, response: ServerResponse, context: Context, met: Met): void {
  const fault = met?.fault ?? null;
  if (fault?.kind === 'hang') return;
  const wire = { now: context.now, correlationId: context.correlationId, fault };
  const refused = refuse(request, context);
  if (refused) return send(request, response, refused, wire);
  const replaced = fault && replaceReply(context, fault);
  if (replaced) return send(request, response, replaced, wire);
  const bent = met ? bendContext(context, met.fault, met.since) : context;
  const reply = answer(bent);
  send(request, response, fault ? bendReply(bent, reply, fault) : reply, wire);
}

/** Trap 34: no User-Agent, no service. */
function refuse(request: IncomingMessage, context: Context): Reply | null {
  if (!request.headers['user-agent']) return forbiddenHtml(context.correlationId);
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return problem(405, 'Method Not Allowed', 'Only GET and HEAD', context.correlationId);
  return null;
}

function answer(context: Context): Reply {
  if (context.segments.length === 0) return json({ status: 'OK' }, 'application/json');
  return answerAlerts(context) ?? answerZones(context) ?? answerForecasts(context) ?? notFound(context.path, context.correlationId);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A bad escape is part of the name then; no resource has it, so it ends in 404.
    return part;
  }
}
