import type { Freshness, SlimAlert } from '@nwms/contract';

/** The active alerts as they were last heard, kept for a start without a network. Public data: nothing of a person is in it. */
export interface LastKnown {
  alerts: readonly SlimAlert[];
  freshness: Freshness;
  /** When that was heard, by this device's clock. */
  receivedAtMs: number;
}

/** The part of `CacheStorage` that is used; undefined where browsers give none (pages that are not secure). */
export type KeptStorage = Pick<CacheStorage, 'open'> | undefined;

/** Not one of the service worker's names: its new versions throw their own old files away, and not this. */
const CACHE = 'nwms-last-known';
const PLACE = '/kept/active-alerts';

export async function writeLastKnown(storage: KeptStorage, known: LastKnown): Promise<void> {
  const cache = await storage?.open(CACHE);
  await cache?.put(PLACE, new Response(JSON.stringify(known), { headers: { 'Content-Type': 'application/json' } }));
}

/** Null when nothing was kept, or nothing that can be read. */
export async function readLastKnown(storage: KeptStorage): Promise<LastKnown | null> {
  try {
    const kept = await (await storage?.open(CACHE))?.match(PLACE);
    const known = (await kept?.json()) as Partial<LastKnown> | undefined;
    return known && Array.isArray(known.alerts) && known.freshness && typeof known.receivedAtMs === 'number' ? (known as LastKnown) : null;
  } catch {
    return null;
  }
}
