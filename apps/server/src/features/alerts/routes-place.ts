import { alerts, type BodyOf, type QueryOf } from '@nwms/contract';
import { overlapShare, parseShape } from '@nwms/domain';
import type { Serve } from '../../platform/http/serve.ts';
import type { Built } from './answers/answers.ts';
import { extendRow, joinRows } from './answers/join.ts';
import type { Row } from './board/row.ts';
import type { RouteDeps } from './deps.ts';
import { type AreaMatch, type AreaTest, DEFAULT_RADIUS_KM, shapeTest } from './query/area.ts';
import { fieldFault, geoFault } from './query/fault.ts';
import { type AlertFilter, compileFilter } from './query/filter.ts';
import { factsOf, type Kept, rowsOf } from './query/kept-rows.ts';
import { MAX_LIMIT } from './query/page.ts';
import { type Question, type Selection, selectRows } from './query/select.ts';
import { compileTime } from './query/time.ts';
import { type Warning, warningsOf } from './query/warnings.ts';
import { keyOf } from './routes-list.ts';
import { ownTime } from './wire-time.ts';

type NearQuery = QueryOf<typeof alerts.alertsNear>;
type WithinQuery = QueryOf<typeof alerts.alertsWithin>;
type WithinBody = BodyOf<typeof alerts.alertsWithinShape>;

/** Most vertices of a posted area. */
const MAX_POSTED_VERTICES = 2000;
/** Overlaps measured before the event loop gets a turn. */
const SLICE = 20;

export function registerPlaceRoutes(serve: Serve, deps: RouteDeps): void {
  const { answers } = deps;
  serve(alerts.alertsNear, ({ query, request, reply }) =>
    answers.answer({ key: `near ${keyOf(query)}`, request, reply, build: () => buildNear(deps, query) }),
  );
  serve(alerts.alertsWithin, ({ query, request, reply }) => {
    if (query.bbox === undefined && query.polygon === undefined) throw fieldFault('bbox', 'required', 'Give bbox or polygon.');
    return answers.answer({ key: `within ${keyOf(query)}`, request, reply, build: () => buildWithin(deps, query) });
  });
  serve(alerts.alertsWithinShape, ({ body, request, reply }) =>
    answers.answer({
      key: `within ${JSON.stringify(body)}`,
      request,
      reply,
      build: () => buildWithin(deps, body, postedArea(deps, body)),
    }),
  );
}

async function buildNear(deps: RouteDeps, query: NearQuery): Promise<Built> {
  const { lat, lon, radius, city, ...filter } = query;
  if (radius !== undefined && filter.radius_km !== undefined && radius !== filter.radius_km) {
    throw fieldFault('radius', 'conflict', 'radius and radius_km differ; give one of them.');
  }
  const radiusKm = filter.radius_km ?? radius ?? DEFAULT_RADIUS_KM;
  const found = await findPlaced(deps, { ...filter, lat, lon, radius_km: radiusKm });
  const sorted = sortPlaced(found);
  const page = cut(sorted, query);
  const coverage = deps.places.coverage(lon, lat, radiusKm);
  const rows = (await pageRows(deps, found, page.rows)).map(([row, { distanceKm, kind, reason }]) =>
    extendRow(row.full(), { distance_km: distanceKm, match_reason: reason, match_kind: kind }),
  );
  const members = {
    ...page.members,
    center: { lat, lon },
    radius_km: radiusKm,
    ...(city !== undefined && { city }),
    coverage,
    place_zones: [...new Set(deps.places.zonesAt(lon, lat, 0.4).map(({ code }) => code))],
    window: found.window,
    position: deps.board.position(),
    warnings: coverage === 'outside' ? [OUTSIDE, ...found.warnings] : found.warnings,
  };
  return { head: joinRows(rows, members), alerts: rows.length, tail };
}

const OUTSIDE: Warning = {
  code: 'outside_coverage',
  message: 'No National Weather Service zone lies within the radius: nothing can be concluded here from an empty answer.',
};

const tail: Built['tail'] = (freshness) => `"freshness":${JSON.stringify(freshness)}`;

async function buildWithin(deps: RouteDeps, query: WithinQuery | WithinBody, posted?: AreaTest): Promise<Built> {
  const { relation } = query;
  const found = await findPlaced(deps, query, posted);
  const sorted = sortPlaced(found).filter(({ match }) => !relation || (match.relation !== null && relation.includes(match.relation)));
  const page = cut(sorted, query);
  const rows: Buffer[] = [];
  for (const [index, [row, match]] of (await pageRows(deps, found, page.rows)).entries()) {
    if (index % SLICE === SLICE - 1) await new Promise<void>((turn) => setImmediate(turn));
    const share = found.area === null ? null : shareOf(found.area, row, match);
    rows.push(
      extendRow(row.full(), { match_kind: match.kind, match_reason: match.reason, relation: match.relation, overlap_share: share }),
    );
  }
  const members = { ...page.members, window: found.window, position: deps.board.position(), warnings: found.warnings };
  return { head: joinRows(rows, members), alerts: rows.length, tail };
}

function shareOf(area: AreaTest, row: Row, match: AreaMatch): number | null {
  const shape = area.shape();
  const own = row.shape();
  if (!shape || !own) return null;
  if (match.relation === 'within') return 1;
  return Math.round(overlapShare(shape, own) * 10_000) / 10_000;
}

function postedArea({ places }: RouteDeps, body: WithinBody): AreaTest {
  for (const name of ['bbox', 'polygon', 'lat', 'lon', 'radius_km'] as const) {
    if (body[name] !== undefined) throw fieldFault(name, 'conflict', `Give geometry or ${name}, not both.`);
  }
  const shape = parseShape(body.geometry, MAX_POSTED_VERTICES);
  if (!shape.ok) throw geoFault('geometry', shape.fault);
  return shapeTest(shape.value, places);
}

interface Placed {
  question: Question;
  selection: Selection<PlacedFacts>;
  area: AreaTest | null;
  window: { from: string; to: string | null };
  warnings: Warning[];
}

/** Without a time: active events and those over for at most 7 days, which is what the board holds; with one: the archive, too. */
async function findPlaced(deps: RouteDeps, query: AlertFilter & { from?: string; to?: string }, posted?: AreaTest): Promise<Placed> {
  const now = deps.clock.now();
  const time = compileTime({ from: query.from, to: query.to }, now);
  const range = time.range ?? { from: deps.board.floor(), to: null };
  const compiled = compileFilter(query, deps.places, posted);
  const question: Question = { filter: query, compiled, time, view: 'events', boardOnly: time.range === null };
  const selection = await selectRows(deps, question, (row) => placedFacts(compiled.area, row));
  return {
    question,
    selection,
    area: compiled.area,
    window: { from: ownTime(range.from), to: range.to === null ? null : ownTime(range.to) },
    warnings: warningsOf(deps, query, selection),
  };
}

/** What the order of the answer needs of every row. */
interface PlacedFacts {
  match: AreaMatch | null;
  rank: number;
  eventId: string;
}

type PlacedRow = PlacedFacts & { match: AreaMatch; kept: Kept<PlacedFacts> };

const placedFacts = (area: AreaTest | null, row: Row): PlacedFacts => ({
  match: area?.match(row) ?? null,
  rank: row.alert.hazard_rank,
  eventId: row.alert.event_id,
});

/** Nearest first, then worst, then by id. */
function sortPlaced({ selection, area }: Placed): PlacedRow[] {
  const facts = factsOf((row: Row) => placedFacts(area, row));
  const rows = selection.rows.flatMap((kept): PlacedRow[] => {
    const { match, ...more } = facts(kept);
    return match ? [{ ...more, match, kept }] : [];
  });
  return rows.sort((a, b) => a.match.distanceKm - b.match.distanceKm || b.rank - a.rank || (a.eventId < b.eventId ? -1 : 1));
}

/** The rows of a page with how they match. */
async function pageRows(deps: RouteDeps, { question, selection }: Placed, page: readonly PlacedRow[]): Promise<[Row, AreaMatch][]> {
  const matches = new Map(page.map(({ eventId, match }) => [eventId, match]));
  const kept = page.map((row) => row.kept);
  const rows = (await Array.fromAsync(rowsOf(deps, question, selection.readAt, kept))).flat();
  return rows.map((row) => [row, matches.get(row.alert.event_id) as AreaMatch]);
}

function cut(sorted: readonly PlacedRow[], query: { limit?: number; offset?: number }) {
  const limit = query.limit || MAX_LIMIT;
  const offset = query.offset ?? 0;
  const rows = sorted.slice(offset, offset + limit);
  const members = {
    total: sorted.length,
    limit,
    offset,
    has_more: offset + rows.length < sorted.length,
    truncated: rows.length < sorted.length,
  };
  return { rows, members };
}
