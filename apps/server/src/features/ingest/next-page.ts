/** Query parameters api.weather.gov knows per path; any other name is answered 400 (trap 36), so none is ever sent. */
const FILTERS = [
  'status',
  'message_type',
  'event',
  'code',
  'area',
  'point',
  'region',
  'region_type',
  'zone',
  'urgency',
  'severity',
  'certainty',
];
const KNOWN: Record<string, ReadonlySet<string>> = {
  '/alerts': new Set(['start', 'end', 'limit', 'cursor', ...FILTERS]),
  '/alerts/active': new Set(FILTERS),
};
const MAX_NEXT_CHARS = 4_096;

export type NextPage = { kind: 'none' } | { kind: 'refused' } | { kind: 'page'; path: string };

/**
 * Reads `pagination.next` of a collection: followed only to the configured origin, only to an alert list, only with known parameters
 * (trap 38, G1). The address is text from outside until it has passed here.
 */
export function nextPage(collection: Record<string, unknown>, origin: string): NextPage {
  const pagination = collection['pagination'];
  const next = typeof pagination === 'object' && pagination !== null && 'next' in pagination ? pagination.next : null;
  if (next === null || next === undefined || next === '') return { kind: 'none' };
  if (typeof next !== 'string' || next.length > MAX_NEXT_CHARS) return { kind: 'refused' };
  const url = URL.parse(next, origin);
  if (!url || url.origin !== origin || url.username || url.password) return { kind: 'refused' };
  const known = Object.hasOwn(KNOWN, url.pathname) ? KNOWN[url.pathname] : undefined;
  if (!known || [...url.searchParams.keys()].some((name) => !known.has(name))) return { kind: 'refused' };
  return { kind: 'page', path: `${url.pathname}${url.search}` };
}
