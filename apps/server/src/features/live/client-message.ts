import { type LiveErrorCode, LiveFilter } from '@nwms/contract';
import { CHANNELS, type Channel, SEVERITIES } from '@nwms/domain';
import { Check, Errors } from 'typebox/value';
import { parseSafeJson } from '../../platform/safe-json.ts';
import { type Cursor, parseCursor } from './cursor.ts';
import type { FilterInput, LiveLimits, Refusal } from './types.ts';

export type ClientRequest =
  | {
      type: 'subscribe';
      id: string | null;
      channels: Channel[];
      since: Cursor | null;
      snapshot: 'always' | 'on_gap' | null;
      filter: FilterInput | null | undefined;
    }
  | { type: 'unsubscribe'; id: string | null; channels: Channel[] }
  | { type: 'ping'; id: string | null }
  | { type: 'auth'; id: string | null; token: string };

export type Understood = { ok: true; request: ClientRequest } | ({ ok: false } & Refusal);

const MAX_CHANNELS = 10;
const isChannel = (value: unknown): value is Channel => (CHANNELS as readonly unknown[]).includes(value);

/** Reads one text frame of a client. Never throws, whatever arrives; members it does not know are ignored, except in filters. */
export function understand(text: string, limits: LiveLimits): Understood {
  const parsed = parseSafeJson(text);
  if (!parsed.ok) {
    const code = parsed.reason === 'too_deep' ? 'live.protocol' : 'live.bad_message';
    return { ok: false, code, detail: 'A message is one JSON object, at most 32 levels deep.', id: null };
  }
  const message = parsed.value;
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return refuse('live.bad_message', 'A message is one JSON object.', null);
  const members = message as Record<string, unknown>;
  const id = members['id'] ?? null;
  if (id !== null && (typeof id !== 'string' || id.length === 0 || id.length > 64))
    return refuse('live.bad_message', 'id must be text of 1 to 64 characters.', null);
  switch (members['type']) {
    case 'subscribe':
      return subscribe(members, id, limits);
    case 'unsubscribe':
      return unsubscribe(members, id);
    case 'ping':
      return { ok: true, request: { type: 'ping', id } };
    case 'auth':
      return typeof members['token'] === 'string' && members['token'].length <= 8192
        ? { ok: true, request: { type: 'auth', id, token: members['token'] } }
        : refuse('live.bad_message', 'token must be text.', id);
    default:
      return refuse('live.unknown_type', 'Known types: subscribe, unsubscribe, ping, auth.', id);
  }
}

const refuse = (code: LiveErrorCode, detail: string, id: string | null): Understood => ({ ok: false, code, detail, id });

function subscribe(members: Record<string, unknown>, id: string | null, limits: LiveLimits): Understood {
  const { channels, since = null, snapshot = null } = members;
  if (!Array.isArray(channels) || channels.length === 0 || channels.length > MAX_CHANNELS)
    return refuse('live.bad_message', `channels must be a list of 1 to ${MAX_CHANNELS} of ${CHANNELS.join(', ')}.`, id);
  const unknown = channels.find((name) => !isChannel(name));
  if (unknown !== undefined) return refuse('live.unknown_channel', `Known channels: ${CHANNELS.join(', ')}.`, id);
  if (snapshot !== null && snapshot !== 'always' && snapshot !== 'on_gap')
    return refuse('live.bad_message', 'snapshot must be always or on_gap.', id);
  const cursor = typeof since === 'string' ? parseCursor(since) : null;
  if (since !== null && !cursor) return refuse('live.bad_cursor', 'since must be a cursor of this feed.', id);
  const filter = readFilter(members['filter'], limits);
  if (!filter.ok) return refuse('live.bad_filter', filter.detail, id);
  return { ok: true, request: { type: 'subscribe', id, channels: channels as Channel[], since: cursor, snapshot, filter: filter.value } };
}

function unsubscribe({ channels }: Record<string, unknown>, id: string | null): Understood {
  if (!Array.isArray(channels) || channels.length > MAX_CHANNELS || channels.some((name) => typeof name !== 'string'))
    return refuse('live.bad_message', `channels must be a list of at most ${MAX_CHANNELS} names.`, id);
  // LV9: what is not subscribed, or not known, is no fault.
  return { ok: true, request: { type: 'unsubscribe', id, channels: channels.filter(isChannel) } };
}

type FilterRead = { ok: true; value: FilterInput | null | undefined } | { ok: false; detail: string };

/** LV12. Lists and texts are brought to the form the list's filters have; an unknown member is refused, for it would silently widen the filter. */
function readFilter(given: unknown, limits: LiveLimits): FilterRead {
  if (given === undefined || given === null) return { ok: true, value: given };
  const filter = typeof given === 'object' && !Array.isArray(given) ? withSeverityCase(given as Record<string, unknown>) : given;
  if (!Check(LiveFilter, filter)) {
    const fault = Errors(LiveFilter, filter)[0];
    return { ok: false, detail: `filter${fault?.instancePath.replaceAll('/', '.') ?? ''} ${fault?.message ?? 'is not accepted'}.` };
  }
  const value: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(filter)) {
    if (name === 'bbox' || name === 'polygon') {
      const text = coordinateText(member);
      if (text === null) return { ok: false, detail: `filter.${name} must be text or numbers.` };
      value[name] = text;
      continue;
    }
    if (Array.isArray(member) && member.length > limits.filterValues)
      return { ok: false, detail: `filter.${name} takes at most ${limits.filterValues} values.` };
    if (Array.isArray(member) && member.length === 0) continue;
    value[name] = member;
  }
  const polygon = value['polygon'];
  if (typeof polygon === 'string' && polygon.split(';').length > limits.filterVertices)
    return { ok: false, detail: `filter.polygon takes at most ${limits.filterVertices} vertices.` };
  return { ok: true, value: Object.keys(value).length === 0 ? null : value };
}

/** Enumerations are accepted in any letter case, as everywhere in the API. */
function withSeverityCase(filter: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(filter['severity'])) return filter;
  const severity = filter['severity'].map(
    (value) => SEVERITIES.find((known) => known.toLowerCase() === String(value).toLowerCase()) ?? value,
  );
  return { ...filter, severity };
}

/** `[w,s,e,n]` and `[[lon,lat],...]` as the texts the list's parameters take. */
function coordinateText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return null;
  if (value.every((part) => typeof part === 'number')) return value.join(',');
  const pairs = value.map((pair) =>
    Array.isArray(pair) && pair.length === 2 && pair.every((part) => typeof part === 'number') ? pair.join(',') : null,
  );
  return pairs.includes(null) ? null : pairs.join(';');
}
