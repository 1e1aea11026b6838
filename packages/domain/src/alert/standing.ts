import type { EventState, ZoneState } from './event.ts';
import { compareText } from './in-force.ts';
import type { AlertMessage } from './message.ts';
import { hazardRank } from './types.ts';
import type { Instant } from './vocabulary.ts';

export type Lookup = (messageId: string) => AlertMessage | undefined;

/** Messages that still speak for a zone that is not over, worst first: hazard rank, then newest, then most zones, then id. */
export function standingOf(zones: readonly ZoneState[], lookup: Lookup): string[] {
  const counts = new Map<string, number>();
  for (const zone of zones) {
    if (!zone.over) counts.set(zone.messageId, (counts.get(zone.messageId) ?? 0) + 1);
  }
  if (counts.size < 2) return [...counts.keys()];
  const rows = [...counts].map(([id, count]) => {
    const message = lookup(id);
    return { id, count, rank: message ? hazardRank(message) : 0, sent: message?.sent ?? 0 };
  });
  rows.sort((a, b) => b.rank - a.rank || b.sent - a.sent || b.count - a.count || compareText(a.id, b.id));
  return rows.map((row) => row.id);
}

/** Newest message of an event that is over: it speaks for the end. */
export function newestOf(event: Pick<EventState, 'versions' | 'zones'>): string | undefined {
  const speaking = new Set(event.zones.map((zone) => zone.messageId));
  const versions = event.versions.filter((version) => speaking.has(version.messageId));
  return versions.sort((a, b) => b.sent - a.sent || compareText(b.messageId, a.messageId))[0]?.messageId;
}

/** Latest `expires` of the standing messages; null when none has one. */
export function expiresOf(standingIds: readonly string[], lookup: Lookup): Instant | null {
  let latest: Instant | null = null;
  for (const id of standingIds) {
    const expires = lookup(id)?.expires ?? null;
    if (expires !== null && (latest === null || expires > latest)) latest = expires;
  }
  return latest;
}
