import { type Instant, MARINE_PREFIXES, type Position, stateOfSame } from '@nwms/domain';
import type { Places } from '../../places/types.ts';
import type { AreaInfo } from './types.ts';

/** First two digits of the area part of marine SAME codes and the UGC letters of the same waters (NWS marine area codes). */
const MARINE_BY_NUMBER: Record<string, string> = {
  57: 'PZ',
  58: 'PK',
  59: 'PH',
  61: 'PS',
  65: 'PM',
  73: 'AN',
  75: 'AM',
  77: 'GM',
  91: 'LS',
  92: 'LM',
  93: 'LH',
  94: 'LC',
  96: 'LE',
  97: 'LO',
  98: 'SL',
};

/** Name and place of an area code; the code itself where no name is known. */
export function areaInfo(places: Pick<Places, 'zoneInfo' | 'resolve'>, code: string, at: Instant): AreaInfo {
  if (/^[A-Z]{2}$/.test(code)) return { label: code, kind: MARINE_PREFIXES.has(code) ? 'marine' : 'state', state: code, point: null };
  if (!/^\d{6}$/.test(code)) return { label: code, kind: 'office', state: null, point: null };
  const state = stateOfSame(code);
  if (state === null) {
    const ugc = `${MARINE_BY_NUMBER[code.slice(1, 3)] ?? '??'}Z${code.slice(3)}`;
    const info = places.zoneInfo(ugc, 'marine');
    return { label: info?.name ?? ugc, kind: 'marine', state: null, point: pointOf(places, ugc, 'marine', at) };
  }
  const ugc = `${state}C${code.slice(3)}`;
  const name = places.zoneInfo(ugc, 'county')?.name;
  const label = name ? `${/county|parish|borough|city|area|municip/i.test(name) ? name : `${name} County`}, ${state}` : ugc;
  return { label, kind: 'county', state, point: pointOf(places, ugc, 'county', at) };
}

function pointOf(places: Pick<Places, 'resolve'>, code: string, type: 'county' | 'marine', at: Instant): Position | null {
  return places.resolve({ zones: [{ code, type, partial: false }], polygons: [], at }).labelPoint;
}
