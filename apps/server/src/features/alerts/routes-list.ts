import { alerts } from '@nwms/contract';
import type { Freshness } from '@nwms/contract';
import type { FastifyRequest } from 'fastify';
import type { Raw, Serve } from '../../platform/http/serve.ts';
import type { Built } from './answers/answers.ts';
import { freshnessAsOf, freshnessHeaders } from './answers/freshness.ts';
import { joinRows } from './answers/join.ts';
import { negotiate } from './answers/negotiate.ts';
import type { RouteDeps } from './deps.ts';
import type { AlertFormat } from './format-hook.ts';
import { coverageScopeOf } from './query/coverage-scope.ts';
import { factsOf } from './query/kept-rows.ts';
import { listRows, type ListQuery, type ListResult, questionOf } from './query/list.ts';
import { type Question, selectRows } from './query/select.ts';
import { type Counted, countedOf, countRows } from './query/stats.ts';
import { warningsOf } from './query/warnings.ts';
import { ownTime } from './wire-time.ts';

const LIST_FORMATS: readonly AlertFormat[] = ['json', 'geojson', 'cap', 'atom', 'csv', 'ndjson'];
/** Answers about times that lie this far back do not change any more (24 h) and may be cached for an hour. */
const CLOSED_AFTER_MS = 86_400_000;

export function registerListRoutes(serve: Serve, deps: RouteDeps): void {
  const { answers } = deps;
  const offered = LIST_FORMATS.filter((name) => name === 'json' || deps.formats?.[name]);
  serve(alerts.listAlerts, async (input) => {
    const { query, request, reply } = input;
    const format = negotiate(query.format, request.headers.accept, offered);
    if (format !== 'json') return otherFormat(deps, format, query, request, input.signal);
    const key = `list ${keyOf(query)}`;
    return answers.answer({
      key,
      request,
      reply,
      cacheControl: cacheControlOf(deps, query),
      build: () => buildList(deps, query),
    });
  });
  serve(alerts.alertStats, ({ query, request, reply }) =>
    answers.answer({
      key: `stats ${keyOf(query)}`,
      request,
      reply,
      cacheControl: cacheControlOf(deps, query),
      build: () => buildStats(deps, query),
    }),
  );
}

/** Same text for the same parameters in any order. */
export function keyOf(query: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(query, Object.keys(query).sort());
}

async function buildList(deps: RouteDeps, query: ListQuery): Promise<Built> {
  const result = await listRows(deps, query);
  const bytes = result.page.rows.map((row) => (query.detail === 'slim' ? row.slim() : row.full()));
  const next = result.page.nextCursor;
  // The answer is kept: what it holds on to must be this and not the rows.
  const at = result.question.time.at;
  return {
    head: joinRows(bytes, await listMembers(deps, result)),
    alerts: bytes.length,
    ...(await asOf(deps, result.question)),
    ...(next !== null && { headers: { Link: `<${nextUrl(query, next)}>; rel="next"` } }),
    tail: (freshness) => `"as_of":"${ownTime(at ?? deps.clock.now())}","freshness":${JSON.stringify(freshness)}`,
  };
}

async function listMembers(deps: RouteDeps, { page, total, totalExact, question, warnings }: ListResult) {
  return {
    total,
    total_exact: totalExact,
    limit: page.limit,
    offset: page.offset,
    has_more: page.hasMore,
    truncated: page.rows.length < total || !totalExact,
    next_cursor: page.nextCursor,
    position: deps.board.position(),
    view: question.view,
    warnings: [...warnings, ...(await gapWarnings(deps, question))],
  };
}

async function buildStats(deps: RouteDeps, query: ListQuery): Promise<Built> {
  const question = questionOf(deps, query);
  const selection = await selectRows(deps, question, countedOf);
  const members = {
    ...countRows(selection.rows.map(factsOf((row): Counted => row))),
    total_exact: selection.complete,
    position: deps.board.position(),
    warnings: [...warningsOf(deps, query, selection), ...(await gapWarnings(deps, question))],
  };
  return {
    head: Buffer.from(JSON.stringify(members).slice(0, -1)),
    ...(await asOf(deps, question)),
    tail: (freshness) => `"freshness":${JSON.stringify(freshness)}`,
  };
}

/** An answer about an earlier instant is as good as the polls that covered it, or the imports of the hazards it is about. */
async function asOf(deps: RouteDeps, { time: { at }, filter }: Question): Promise<{ freshness?: Freshness }> {
  if (at === null) return {};
  const covered = (await deps.covered?.(at, at, { ...coverageScopeOf(filter), known: 'then' })) ?? false;
  return { freshness: freshnessAsOf(deps.freshness(), at, covered, deps.clock.now()) };
}

/** History with a hole in it must not read as "nothing happened". */
async function gapWarnings(deps: RouteDeps, { time: { at, range, inForceAt }, filter }: Question) {
  const now = deps.clock.now();
  const from = at ?? inForceAt ?? range?.from;
  if (from === undefined || from >= now) return [];
  const to = at ?? inForceAt ?? range?.to ?? now;
  if ((await deps.covered?.(from, Math.min(to, now), { ...coverageScopeOf(filter), known: at === null ? 'final' : 'then' })) ?? false)
    return [];
  return [{ code: 'coverage_gap', message: 'Not all of this time is covered by polls or imports: alerts may be missing from the answer.' }];
}

function cacheControlOf(deps: RouteDeps, query: Pick<ListQuery, 'at' | 'to'>): string {
  const closed = Date.parse(query.at ?? query.to ?? '');
  return closed < deps.clock.now() - CLOSED_AFTER_MS ? 'max-age=3600' : 'no-cache';
}

function nextUrl(query: ListQuery, cursor: string): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (name !== 'offset' && name !== 'cursor' && value !== undefined) parameters.set(name, String(value));
  }
  parameters.set('cursor', cursor);
  return `/api/v1/alerts?${parameters}`;
}

async function otherFormat(
  deps: RouteDeps,
  format: Exclude<AlertFormat, 'json'>,
  query: ListQuery,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<Raw> {
  deps.answers.refuseUnlessLoaded();
  const write = deps.formats?.[format];
  const result = await listRows(deps, query, { whole: format === 'csv' || format === 'ndjson' });
  const { freshness = deps.freshness() } = await asOf(deps, result.question);
  const raw = await write?.({
    rows: result.page.rows,
    allRows: result.allRows,
    total: result.total,
    totalExact: result.totalExact,
    nextCursor: result.page.nextCursor,
    members: await listMembers(deps, result),
    freshness,
    single: false,
    activeOnly: query.active_only ?? false,
    request,
    signal,
    message: deps.board.message,
    archive: deps.archive,
  });
  // `negotiate` offers only formats that have a writer.
  if (!raw) throw new Error(`no writer for ${format}`);
  const common = { Vary: 'Accept, Accept-Encoding, Origin', 'Cache-Control': 'no-cache', ...freshnessHeaders(freshness) };
  return { ...raw, headers: { ...common, ...raw.headers }, alerts: result.page.rows.length };
}
