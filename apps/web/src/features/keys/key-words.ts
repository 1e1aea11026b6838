import type { ApiKey } from '@nwms/contract';
import type { BadgeTone } from '../../ui/badge.tsx';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** "Nov 20, 2026" in a zone. */
export const dayOf = (iso: string, zone: string): string =>
  new Date(iso).toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: 'numeric', timeZone: zone });

/** KEY-08, in the words of the specification: they are not bent for one. */
export function lastUsedLabel(at: string | null, nowMs: number, zone: string): string {
  if (at === null) return 'Never used';
  const ms = nowMs - Date.parse(at);
  if (ms < MINUTE_MS) return 'Just now';
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} mins ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} hours ago`;
  if (ms < 7 * DAY_MS) return `${Math.floor(ms / DAY_MS)} days ago`;
  return dayOf(at, zone);
}

/** "from US with curl/8.5"; null when neither is known. Coarse on purpose: the country, never the address. */
export function lastUsedFrom({ last_used_from: from }: Pick<ApiKey, 'last_used_from'>): string | null {
  if (!from) return null;
  const words = [from.country_code ? `from ${from.country_code}` : '', from.agent ? `with ${from.agent}` : ''].filter(Boolean);
  return words.length > 0 ? words.join(' ') : null;
}

/** KEY-07. Bands are closed below; the lower ones are neutral. The words say the band to whoever does not see colours. */
export function requestBand(total: number): { tone: BadgeTone; words: string } {
  if (total === 0) return { tone: 'plain', words: 'no requests yet' };
  if (total < 10) return { tone: 'plain', words: 'under 10 requests' };
  if (total < 100) return { tone: 'accent', words: 'under 100 requests' };
  if (total < 1000) return { tone: 'ok', words: 'under 1000 requests' };
  return { tone: 'warn', words: '1000 requests or more' };
}

export const STATUS: Readonly<Record<ApiKey['status'], { word: string; tone: BadgeTone }>> = {
  active: { word: 'Active', tone: 'ok' },
  inactive: { word: 'Inactive', tone: 'plain' },
  expired: { word: 'Expired', tone: 'bad' },
};

/** "Never expires", "Expires Nov 20, 2026", "Expired Nov 20, 2026". */
export function expiryLabel({ expires_at: at }: Pick<ApiKey, 'expires_at'>, nowMs: number, zone: string): string {
  if (at === null) return 'Never expires';
  return `${Date.parse(at) <= nowMs ? 'Expired' : 'Expires'} ${dayOf(at, zone)}`;
}

/** The start of a secret, as it is shown everywhere: never more of it. */
export const shownPrefix = (prefix: string): string => `${prefix}…`;
