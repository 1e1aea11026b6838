import type { Presented } from '../present.ts';
import { CAP_NAMESPACE, XML_DECLARATION } from './cap.ts';
import { element, xmlText } from './xml.ts';

export interface AtomFeed {
  /** Absolute URL of this answer. */
  selfUrl: string;
  nextUrl: string | null;
  /** Origin and base path of the API, for links of entries. */
  apiUrl: string;
  title: string;
  /** RFC 3339; the newest updated_at, or the data's instant when there are no rows. */
  updated: string;
  /** Said in the feed itself: how fresh it is. */
  subtitle: string;
}

const link = (rel: string, href: string, type?: string) => `<link rel="${rel}" href="${xmlText(href)}"${type ? ` type="${type}"` : ''}/>`;

/** Atom ids must be IRIs; identifiers that are not URNs get one of ours. */
const iri = (id: string) => (/^[a-z][a-z0-9+.-]*:/i.test(id) ? id : `urn:nwms:alert:${encodeURIComponent(id)}`);

function entry(row: Presented, apiUrl: string, capText: string | null): string {
  const { slim, heavy } = row;
  const here = `${apiUrl}/alerts/${encodeURIComponent(slim.id)}`;
  const cap = [
    element('cap:event', slim.event),
    element('cap:effective', slim.effective),
    element('cap:expires', slim.expires),
    element('cap:status', slim.status),
    element('cap:msgType', slim.message_type),
    element('cap:category', slim.category),
    element('cap:urgency', slim.urgency),
    element('cap:severity', slim.severity),
    element('cap:certainty', slim.certainty),
    element('cap:areaDesc', slim.area_desc),
  ].join('');
  return [
    '<entry>',
    element('id', iri(slim.id)),
    element('title', slim.headline ?? `${slim.event}: ${slim.location}`),
    element('updated', slim.updated_at),
    element('published', slim.sent),
    `<author>${element('name', slim.sender_name || 'Unknown')}</author>`,
    link('alternate', here, 'application/json'),
    link('alternate', `${here}?format=cap`, 'application/cap+xml'),
    slim.source_url ? link('via', slim.source_url) : '',
    element('summary', heavy.description),
    cap,
    capText ? `<content type="application/cap+xml">${capText}</content>` : '',
    '</entry>',
  ].join('');
}

/** RFC 4287 feed of alerts, with `cap:` elements; `capOf` puts the whole CAP message inline (format=cap of a list). */
export function atomXml(rows: readonly Presented[], feed: AtomFeed, capOf?: (row: Presented) => string | null): string {
  return [
    XML_DECLARATION,
    `<feed xmlns="http://www.w3.org/2005/Atom" xmlns:cap="${CAP_NAMESPACE}">`,
    element('id', feed.selfUrl),
    element('title', feed.title),
    element('subtitle', feed.subtitle),
    element('updated', feed.updated),
    '<author><name>NWMS</name></author>',
    link('self', feed.selfUrl),
    feed.nextUrl ? link('next', feed.nextUrl) : '',
    ...rows.map((row) => entry(row, feed.apiUrl, capOf?.(row) ?? null)),
    '</feed>',
  ].join('');
}
