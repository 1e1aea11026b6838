import { placeAt } from '../src/lib/places.ts';

/**
 * What the worker does with a request. `page`: the server's document, the kept one when there is none. `asset`: the kept file, since its name
 * tells its content. `file`: the server's, the kept one when there is none. `none`: not its business, above all everything that is data:
 * an answer about the weather never comes out of a cache of this worker.
 */
export type Handling = 'page' | 'asset' | 'file' | 'none';

export interface Asked {
  method: string;
  /** `navigate` for documents. */
  mode: string;
  url: string;
}

/** Files without a hash in their name that the documents need. */
export const PLAIN_FILES: readonly string[] = ['/theme.js', '/favicon.svg', '/manifest.webmanifest', '/icons/icon-192.png'];

export function handlingOf({ method, mode, url }: Asked, origin: string): Handling {
  const asked = new URL(url);
  if (method !== 'GET' || asked.origin !== origin) return 'none';
  // The reference and whatever else the server makes itself has no document here to stand in for it.
  if (mode === 'navigate') return placeAt(asked.pathname) ? 'page' : 'none';
  if (asked.pathname.startsWith('/assets/')) return 'asset';
  return PLAIN_FILES.includes(asked.pathname) ? 'file' : 'none';
}
