import type { VtecAction, VtecClass } from '@nwms/domain/alert/vocabulary';
import type { Position, Ring } from '@nwms/domain/geo/shape';

import type { Atlas } from '../places/atlas.ts';
import type { Office } from '../places/offices.ts';
import type { Random } from '../random.ts';

/** What kind of danger a message speaks of: the constant part of its wording and codes. */
export interface Hazard {
  /** Two letters of VTEC; empty when the product carries no VTEC. */
  phenomenon: string;
  significance: string;
  event: string;
  /** SAME event code; NWS when there is none of its own. */
  same: string;
  /** NWS event code for products without VTEC, e.g. AQA. */
  code?: string;
  severity: string;
  certainty: string;
  urgency: string;
  response: string;
  /** First three letters of the AWIPS identifier, and the WMO heading before the office's number. */
  awips: string;
  wmo: string;
  what: string;
  impacts: string;
  instruction: string | null;
}

/** One area code of a segment with all its spellings. */
export interface Area {
  ugc: string;
  family: 'county' | 'forecast' | 'fire';
  label: string;
  same: string[];
}

/** One VTEC string (or one statement without) over some areas. Instants are weather time, epoch milliseconds. */
export interface Segment {
  /** Null for products without VTEC. */
  action: VtecAction | null;
  vtecClass?: VtecClass;
  hazard: Hazard;
  office: Office;
  etn: number;
  areas: Area[];
  begin: number;
  /** Null is "until further notice". */
  end: number | null;
  expires: number;
  /** Warned outline: one closed ring. */
  polygon?: Ring;
  /** Extra `parameters`. */
  tags?: Record<string, string[]>;
  /** For eventMotionDescription: towards, and the positions at the moment of sending. */
  motion?: { towardDegrees: number; speedKt: number; points: Position[] };
  /** Words for the description instead of the hazard's. */
  text?: string;
  /** Non-URN sender and identifiers: a county's own message. */
  civil?: boolean;
  test?: boolean;
  /** True for a cancel labelled "Alert" that names its ancestors only in expiredReferences. */
  quiet?: boolean;
  /** Takes the place of the office's earlier message on the same danger and area without naming it (Alaska waters). */
  replaces?: boolean;
}

/** What an office sends at one moment. Outer list: segments; inner: the VTEC strings of one segment, each its own CAP message. */
export interface Product {
  at: number;
  segments: Segment[][];
}

/** One weather system of one office. */
export interface Turn {
  key: string;
  office: Office;
  at: number;
  random: Random;
  atlas: Atlas;
  /** k-th event tracking number of this turn, k < the family's `numbersPerTurn`. */
  etn(k: number): number;
}

/** A sort of weather system. `compose` is pure: same turn, same products, in time order. */
export interface Family {
  code: string;
  /** Weight of the family among the listed messages. */
  share: number;
  cycleHours: number;
  numbersPerTurn: number;
  /** Bound on the time from a system's start to the end of its last listing: how far back a snapshot has to look. */
  longestHours: number;
  /** Real Alaska marine VTEC is fabricated with numbers from 3000 up (trap 23). */
  firstNumber?: number;
  /** One count for the whole country, as for convective watches, instead of one per office. */
  nationalNumbers?: boolean;
  serves(office: Office, atlas: Atlas): boolean;
  compose(turn: Turn): Product[];
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** Next multiple of a step: offices name quarter hours and hours, not odd minutes. Office offsets are whole hours, so this holds in local time. */
export function roundUp(at: number, stepMs: number): number {
  return Math.ceil(at / stepMs) * stepMs;
}
