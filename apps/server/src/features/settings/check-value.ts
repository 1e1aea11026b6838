import type { FieldFault, SettingRow } from '@nwms/contract';
import { isIP, isIPv6 } from 'node:net';

/** Networks wider than these are not a list of trusted addresses any more. */
const NARROWEST_V4 = 16;
const NARROWEST_V6 = 32;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
const ADDRESS_LIKE = /^[^\s@,;:<>()[\]"\\]{1,64}@[^\s@,;:<>()[\]"\\]{1,190}$/;

/** A value that is not accepted, `type` when it is not even of the right form. */
export type ValueFault = Omit<FieldFault, 'name'>;

const fault = (reason: FieldFault['reason'], message: string, more: Partial<ValueFault> = {}): ValueFault => ({ reason, message, ...more });

/** Null = accepted as it is; nothing is ever trimmed, rounded or sorted for the caller. */
export function checkValue({ path, rule }: SettingRow, value: unknown): ValueFault | null {
  if (rule.kind === 'boolean') return typeof value === 'boolean' ? null : fault('type', `${path} must be true or false`);
  if (rule.kind === 'integer' || rule.kind === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) return fault('type', `${path} must be a number`);
    if (rule.kind === 'integer' && !Number.isInteger(value)) return fault('type', `${path} must be a whole number`);
    if (value >= rule.min && value <= rule.max) return null;
    return fault('range', `${path} must be from ${rule.min} to ${rule.max}`, { min: rule.min, max: rule.max });
  }
  if (rule.kind === 'email' || rule.kind === 'url') {
    if (value === null) return null;
    if (typeof value !== 'string') return fault('type', `${path} must be a text or null`);
    if (value.length > rule.maxLength)
      return fault('length', `${path} must have at most ${rule.maxLength} characters`, { max: rule.maxLength });
    if (rule.kind === 'email' && !ADDRESS_LIKE.test(value)) return fault('format', `${path} must be one e-mail address`);
    return null;
  }
  if (!Array.isArray(value) || value.some((item) => typeof item !== 'string')) return fault('type', `${path} must be a list of texts`);
  if (value.length > rule.maxItems) return fault('length', `${path} takes at most ${rule.maxItems} entries`, { max: rule.maxItems });
  const items = value as string[];
  const twice = items.find((item, index) => items.indexOf(item) !== index);
  if (twice !== undefined) return fault('conflict', `${path} has ${shown(twice)} twice`);
  for (const item of items) {
    const found = rule.kind === 'origins' ? originFault(item) : addressFault(item);
    if (found) return fault(found.reason, `${path}: ${shown(item)} ${found.message}`);
  }
  return null;
}

const shown = (text: string) => `"${text.slice(0, 80)}"`;

function originFault(text: string): ValueFault | null {
  if (text.includes('*')) return fault('format', 'has a star; list each origin exactly');
  const url = text.length <= 300 ? URL.parse(text) : null;
  if (!url || !['https:', 'http:'].includes(url.protocol)) return fault('format', 'is not an origin such as https://example.org');
  if (url.protocol === 'http:' && !LOOPBACK.has(url.hostname)) return fault('format', 'must be https; http is for this machine only');
  // Browsers send the origin in exactly this spelling; any other would never match.
  return url.origin === text ? null : fault('format', `must be written ${url.origin}, without path`);
}

function addressFault(text: string): ValueFault | null {
  const [address = '', bits, ...rest] = text.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0)
    return fault('format', 'is not an address or network such as 192.0.2.0/24');
  if (bits === undefined) return null;
  const [narrowest, widest] = isIPv6(address) ? [NARROWEST_V6, 128] : [NARROWEST_V4, 32];
  if (!/^\d{1,3}$/.test(bits) || Number(bits) > widest) return fault('format', `must have a prefix up to /${widest}`);
  return Number(bits) >= narrowest ? null : fault('range', `is wider than /${narrowest}`);
}
