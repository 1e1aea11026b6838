import { alerts, type Freshness, type ParamsOf, type QueryOf } from '@nwms/contract';
import { ALERT_TYPES, ALERT_TYPES_VERSION, textParts } from '@nwms/domain';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Raw, Serve } from '../../platform/http/serve.ts';
import { eventShapeInput, messageShapeInput } from './alert-area.ts';
import type { Built } from './answers/answers.ts';
import { matchesEtag } from './answers/etag.ts';
import { freshnessAsOf, freshnessHeaders } from './answers/freshness.ts';
import { negotiate } from './answers/negotiate.ts';
import type { RouteDeps } from './deps.ts';
import { encodeFull } from './encode.ts';
import { findOne, type Found } from './find-one.ts';
import type { AlertFormat } from './format-hook.ts';
import { fieldFault } from './query/fault.ts';
import { parseInstant } from '../../platform/http/instant.ts';
import { historyOf } from './read-history.ts';
import { keyOf } from './routes-list.ts';

const ONE_FORMATS: readonly AlertFormat[] = ['json', 'geojson', 'cap'];
type OneQuery = QueryOf<typeof alerts.getAlert>;

export function registerOneRoutes(serve: Serve, deps: RouteDeps): void {
  const { answers } = deps;
  const offered = ONE_FORMATS.filter((name) => name === 'json' || deps.formats?.[name]);
  serve(alerts.alertTypes, ({ request, reply }) => {
    const headers = { 'Cache-Control': 'max-age=300', ETag: `"types-${ALERT_TYPES_VERSION}"` };
    if (matchesEtag(request.headers['if-none-match'], headers.ETag)) return { kind: 'raw', status: 304, headers, body: null };
    reply.headers(headers);
    return {
      types: ALERT_TYPES.map((type) => ({
        event: type.event,
        event_code: type.eventCode,
        family: type.family,
        default_severity: type.defaultSeverity,
        hazard_rank: type.hazardRank,
        emoji: type.emoji,
        color: type.color,
        significance: type.significance,
      })),
      version: ALERT_TYPES_VERSION,
    };
  });
  serve(alerts.getAlert, async (input) => {
    const { params, query, request, reply } = input;
    const format = negotiate(query.format, request.headers.accept, offered);
    if (format !== 'json') return oneInFormat(deps, format, input);
    const key = `one ${params.id} ${keyOf(query)}`;
    return answers.answer({ key, request, reply, build: () => buildOne(deps, params.id, query) });
  });
  serve(alerts.alertHistory, ({ params, request, reply }) =>
    answers.answer({
      key: `history ${params.id}`,
      request,
      reply,
      build: async () => {
        const history = await historyOf(deps, await mustFind(deps, params.id, null));
        return { head: Buffer.from(JSON.stringify(history).slice(0, -1)), tail };
      },
    }),
  );
}

const tail: Built['tail'] = (freshness) => `"freshness":${JSON.stringify(freshness)}`;

async function mustFind(deps: RouteDeps, id: string, at: number | null): Promise<Found> {
  const found = await findOne(deps, id, at);
  if (found) return found;
  throw new AppError('alert.not_found', {
    public: at === null ? 'No alert or event with this id is known.' : 'No alert or event with this id was known then.',
  });
}

function instantOf(deps: RouteDeps, query: Pick<OneQuery, 'at'>): number | null {
  if (query.at === undefined) return null;
  const at = parseInstant('at', query.at);
  if (at > deps.clock.now()) throw fieldFault('at', 'range', 'at lies in the future: nothing is known then yet.');
  return at;
}

async function buildOne(deps: RouteDeps, id: string, query: OneQuery): Promise<Built> {
  const at = instantOf(deps, query);
  const found = await mustFind(deps, id, at);
  const { alert } = found.row;
  const members = {
    text_parts: textParts(alert.description, alert.instruction),
    bulletin_ids: await bulletinIds(deps, found),
  };
  const raw = query.include?.includes('raw') ? await deps.archive.raw(alert.id) : null;
  const text = query.geometry === 'full' ? await encodeUnsimplified(deps, found) : encodeFull(found.row.presented);
  return {
    head: Buffer.from(`${text.slice(0, -1)},${JSON.stringify(members).slice(1, -1)},"raw":${raw ?? 'null'}`),
    alerts: 1,
    ...(at !== null && { freshness: await freshnessOf(deps, at) }),
    tail,
  };
}

async function freshnessOf(deps: RouteDeps, at: number): Promise<Freshness> {
  return freshnessAsOf(deps.freshness(), at, (await deps.covered?.(at, at, { known: 'then' })) ?? false, deps.clock.now());
}

/** Other messages of the same product (trap 11); on the board without the database. */
async function bulletinIds({ board, archive }: RouteDeps, { message, onBoard }: Found): Promise<string[]> {
  if (message.bulletin === null) return [message.id];
  return onBoard ? board.bulletin(message.bulletin) : archive.bulletin(message.bulletin);
}

async function encodeUnsimplified({ places }: RouteDeps, { row, message, messages, isMessageRow, at }: Found): Promise<string> {
  const shape = await places.resolveFull(isMessageRow ? messageShapeInput(message) : eventShapeInput(row.event, messages, at));
  return encodeFull({ ...row.presented, area: { ...row.presented.area, json: JSON.stringify(shape) } });
}

async function oneInFormat(
  deps: RouteDeps,
  format: Exclude<AlertFormat, 'json'>,
  {
    params,
    query,
    request,
    signal,
  }: { params: ParamsOf<typeof alerts.getAlert>; query: OneQuery; request: FastifyRequest; signal: AbortSignal },
): Promise<Raw> {
  deps.answers.refuseUnlessLoaded();
  const at = instantOf(deps, query);
  const { row, messages } = await mustFind(deps, params.id, at);
  const freshness = at === null ? deps.freshness() : await freshnessOf(deps, at);
  const raw = await deps.formats?.[format]?.({
    rows: [row],
    allRows: async function* () {
      yield [row];
    },
    total: 1,
    totalExact: true,
    nextCursor: null,
    members: {},
    freshness,
    single: true,
    activeOnly: false,
    request,
    signal,
    message: messages,
    archive: deps.archive,
  });
  if (!raw) throw new Error(`no writer for ${format}`);
  return {
    ...raw,
    alerts: 1,
    headers: { Vary: 'Accept, Accept-Encoding, Origin', 'Cache-Control': 'no-cache', ...freshnessHeaders(freshness), ...raw.headers },
  };
}
