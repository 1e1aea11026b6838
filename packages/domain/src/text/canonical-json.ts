/** Deeper values are not alerts but attacks on the reader's stack. */
const MAX_DEPTH = 64;

/**
 * JSON text that does not depend on member order, for content hashes. `undefined` members and functions are left out, numbers that
 * JSON cannot hold become null (as JSON.stringify does), lone surrogates are escaped. Nesting beyond 64 levels is written as null.
 */
export function canonicalJson(value: unknown, depth = 0): string {
  if (value === null || depth > MAX_DEPTH) return 'null';
  if (Array.isArray(value)) return `[${value.map((item) => canonicalJson(item, depth + 1)).join(',')}]`;
  // Most of a feature are the numbers of its shape.
  if (typeof value === 'number') return Number.isFinite(value) ? `${value}` : 'null';
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = (value as Record<string, unknown>)[key];
    if (member === undefined || typeof member === 'function') continue;
    members.push(`${JSON.stringify(key)}:${canonicalJson(member, depth + 1)}`);
  }
  return `{${members.join(',')}}`;
}

/**
 * The part of an upstream feature that decides whether it is the same content: properties and geometry. Feature-level members
 * (`id`, `@id`, links) depend on the serving host and the Accept header, so they are not content (trap 10).
 */
export function featureContent(feature: unknown): string {
  const record = typeof feature === 'object' && feature !== null ? (feature as Record<string, unknown>) : {};
  return canonicalJson({ geometry: record['geometry'] ?? null, properties: record['properties'] ?? null });
}
