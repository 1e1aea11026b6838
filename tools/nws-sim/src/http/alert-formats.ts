import type { RawFeature } from '../feature.ts';
import { isoWithOffset } from '../local-time.ts';
import { polygonsOf } from '../places/geometry.ts';

export type Format = 'geojson' | 'ld' | 'cap' | 'atom';

/** Upstream answers GeoJSON unless the Accept header clearly asks for something else it has. */
export function formatOf(accept: string | undefined): Format {
  const first = (accept ?? '').split(',').map((part) => part.split(';')[0]?.trim().toLowerCase() ?? '');
  for (const type of first) {
    if (type === 'application/geo+json' || type === 'application/json' || type === '*/*') return 'geojson';
    if (type === 'application/ld+json') return 'ld';
    if (type === 'application/cap+xml') return 'cap';
    if (type === 'application/atom+xml') return 'atom';
  }
  return 'geojson';
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function tag(name: string, value: string | null | undefined): string {
  return value === null || value === undefined ? '' : `<${name}>${escape(value)}</${name}>`;
}

/** CAP 1.2 document of one message. */
export function writeCap({ geometry, properties }: RawFeature): string {
  const pairs = (name: string, values: Record<string, string[]>): string =>
    Object.entries(values)
      .flatMap(([valueName, list]) => list.map((value) => `<${name}>${tag('valueName', valueName)}${tag('value', value)}</${name}>`))
      .join('');
  const references = properties.references.map(({ sender, identifier, sent }) => `${sender},${identifier},${sent}`).join(' ');
  const polygons = geometry
    ? polygonsOf(geometry).map(([ring]) => tag('polygon', (ring ?? []).map(([lon, lat]) => `${lat},${lon}`).join(' ')))
    : [];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">',
    tag('identifier', properties.id),
    tag('sender', properties.sender),
    tag('sent', properties.sent),
    tag('status', properties.status),
    tag('msgType', properties.messageType),
    tag('scope', properties.scope),
    tag('code', properties.code),
    references ? tag('references', references) : '',
    '<info>',
    tag('language', properties.language),
    tag('category', properties.category),
    tag('event', properties.event),
    tag('responseType', properties.response),
    tag('urgency', properties.urgency),
    tag('severity', properties.severity),
    tag('certainty', properties.certainty),
    pairs('eventCode', properties.eventCode),
    tag('effective', properties.effective),
    tag('onset', properties.onset),
    tag('expires', properties.expires),
    tag('senderName', properties.senderName),
    tag('headline', properties.headline),
    tag('description', properties.description),
    tag('instruction', properties.instruction),
    tag('web', properties.web),
    pairs('parameter', properties.parameters),
    '<area>',
    tag('areaDesc', properties.areaDesc),
    ...polygons,
    pairs('geocode', properties.geocode),
    '</area></info></alert>\n',
  ].join('');
}

/** Atom feed with CAP 1.2 members, as api.weather.gov/alerts.atom had it. */
export function writeAtom(features: RawFeature[], title: string, updated: number): string {
  const entries = features.map(({ geometry, properties }) => {
    const ring = geometry ? polygonsOf(geometry)[0]?.[0] : undefined;
    const codes = Object.entries(properties.geocode).flatMap(([name, list]) =>
      list.map((value) => `<cap:geocode><valueName>${name}</valueName><value>${escape(value)}</value></cap:geocode>`),
    );
    const parameters = Object.entries(properties.parameters).flatMap(([name, list]) =>
      list.map((value) => `<cap:parameter><valueName>${escape(name)}</valueName><value>${escape(value)}</value></cap:parameter>`),
    );
    return [
      '<entry>',
      tag('id', properties['@id']),
      tag('updated', properties.sent),
      tag('published', properties.sent),
      '<author><name>NWS</name></author>',
      tag('title', properties.headline ?? ''),
      tag('summary', properties.description),
      ...(['event', 'sent', 'effective', 'onset', 'expires', 'status'] as const).map((name) => tag(`cap:${name}`, properties[name])),
      tag('cap:msgType', properties.messageType),
      ...(['category', 'urgency', 'severity', 'certainty', 'areaDesc'] as const).map((name) => tag(`cap:${name}`, properties[name])),
      ring ? tag('cap:polygon', ring.map(([lon, lat]) => `${lat},${lon}`).join(' ')) : '<cap:polygon/>',
      ...codes,
      ...parameters,
      '</entry>',
    ].join('');
  });
  const head = `<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xmlns:cap="urn:oasis:names:tc:emergency:cap:1.2">`;
  const self = 'https://nws-sim.invalid/alerts.atom?active=1';
  return `${head}<id>${self}</id><generator>NWMS weather simulator</generator><updated>${isoWithOffset(updated, 0)}</updated><author><name>nws-sim@example.invalid</name></author>${tag('title', title)}<link rel="self" href="${self}"/>${entries.join('\n')}</feed>\n`;
}
