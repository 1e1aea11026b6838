import type { AlertMessage, Position, Shape } from '@nwms/domain';
import { element, xmlText } from './xml.ts';

export const CAP_NAMESPACE = 'urn:oasis:names:tc:emergency:cap:1.2';

/** CAP 1.2 code values; anything else would not be schema-valid. */
const CATEGORIES = new Set(['Geo', 'Met', 'Safety', 'Security', 'Rescue', 'Fire', 'Health', 'Env', 'Transport', 'Infra', 'CBRNE', 'Other']);
const RESPONSES = new Set(['Shelter', 'Evacuate', 'Prepare', 'Execute', 'Avoid', 'Monitor', 'Assess', 'AllClear', 'None']);

/** Members of the upstream feature that CAP shows and the parsed message does not model. */
interface UpstreamFeature {
  properties?: {
    sent?: unknown;
    effective?: unknown;
    onset?: unknown;
    expires?: unknown;
    web?: unknown;
    scope?: unknown;
    code?: unknown;
    parameters?: Record<string, unknown>;
    geocode?: Record<string, unknown>;
    eventCode?: Record<string, unknown>;
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);

/** Identifiers and senders have neither spaces nor commas, which separate them in `references`, nor markup. */
const capName = (text: string | null): string => (text ?? '').replaceAll(/[\s,<&]+/g, '_');

/** CAP dateTime: seconds, and `-00:00` instead of Z. Upstream text is kept when it already has the form: its offset is the office's own clock. */
function capTime(upstream: unknown, at: number | null, offsetMinutes: number): string | null {
  const text = textOf(upstream);
  if (text && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(text)) return text.replace('+00:00', '-00:00');
  if (at === null) return null;
  const local = new Date(at + offsetMinutes * 60_000).toISOString().slice(0, 19);
  const size = Math.abs(offsetMinutes);
  const sign = offsetMinutes > 0 ? '+' : '-';
  return `${local}${sign}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`;
}

/** `<name><valueName/><value/></name>` for every value of every member, as received. */
function valuePairs(name: string, values: Record<string, unknown> | undefined): string {
  return Object.entries(values ?? {})
    .flatMap(([key, value]) => (Array.isArray(value) ? value : [value]).map((item) => [key, item] as const))
    .filter(([, item]) => typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean')
    .map(([key, item]) => `<${name}>${element('valueName', key)}<value>${xmlText(String(item))}</value></${name}>`)
    .join('');
}

/** CAP polygons: `lat,lon lat,lon ...`, closed, outer rings only (CAP has no holes). */
function polygons(shape: Shape | null): string {
  if (!shape) return '';
  const outer = shape.type === 'Polygon' ? [shape.coordinates[0]] : shape.coordinates.map((part) => part[0]);
  return outer
    .filter((ring): ring is Position[] => ring !== undefined && ring.length >= 4)
    .map((ring) => element('polygon', ring.map(([lon, lat]) => `${lat},${lon}`).join(' ')))
    .join('');
}

/**
 * CAP 1.2 of one message as received: original identifier, sender, times with their offsets, every parameter and geocode. Exercise stays
 * Exercise. `raw` is the upstream feature's JSON text.
 */
export function capXml(message: AlertMessage, raw: string | null): string {
  const { properties = {} } = (raw ? JSON.parse(raw) : {}) as UpstreamFeature;
  const time = (key: 'sent' | 'effective' | 'onset' | 'expires', at: number | null) =>
    capTime(properties[key], at, message.sentOffsetMinutes);
  const references = message.references
    .filter((reference) => reference.kind === 'reference' && reference.sender && reference.sent !== null)
    .map(
      (reference) => `${capName(reference.sender)},${capName(reference.id)},${capTime(null, reference.sent, message.sentOffsetMinutes)}`,
    );
  const info = [
    element('language', message.language),
    element('category', CATEGORIES.has(message.category) ? message.category : 'Other'),
    element('event', message.event),
    element('responseType', message.response && RESPONSES.has(message.response) ? message.response : null),
    element('urgency', message.urgency ?? 'Unknown'),
    element('severity', message.severity),
    element('certainty', message.certainty ?? 'Unknown'),
    valuePairs('eventCode', properties.eventCode),
    element('effective', time('effective', message.effective)),
    element('onset', time('onset', message.onset)),
    element('expires', time('expires', message.expires)),
    element('senderName', message.senderName),
    element('headline', message.headline),
    element('description', message.description),
    element('instruction', message.instruction),
    element('web', textOf(properties.web)),
    valuePairs('parameter', properties.parameters),
    `<area>${element('areaDesc', message.areaDesc || 'Unknown')}${polygons(message.polygon)}${valuePairs('geocode', properties.geocode)}</area>`,
  ].join('');
  return [
    `<alert xmlns="${CAP_NAMESPACE}">`,
    element('identifier', capName(message.upstreamId)),
    element('sender', capName(message.sender ?? message.senderName) || 'unknown'),
    element('sent', time('sent', message.sent)),
    element('status', message.status),
    element('msgType', message.messageType ?? 'Alert'),
    element('scope', textOf(properties.scope) ?? 'Public'),
    element('code', textOf(properties.code)),
    element('references', references.join(' ')),
    `<info>${info}</info>`,
    '</alert>',
  ].join('');
}

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
