import { describe, expect, test } from 'vitest';
import { createTimeLabels, durationLabel } from './time-labels.ts';

const labels = createTimeLabels(() => 'Europe/Berlin');
const now = Date.parse('2025-12-15T21:55:00Z');

describe('time labels', () => {
  test("a moment is said in the alert's own zone, with the abbreviation in use there", () => {
    expect(labels.moment(Date.parse('2025-12-15T17:48:00Z'), 'America/New_York', now)).toBe('Mon 12:48 EST');
    expect(labels.moment(Date.parse('2025-07-04T17:48:00Z'), 'America/New_York', Date.parse('2025-07-04T00:00:00Z'))).toBe('Fri 13:48 EDT');
    expect(labels.moment(Date.parse('2025-12-15T17:48:00Z'), 'Pacific/Guam', now)).toBe('Tue 03:48 ChST');
    expect(labels.moment(Date.parse('2025-12-15T17:48:00Z'), 'America/Phoenix', now)).toBe('Mon 10:48 MST');
  });
  test('beyond six days a weekday would be ambiguous, so the date is said', () => {
    expect(labels.moment(Date.parse('2025-12-24T17:48:00Z'), 'America/New_York', now)).toBe('Dec 24 12:48 EST');
  });
  test('midnight is 00, not 24', () => {
    expect(labels.moment(Date.parse('2025-12-16T05:00:00Z'), 'America/New_York', now)).toBe('Tue 00:00 EST');
  });
  test('an unknown or missing zone is said in UTC, never in the zone of the viewer', () => {
    expect(labels.moment(now, 'Mars/Olympus', now)).toBe('Mon 21:55 UTC');
    expect(labels.moment(now, undefined, now)).toBe('Mon 21:55 UTC');
  });
  test('durations are rounded down, so that an age is never overstated by its label and never negative', () => {
    expect([0.4, 9, 59.9, 60, 3599, 3600, 86_399, 90_000, -5].map(durationLabel)).toEqual([
      '0 s',
      '9 s',
      '59 s',
      '1 min',
      '59 min',
      '1 h',
      '23 h',
      '1 d',
      '0 s',
    ]);
  });
});
