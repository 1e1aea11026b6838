import type { Feed, RawFeature } from '../feature.ts';
import { isoWithOffset } from '../local-time.ts';
import { checkQuery, filterOf } from './alert-filter.ts';
import { type Format, writeAtom, writeCap } from './alert-formats.ts';
import type { Context } from './context.ts';
import { CONTEXT, json, problem, type Reply } from './reply.ts';

/** Upstream keeps about seven days of messages for `/alerts`. */
const KEPT_MS = 7 * 24 * 3_600_000;
/** Without `start` only the last day is listed (the newest pages are what upstream's users read; a week is tens of thousands). */
const DEFAULT_SPAN_MS = 24 * 3_600_000;
const PAGE_SIZE = 500;
/** A fast world sends some hundred messages in this long. */
const FIRST_WINDOW_MS = 15_000;

/** Answers under `/alerts`; undefined when the path is none of them. */
export function answerAlerts(context: Context): Reply | undefined {
  const [root, second, third, fourth, ...rest] = context.segments;
  if (root !== 'alerts' || rest.length > 0) return undefined;
  if (second === undefined) return pageOfAlerts(context);
  if (second === 'types' && third === undefined) return types(context);
  if (second !== 'active') return third === undefined ? single(context, second) : undefined;
  if (third === undefined) return active(context, context.query);
  if (third === 'count' && fourth === undefined) return counts(context);
  if (['zone', 'area', 'region'].includes(third) && fourth !== undefined) {
    const query = new URLSearchParams(context.query);
    query.set(third, fourth);
    return active(context, query);
  }
  return undefined;
}

function refusal(context: Context, faults: { parameter: string; message: string }[]): Reply {
  return problem(400, 'Bad Request', 'Bad Request', context.correlationId, { parameterErrors: faults });
}

function active(context: Context, query: URLSearchParams): Reply {
  const faults = checkQuery(query, false);
  if (faults.length > 0) return refusal(context, faults);
  const { feed, now, format } = context;
  const snapshot = feed.activeAt(now);
  const features = snapshot.features.filter(filterOf(query, feed));
  return collection(format, features, snapshot.updated, `Current watches, warnings, and advisories${titleOf(query)}`, {});
}

function titleOf(query: URLSearchParams): string {
  const where = query.get('area') ?? query.get('zone') ?? query.get('region') ?? query.get('point');
  return where === null ? '' : ` for ${where}`;
}

function collection(format: Format, features: RawFeature[], updated: number, title: string, extra: Record<string, unknown>): Reply {
  const headers = { 'last-modified': new Date(updated).toUTCString() };
  if (format === 'atom')
    return { status: 200, headers: { ...headers, 'content-type': 'application/atom+xml' }, body: writeAtom(features, title, updated) };
  if (format === 'ld') {
    const graph = {
      '@context': CONTEXT,
      '@graph': features.map(({ geometry, properties }) => ({ ...properties, geometry })),
      title,
      updated: isoWithOffset(updated, 0),
      ...extra,
    };
    const reply = json(graph, 'application/ld+json');
    return { ...reply, headers: { ...reply.headers, ...headers } };
  }
  const reply = json({ '@context': CONTEXT, type: 'FeatureCollection', features, title, updated: isoWithOffset(updated, 0), ...extra });
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** `/alerts`: newest first, by pages with an opaque cursor that pins the moment of the first page. */
function pageOfAlerts(context: Context): Reply {
  const { query, feed, now, format } = context;
  const faults = checkQuery(query, true);
  const cursor = query.get('cursor');
  const place = cursor === null ? { at: now, offset: 0 } : readCursor(cursor);
  if (!place) faults.push({ parameter: 'query.cursor', message: 'Not a cursor of this service' });
  if (faults.length > 0 || !place) return refusal(context, faults);
  const limit = Number(query.get('limit') ?? PAGE_SIZE);
  const start = Date.parse(query.get('start') ?? '') || place.at - DEFAULT_SPAN_MS;
  const from = Math.max(place.at - KEPT_MS, start);
  const to = Math.min(place.at, Date.parse(query.get('end') ?? '') || place.at);
  const filter = filterOf(query, feed);
  const wanted = place.offset + limit + 1;
  const matching =
    query.get('active') === 'true' || query.get('active') === '1'
      ? feed.activeAt(place.at).features.filter(filter)
      : newestIssued(feed, from - 1, to, filter, wanted);
  const page = matching.slice(Math.max(0, place.offset - (context.pageOverlap ?? 0)), place.offset + limit);
  const more = place.offset + limit < matching.length;
  const next = new URL(`${context.baseUrl}/alerts`);
  for (const [name, value] of query) next.searchParams.set(name, value);
  next.searchParams.set('cursor', writeCursor({ at: place.at, offset: place.offset + limit }));
  return collection(format, page, now, 'Watches, warnings, and advisories', more ? { pagination: { next: next.href } } : {});
}

/** Of the messages with from < sent <= to, the newest that pass, at least `wanted` if there are as many. Newest first. */
function newestIssued(feed: Feed, from: number, to: number, filter: (feature: RawFeature) => boolean, wanted: number): RawFeature[] {
  const found: RawFeature[] = [];
  // Only as much of the past is written out as a page needs: a fast world has hundreds of thousands of messages in a week.
  let windowMs = FIRST_WINDOW_MS;
  for (let end = to; end > from && found.length < wanted; windowMs *= 2) {
    const start = Math.max(from, end - windowMs);
    found.push(...feed.issuedBetween(start, end).reverse().filter(filter));
    end = start;
  }
  return found;
}

interface Cursor {
  at: number;
  offset: number;
}

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify({ t: cursor.at, s: cursor.offset })).toString('base64url');
}

function readCursor(text: string): Cursor | null {
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString()) as { t?: unknown; s?: unknown };
    return typeof value.t === 'number' && typeof value.s === 'number' ? { at: value.t, offset: value.s } : null;
  } catch {
    // Any text can come in as a cursor; what does not parse is simply none of ours.
    return null;
  }
}

function single(context: Context, id: string): Reply {
  const cap = id.endsWith('.cap') || context.format === 'cap';
  const feature = context.feed.byId(id.replace(/\.(cap|json)$/, ''));
  // A simulated world also knows its future; the service does not.
  if (!feature || Date.parse(feature.properties.sent) > context.now)
    return problem(404, 'Alert Not Found', `No alert with identifier ${id}`, context.correlationId);
  if (cap) return { status: 200, headers: { 'content-type': 'application/cap+xml' }, body: writeCap(feature) };
  return json({ '@context': CONTEXT, ...feature });
}

function types(context: Context): Reply {
  const eventTypes = [...new Set(context.feed.activeAt(context.now).features.map(({ properties }) => properties.event))].sort();
  return json({ '@context': [], eventTypes }, 'application/ld+json');
}

function counts(context: Context): Reply {
  const { features } = context.feed.activeAt(context.now);
  const total = { areas: {} as Record<string, number>, regions: {} as Record<string, number>, zones: {} as Record<string, number> };
  let land = 0;
  for (const { properties } of features) {
    const ids = (properties.affectedZones ?? []).map((url) => url.slice(url.lastIndexOf('/') + 1));
    const areas = new Set(ids.map((id) => id.slice(0, 2)));
    for (const id of new Set(ids)) total.zones[id] = (total.zones[id] ?? 0) + 1;
    for (const area of areas) total.areas[area] = (total.areas[area] ?? 0) + 1;
    if (![...areas].some((area) => /^(A[MN]|GM|L[CEHMOS]|P[HKMSZ]|SL)$/.test(area))) land += 1;
  }
  return json({ '@context': [], total: features.length, land, marine: features.length - land, ...total }, 'application/ld+json');
}
