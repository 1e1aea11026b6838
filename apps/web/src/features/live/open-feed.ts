import type { AlertList } from '@nwms/contract';
import type { Services } from '../../api/services.ts';
import { createFeedStore, type FeedStore } from './feed-store.ts';

/** The feed of this page, for `services.once`: opening the screen again finds what came in the meantime. */
export const makeFeed = ({ live }: Services): FeedStore => createFeedStore({ live, now: Date.now });

/**
 * LIVE-07: connects when opened, from the log's present position, so that the feed begins empty and shows what is issued from here on. A
 * connection that is open already is left alone.
 */
export async function openFeed({ api, live }: Pick<Services, 'api' | 'live'>, signal: AbortSignal): Promise<void> {
  if (live.status().state !== 'DISCONNECTED') return;
  try {
    const { body } = await api.get<AlertList>('/alerts', { query: { limit: 1, active_only: true, detail: 'slim' }, signal });
    if (body && !signal.aborted && live.status().state === 'DISCONNECTED') live.start(body.position.cursor);
  } catch {
    // The feed may work where the list does not.
    if (!signal.aborted) live.start(null);
  }
}
