import { LOOPBACK_NAMES } from './address.ts';

export interface OriginRules {
  /** PUBLIC_URL and the listed other origins, each `scheme://host[:port]`. */
  origins: readonly string[];
  /** The server listens on this machine only. */
  loopbackOnly: boolean;
  /** Port the connection arrived at. */
  localPort: number;
}

/**
 * LV2: may a page of this origin open the feed? Exact text against the list; on a loopback server also its own loopback names. The
 * request's Host is no witness: a page that rebinds its name to this machine sends whatever Host it likes.
 */
export function originAllowed(origin: string, { origins, loopbackOnly, localPort }: OriginRules): boolean {
  if (origins.includes(origin)) return true;
  if (!loopbackOnly) return false;
  const port = localPort === 80 ? '' : `:${localPort}`;
  return LOOPBACK_NAMES.some((name) => origin === `http://${name}${port}`);
}
