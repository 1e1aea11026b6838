import { audit as contract } from '@nwms/contract';
import type { AuditChange } from './types.ts';

/** Names whose values are never written down, wherever they stand in a path. */
const SECRET = /password|secret|token|hash|setup_token/i;

/**
 * What differs between two states of one thing, field by field; nested groups become dotted paths, lists are compared whole. Secrets
 * are told as "(changed)" on both sides.
 */
export function changesBetween(before: object | null, after: object | null): AuditChange[] {
  const from = flat(before);
  const to = flat(after);
  const changes: AuditChange[] = [];
  for (const field of new Set([...from.keys(), ...to.keys()])) {
    const [was, is] = [from.get(field) ?? null, to.get(field) ?? null];
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    changes.push(SECRET.test(field) ? { field, from: contract.AUDIT_SECRET, to: contract.AUDIT_SECRET } : { field, from: was, to: is });
  }
  return changes;
}

function flat(value: object | null, prefix = ''): Map<string, unknown> {
  const paths = new Map<string, unknown>();
  for (const [name, member] of Object.entries(value ?? {})) {
    if (member === undefined) continue;
    if (typeof member === 'object' && member !== null && !Array.isArray(member)) {
      for (const [path, inner] of flat(member as object, `${prefix}${name}.`)) paths.set(path, inner);
    } else paths.set(`${prefix}${name}`, member);
  }
  return paths;
}
