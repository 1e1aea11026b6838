/** Total readers over untrusted JSON: they never throw and never follow the prototype chain. */

export type JsonRecord = Record<string, unknown>;

export function asRecord(value: unknown): JsonRecord | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : null;
}

export function member(record: JsonRecord | null, name: string): unknown {
  return record !== null && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Control characters but tab, line feed and carriage return: no store and no screen wants them. */
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Trimmed, well-formed text of at most `maxLength` UTF-16 units; null when it is not text or empty. */
export function asText(value: unknown, maxLength: number): string | null {
  if (typeof value !== 'string') return null;
  const cut = value.length > maxLength ? value.slice(0, maxLength) : value;
  const clean = cut.toWellFormed().replace(CONTROL, '').trim();
  return clean === '' ? null : clean;
}

/** Texts of an array (or one bare text), at most `maxItems`; what is not text is left out. */
export function asTexts(value: unknown, maxItems: number, maxLength: number): string[] {
  const items = Array.isArray(value) ? value : [value];
  const texts: string[] = [];
  for (const item of items) {
    if (texts.length >= maxItems) break;
    const text = asText(item, maxLength);
    if (text !== null) texts.push(text);
  }
  return texts;
}

/** The member of `words` that `value` spells, whatever the case, else null. */
export function asWord<T extends string>(value: unknown, words: readonly T[]): T | null {
  if (typeof value !== 'string' || value.length > 40) return null;
  const folded = value.trim().toLowerCase();
  return words.find((word) => word.toLowerCase() === folded) ?? null;
}
