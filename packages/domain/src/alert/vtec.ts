import { utcInstant } from '../time/timestamp.ts';
import type { Vtec } from './message.ts';
import { type Instant, VTEC_ACTIONS, type VtecAction, type VtecClass } from './vocabulary.ts';

const PRIMARY = /^\/([OTEX])\.([A-Z]{3})\.([A-Z]{4})\.([A-Z]{2})\.([A-Z])\.(\d{4})\.(\d{6}T\d{4}Z)-(\d{6}T\d{4}Z)\/$/;
const ZEROS = '000000T0000Z';
const ACTIONS: ReadonlySet<string> = new Set(VTEC_ACTIONS);

/**
 * Reads one primary VTEC string (NWS Directive 10-1703), e.g. `/O.NEW.KDMX.SV.W.0106.240521T1930Z-240521T2015Z/`. Zeros give null
 * times (trap 14). Anything else, hydrologic VTEC included, gives null.
 */
export function parseVtec(raw: string): Vtec | null {
  if (raw.length > 80) return null;
  const match = PRIMARY.exec(raw.trim());
  if (!match) return null;
  const [, klass = '', action = '', office = '', phenomenon = '', significance = '', etn = '', begins = '', ends = ''] = match;
  if (!ACTIONS.has(action) || Number(etn) === 0) return null;
  const beginsAt = vtecTime(begins);
  const endsAt = vtecTime(ends);
  if (beginsAt === undefined || endsAt === undefined) return null;
  return {
    raw: match[0],
    class: klass as VtecClass,
    action: action as VtecAction,
    office,
    phenomenon,
    significance,
    etn: Number(etn),
    beginsAt,
    endsAt,
  };
}

/** yymmddThhmmZ; VTEC began in 2005, so two digits mean 20yy. `undefined` = not a time. */
function vtecTime(text: string): Instant | null | undefined {
  if (text === ZEROS) return null;
  const part = (at: number) => Number(text.slice(at, at + 2));
  return utcInstant(2000 + part(0), part(2), part(4), part(7), part(9)) ?? undefined;
}

/** `OFFICE.PH.S.ETN`: what is the same in every message of one event (the year is not in the string). */
export function vtecKey(v: Pick<Vtec, 'office' | 'phenomenon' | 'significance' | 'etn'>): string {
  return `${v.office}.${v.phenomenon}.${v.significance}.${String(v.etn).padStart(4, '0')}`;
}

/**
 * `OFFICE.PH.S.ETN.YYYY`, with `-2`, `-3` ... for later generations (ETN used again in the same year, trap 5).
 * @param year UTC year in which the event was first issued
 */
export function vtecEventId(v: Pick<Vtec, 'office' | 'phenomenon' | 'significance' | 'etn'>, year: number, generation = 1): string {
  return `${vtecKey(v)}.${year}${generation > 1 ? `-${generation}` : ''}`;
}

const EVENT_ID = /^(?:t\.)?([A-Z]{4}\.[A-Z]{2}\.[A-Z]\.\d{4})\.(\d{4})(?:-(\d{1,4}))?$/;

/** Reads a VTEC event id back; null for other identities. Test events have the same form after `t.`. */
export function parseVtecEventId(eventId: string): { key: string; year: number; generation: number } | null {
  const match = EVENT_ID.exec(eventId);
  if (!match) return null;
  return { key: match[1] ?? '', year: Number(match[2]), generation: Number(match[3] ?? 1) };
}
