import type { FieldFault } from '@nwms/contract';
import type { TObject } from 'typebox';
import { AppError } from '../app-error.ts';

interface ParameterSchema {
  type?: string;
  enum?: string[];
  items?: ParameterSchema;
  anyOf?: ParameterSchema[];
}

/** Lists take at most 50 values (a bound on work per request). */
const MAX_VALUES = 50;

/** Names people try because other weather services have them, with what this service offers instead. */
const OFFERS: Record<string, string> = {
  state: 'Use ugc=IA for a state, or lifecycle= for the state of an alert.',
  country: 'Alerts are of the United States and its territories; use ugc= or lat, lon.',
  zip: 'Use lat and lon of the place.',
  urgency: 'Use lifecycle=upcoming or in_force, or severity=.',
  radius: 'Use radius_km.',
};

/**
 * Turns a raw query string into typed values by the route's schema: `_t` is dropped, empty means absent, lists are comma-separated or
 * repeated, enum values may be in any letter case, unknown names are refused with the nearest known one. Nothing is guessed: what
 * does not parse is left as text for the validator to name.
 */
export function normalizeQuery(raw: URLSearchParams, schema: TObject | undefined): Record<string, unknown> {
  const properties = (schema?.properties ?? {}) as Record<string, ParameterSchema>;
  const values = new Map<string, string[]>();
  for (const [name, value] of raw) {
    if (name === '_t') continue;
    const seen = values.get(name);
    if (seen) seen.push(value);
    else values.set(name, [value]);
  }
  refuseUnknown([...values.keys()], Object.keys(properties));
  const query: Record<string, unknown> = {};
  for (const [name, texts] of values) {
    const parameter = properties[name];
    if (!parameter) continue;
    const value = parameter.type === 'array' ? listOf(name, texts, parameter.items ?? {}) : scalarOf(name, texts, parameter);
    if (value !== undefined) query[name] = value;
  }
  return query;
}

/** Path parameters arrive as text; numbers become numbers, everything else stays. */
export function normalizeParams(raw: Record<string, string>, schema: TObject | undefined): Record<string, unknown> {
  const properties = (schema?.properties ?? {}) as Record<string, ParameterSchema>;
  return Object.fromEntries(Object.entries(raw).map(([name, text]) => [name, typed(text, properties[name] ?? {})]));
}

function listOf(name: string, texts: string[], item: ParameterSchema): unknown[] | undefined {
  const parts = texts.flatMap((text) => text.split(',')).map((part) => part.trim());
  const filled = parts.filter((part) => part !== '');
  if (filled.length > MAX_VALUES)
    throw fault({ name, reason: 'length', message: `${name} takes at most ${MAX_VALUES} values`, max: MAX_VALUES });
  return filled.length === 0 ? undefined : filled.map((part) => typed(part, item));
}

function scalarOf(name: string, texts: string[], parameter: ParameterSchema): unknown {
  if (texts.length > 1) throw fault({ name, reason: 'conflict', message: `${name} is given more than once` });
  const text = texts[0]?.trim() ?? '';
  return text === '' ? undefined : typed(text, parameter);
}

function typed(text: string, schema: ParameterSchema): unknown {
  if (schema.enum) return schema.enum.find((value) => value.toLowerCase() === text.toLowerCase()) ?? text;
  if (schema.type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  // Plain decimals only: no exponents, no hex, no Infinity.
  if ((schema.type === 'integer' || schema.type === 'number') && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(text)) return Number(text);
  return text;
}

function refuseUnknown(names: string[], known: string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const fields: FieldFault[] = unknown.map((name) => {
    const near = nearest(name, known);
    const offer = OFFERS[name] ?? (near ? `Did you mean ${near}?` : `Known: ${known.join(', ') || 'none'}.`);
    return { name, reason: 'unknown', message: `${name} is not a parameter here. ${offer}` };
  });
  throw new AppError('request.unknown_parameter', { public: fields[0]?.message ?? '', fields });
}

function fault(field: FieldFault): AppError {
  return new AppError('request.invalid', { public: field.message, fields: [field] });
}

/** Closest known name by edit distance, if close enough to be a typo. */
export function nearest(name: string, known: readonly string[]): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(name.toLowerCase().slice(0, 40), candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
