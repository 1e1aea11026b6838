import type { IncomingHttpHeaders } from 'node:http';
import type { Credential } from './types.ts';

export type Presented = { kind: 'none' } | { kind: 'one'; credential: Credential } | { kind: 'ambiguous' };

/** LV3: what the handshake headers present. URLs are never looked at: they end up in logs. */
export function presentedIn(headers: IncomingHttpHeaders): Presented {
  const authorization = headers.authorization?.trim();
  const header = headers['x-api-key'];
  const key = (Array.isArray(header) ? header.join(',') : header)?.trim();
  const bearer = authorization === undefined || authorization === '' ? null : authorization.replace(/^bearer /i, '').trim();
  if (bearer !== null && key && bearer !== key) return { kind: 'ambiguous' };
  if (key) return { kind: 'one', credential: { kind: 'api-key', value: key } };
  return bearer === null ? { kind: 'none' } : { kind: 'one', credential: { kind: 'bearer', value: bearer } };
}
