import { parseTimestamp } from '../time/timestamp.ts';
import type { Reference } from './message.ts';
import { asRecord, asText, member } from './read-json.ts';

/** Chains of 60 ancestors were seen; more than 500 is damage. */
const MAX_REFERENCES = 500;
const MAX_ID_LENGTH = 240;

/** `references` (objects) and `parameters.expiredReferences` (text) in one list without repeats (trap 3). */
export function parseReferences(references: unknown, expired: readonly string[]): Reference[] {
  const byId = new Map<string, Reference>();
  for (const item of Array.isArray(references) ? references.slice(0, MAX_REFERENCES) : []) {
    const record = asRecord(item);
    const id = asText(member(record, 'identifier'), MAX_ID_LENGTH) ?? idOfUrl(member(record, '@id'));
    if (id === null || byId.has(id)) continue;
    byId.set(id, {
      id,
      sender: asText(member(record, 'sender'), 200),
      sent: parseTimestamp(member(record, 'sent'))?.at ?? null,
      kind: 'reference',
    });
  }
  for (const text of expired) {
    for (const reference of parseTriples(text)) {
      if (byId.size >= MAX_REFERENCES) break;
      if (!byId.has(reference.id)) byId.set(reference.id, reference);
    }
  }
  return [...byId.values()];
}

/**
 * Blank-separated `sender,id,sent` triples. Senders of county messages hold commas and blanks themselves
 * ("202307,TX Medina County,MedinaCo"), so a triple ends where a timestamp follows a comma, and is read from its end.
 */
function parseTriples(text: string): Reference[] {
  const found: Reference[] = [];
  let pending: string[] = [];
  for (const token of text.split(/\s+/)) {
    pending.push(token);
    const sent = parseTimestamp(token.slice(token.lastIndexOf(',') + 1));
    if (!token.includes(',') || !sent) continue;
    const parts = pending.join(' ').split(',');
    pending = [];
    const id = parts[parts.length - 2]?.trim() ?? '';
    const sender = parts.slice(0, -2).join(',').trim();
    if (id !== '' && id.length <= MAX_ID_LENGTH) {
      found.push({ id, sender: sender === '' ? null : sender.slice(0, 200), sent: sent.at, kind: 'expired_reference' });
    }
  }
  return found;
}

/** Identifier at the end of `https://api.weather.gov/alerts/<id>`, or the text itself when it is no URL. */
export function idOfUrl(value: unknown): string | null {
  const text = asText(value, 400);
  if (text === null) return null;
  const id = text.includes('://') ? text.slice(text.lastIndexOf('/') + 1) : text;
  return id === '' || id.length > MAX_ID_LENGTH ? null : id;
}
