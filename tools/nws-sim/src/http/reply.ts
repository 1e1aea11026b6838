/** An answer before faults and the wire. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  /** Text, or bytes for broken compression. */
  body: string | Buffer;
}

/** RFC 9457 problem as api.weather.gov writes it; `correlationId` is eight hex digits. */
export function problem(status: number, title: string, detail: string, correlationId: string, extra: Record<string, unknown> = {}): Reply {
  const name = title.replaceAll(' ', '');
  const body = {
    correlationId,
    ...extra,
    title,
    type: `https://api.weather.gov/problems/${name}`,
    status,
    detail,
    instance: `https://api.weather.gov/requests/${correlationId}`,
  };
  return { status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(body) };
}

export function json(body: unknown, type = 'application/geo+json'): Reply {
  return { status: 200, headers: { 'content-type': type }, body: JSON.stringify(body) };
}

export function notFound(path: string, correlationId: string): Reply {
  return problem(404, 'Not Found', `'${path}' is not a valid resource path`, correlationId);
}

/** The content network's own refusal, not the API's: HTML, and 403 even for a well-formed address. */
export function forbiddenHtml(reference: string): Reply {
  const body = `<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\nYou don't have permission to access this server.<P>\nReference #18.${reference}\n</BODY>\n</HTML>\n`;
  return { status: 403, headers: { 'content-type': 'text/html' }, body };
}

export const CONTEXT = [
  'https://geojson.org/geojson-ld/geojson-context.jsonld',
  { '@version': '1.1', wx: 'https://api.weather.gov/ontology#', '@vocab': 'https://api.weather.gov/ontology#' },
];

/** Context of points, grids and stations. */
export const POINT_CONTEXT = [
  'https://geojson.org/geojson-ld/geojson-context.jsonld',
  {
    '@version': '1.1',
    wx: 'https://api.weather.gov/ontology#',
    geo: 'http://www.opengis.net/ont/geosparql#',
    unit: 'http://codes.wmo.int/common/unit/',
    '@vocab': 'https://api.weather.gov/ontology#',
  },
];
