import type { EventState, Instant } from '@nwms/domain';
import type { Places } from '../places/types.ts';
import type { MessageLookup } from './alert-area.ts';
import { type Presented, presentAlert } from './present.ts';

/** Geometry beyond this is left out of log entries and live messages; the list has it (64 KiB). */
export const LIVE_GEOMETRY_BYTES = 64 * 1024;

/** Wire text of `detail=slim`. */
export const encodeSlim = (row: Presented): string => JSON.stringify(row.slim);

/** Wire text of a whole Alert. Geometry is ready text and is never stringified again. */
export function encodeFull(row: Presented): string {
  return `${JSON.stringify({ ...row.slim, ...row.heavy }).slice(0, -1)},"geometry":${row.area.json}}`;
}

/** Wire text of LiveAlert: an Alert plus `areaDesc`, bounded in size. */
export function encodeLive(row: Presented): string {
  const head = JSON.stringify({ ...row.slim, ...row.heavy, areaDesc: row.slim.area_desc }).slice(0, -1);
  // Display geometry is digits and brackets: characters are bytes.
  if (row.area.json.length > LIVE_GEOMETRY_BYTES) return `${head},"geometry":null,"geometry_omitted":true}`;
  return `${head},"geometry":${row.area.json}}`;
}

/** An event as of `at`, encoded once for the log and everything that is fed from it. */
export type EncodeAlert = (event: EventState, message: MessageLookup, at: Instant) => string;

export function createAlertEncoder(places: Places): EncodeAlert {
  return (event, message, at) => encodeLive(presentAlert({ event, message, places, at }));
}
