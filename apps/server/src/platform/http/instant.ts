import type { Instant } from '@nwms/domain';
import { fieldFault } from './field-fault.ts';

const RFC3339 = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)([Zz]|[+-]\d\d:?\d\d))?$/;

/** RFC 3339 with any offset, or a date meaning that UTC midnight. A `+` that a client forgot to escape arrives as a blank. */
export function parseInstant(name: string, text: string): Instant {
  const match = RFC3339.exec(text.trim().replace(/ (\d\d:?\d\d)$/, '+$1'));
  const [, date = '', time = '00:00:00', offset = 'Z'] = match ?? [];
  const instant = match ? Date.parse(`${date}T${time}${offset.toUpperCase()}`) : Number.NaN;
  // Date.parse rolls 30 February over; the day must come back as it was asked.
  if (Number.isNaN(instant) || !isRealDate(date)) {
    throw fieldFault(name, 'format', `${name} must be an RFC 3339 time such as 2026-11-21T09:00:00Z, or a date.`);
  }
  return instant;
}

function isRealDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
