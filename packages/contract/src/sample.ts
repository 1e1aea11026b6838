/**
 * Example values out of JSON schemas, so that every documented answer has one that cannot drift from its schema. Values are made up; names
 * that the product uses everywhere get values one has seen in alerts.
 */
type Json = Record<string, unknown>;

/** Schemas by the name that `$ref` gives them. */
export type Components = ReadonlyMap<string, unknown>;

const LATER = '2026-11-21T18:45:00Z';

/** By name of the member; taken when it fits the schema. */
const BY_NAME: Readonly<Record<string, readonly unknown[]>> = {
  id: ['KDMX.TO.W.0106.2026', 'key_7q2m4x9k1v5t8r3n6p0w'],
  event_id: ['KDMX.TO.W.0106.2026'],
  event: ['Tornado Warning'],
  event_code: ['TOW'],
  family: ['tornado'],
  severity: ['Extreme'],
  urgency: ['Immediate'],
  certainty: ['Observed'],
  status: ['Actual', 'live', 'active', 'healthy', 'ok'],
  state: ['in_force', 'IA'],
  state_reason: ['issued'],
  is_active: [true],
  headline: ['Tornado Warning issued November 21 at 12:00PM CST until November 21 at 12:45PM CST by NWS Des Moines IA'],
  description: ['At 1158 AM CST, a confirmed tornado was located near Ankeny, moving northeast at 30 mph.', 'Storm dashboard'],
  instruction: ['TAKE COVER NOW! Move to a basement or an interior room on the lowest floor of a sturdy building.'],
  summary: ['until +45 min'],
  area_desc: ['Polk, IA; Story, IA'],
  location: ['Polk, IA; Story, IA'],
  area: ['Polk, IA'],
  name: ['Polk', 'minute'],
  office: ['KDMX'],
  sender_name: ['NWS Des Moines IA'],
  emoji: ['🌪️'],
  color: ['#FF0000'],
  source: ['nws'],
  feed: ['nws'],
  language: ['en-US'],
  category: ['Met'],
  response: ['Shelter'],
  cursor: ['pbzwehtx:252'],
  latest_cursor: ['pbzwehtx:252'],
  oldest_cursor: ['pbzwehtx:0'],
  epoch: ['pbzwehtx'],
  states: [['IA']],
  ugc: [['IAC153', 'IAC169'], 'IAC153'],
  same: [['019153', '019169']],
  event_ids: [['KDMX.TO.W.0106.2026']],
  label_point: [[-93.58, 41.77]],
  bbox: [[-93.82, 41.6, -93.35, 41.95]],
  time_zones: [['America/Chicago']],
  hazard_rank: [920],
  lat: [41.59],
  lon: [-93.62],
  limit: [5, 60],
  offset: [0],
  total: [1],
  radius_km: [25],
  distance_km: [0],
  match_kind: ['polygon'],
  match_reason: ['inside polygon'],
  expires: [LATER],
  ends: [LATER],
  in_force_until: [LATER],
  api_key: ['nws_Jk3f9QwZ2xN8vB5tR1yH7uM4pL6sD0aGcE_example_0123456789'],
  key_prefix: ['nws_Jk3f9QwZ'],
  username: ['ada'],
  email: ['ada@example.org'],
  role: ['user'],
  endpoint: ['GET /alerts'],
  per_minute: [60],
  per_day: [10_000],
  per_month: [100_000],
  rate_limit_per_minute: [60],
  daily_limit: [10_000],
  monthly_limit: [100_000],
};
const INSTANT = '2026-11-21T18:00:00.000Z';

/** An example that satisfies the schema. Members that may be missing are left out; what may be null is shown with a value. */
export function sampleOf(schema: unknown, components: Components = new Map()): unknown {
  return make(schema as Json, { name: '', components, open: [] });
}

interface Where {
  /** Nearest member name above. */
  name: string;
  components: Components;
  /** References being followed: a schema that contains itself ends with null, an empty list or an empty object. */
  open: readonly string[];
}

function make(schema: Json, where: Where): unknown {
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    const name = reference.slice(reference.lastIndexOf('/') + 1);
    if (where.open.includes(name)) return null;
    return make((where.components.get(name) ?? {}) as Json, { ...where, open: [...where.open, name] });
  }
  if ('const' in schema) return schema['const'];
  const known = BY_NAME[where.name]?.find((value) => fits(schema, value));
  if (known !== undefined) return known;
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (choices) {
    const told = choices.filter(({ type }) => type !== 'null');
    const liked = told.find((one) => BY_NAME[where.name]?.some((value) => fits(one, value)));
    return make(liked ?? told[0] ?? {}, where);
  }
  if (Array.isArray(schema['allOf'])) return Object.assign({}, ...(schema['allOf'] as Json[]).map((part) => make(part, where) as object));
  const type = [schema['type']].flat().find((one) => one !== 'null');
  if (type === 'object' || schema['properties']) return objectOf(schema, where);
  if (type === 'array') return arrayOf(schema, where);
  if (type === 'integer' || type === 'number') return numberOf(schema);
  if (type === 'boolean') return false;
  return type === 'string' ? textOf(schema) : null;
}

function objectOf(schema: Json, where: Where): Json {
  const required = new Set(schema['required'] as string[] | undefined);
  const made: Json = {};
  for (const [name, part] of Object.entries((schema['properties'] ?? {}) as Record<string, Json>)) {
    if (required.has(name)) made[name] = make(part, { ...where, name });
  }
  const [any] = Object.values((schema['patternProperties'] ?? {}) as Record<string, Json>);
  if (any) made[where.name === 'by_event' ? 'Tornado Warning' : 'name'] = make(any, { ...where, name: '' });
  return made;
}

function arrayOf(schema: Json, where: Where): unknown[] {
  const items = schema['items'] as Json | Json[] | undefined;
  if (Array.isArray(items)) return items.map((item) => make(item, where));
  if (!items) return [];
  const count = Math.max(1, Number(schema['minItems'] ?? 1));
  const one = make(items, where);
  // A reference to what is already being made: the list ends here.
  if (one === null && typeof items['$ref'] === 'string') return [];
  return Array.from({ length: count }, () => one);
}

function numberOf(schema: Json): number {
  const least = Number(schema['minimum'] ?? 1);
  const most = Number(schema['maximum'] ?? Number.POSITIVE_INFINITY);
  return Math.min(Math.max(1, least), most);
}

function textOf(schema: Json): string {
  const { format, minLength = 0, maxLength = 64 } = schema as { format?: string; minLength?: number; maxLength?: number };
  if (format === 'date-time') return INSTANT;
  if (format === 'date') return INSTANT.slice(0, 10);
  if (format === 'uri') return 'https://example.org/';
  return '…'.repeat(Math.max(1, minLength)).slice(0, maxLength);
}

/** Whether a value of the table is of this schema; strict enough for the kinds of schema the contract uses. */
function fits(schema: Json, value: unknown): boolean {
  const choices = (schema['anyOf'] ?? schema['oneOf']) as Json[] | undefined;
  if (choices) return choices.some((one) => fits(one, value));
  if (Array.isArray(schema['enum'])) return schema['enum'].includes(value);
  if ('$ref' in schema || 'const' in schema) return false;
  const type = [schema['type']].flat();
  if (Array.isArray(value)) {
    const items = schema['items'] as Json | undefined;
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema as { minItems?: number; maxItems?: number };
    const size = value.length >= minItems && value.length <= maxItems;
    return type.includes('array') && size && items !== undefined && value.every((one) => fits(items, one));
  }
  if (typeof value === 'number') {
    const { minimum = value, maximum = value } = schema as { minimum?: number; maximum?: number };
    return (type.includes('number') || (type.includes('integer') && Number.isInteger(value))) && value >= minimum && value <= maximum;
  }
  if (typeof value === 'boolean') return type.includes('boolean');
  if (typeof value !== 'string' || !type.includes('string') || 'pattern' in schema) return false;
  const { format, minLength = 0, maxLength = value.length } = schema as { format?: string; minLength?: number; maxLength?: number };
  const isInstant = /^\d{4}-\d\d-\d\dT/.test(value);
  return (format === 'date-time') === isInstant && value.length >= minLength && value.length <= maxLength;
}
