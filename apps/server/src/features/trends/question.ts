import type { Freshness } from '@nwms/contract';
import { ALERT_TYPES, fipsOfCountyUgc, type Instant } from '@nwms/domain';
import { AppError } from '../../platform/app-error.ts';
import type { FactFilter } from '../alerts/index.ts';

export interface Warning {
  code: string;
  message: string;
}

/** What every derived question has in common. Times are whole minutes, so that questions of one minute are one question. */
export interface DerivedQuestion {
  now: Instant;
  filter: FactFilter;
  /** live = nws and import; simulated weather is counted alone. */
  source: 'live' | 'simulator' | 'replay';
  warnings: Warning[];
}

interface Parameters {
  event_type?: string[] | undefined;
  event?: string[] | undefined;
  area?: string[] | undefined;
}

const SOURCES = {
  nws: { source: 'live', sources: ['nws', 'import'] },
  simulator: { source: 'simulator', sources: ['simulator'] },
  replay: { source: 'replay', sources: ['replay'] },
} as const;

/** @throws AppError request.invalid when synonyms contradict each other */
export function questionOf(query: Parameters, now: Instant, feed: Freshness['feed']): DerivedQuestion {
  const events = synonyms('event_type', query.event_type, 'event', query.event);
  const { source, sources } = SOURCES[feed];
  const known = new Set(ALERT_TYPES.map((type) => type.event.toLowerCase()));
  const unknown = (events ?? []).filter((name) => !known.has(name.trim().toLowerCase()));
  return {
    now: Math.floor(now / 60_000) * 60_000,
    filter: { sources, ...(events && { events }), ...(query.area && { codes: query.area.map(areaCode) }) },
    source,
    warnings: unknown.map((name) => ({ code: 'event_unknown', message: `No event named "${name}" is known; see /api/v1/alerts/types.` })),
  };
}

/** Both names may be given when they say the same. */
export function synonyms<T>(name: string, first: T | undefined, other: string, second: T | undefined): T | undefined {
  if (first === undefined) return second;
  if (second !== undefined && JSON.stringify(first) !== JSON.stringify(second)) {
    const message = `${name} and ${other} mean the same and say different things.`;
    throw new AppError('request.invalid', { public: message, fields: [{ name: other, reason: 'conflict', message }] });
  }
  return first;
}

/** SAME and county codes to the area codes of facts; states, zones and offices stay. */
function areaCode(text: string): string {
  const code = text.toUpperCase();
  if (/^\d{5,6}$/.test(code)) return `0${code.slice(-5)}`;
  const fips = fipsOfCountyUgc(code);
  if (fips !== null) return `0${fips}`;
  return code.length === 3 ? `K${code}` : code;
}
