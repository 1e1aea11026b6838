import type { Freshness } from '@nwms/contract';
import type { Presented } from '../present.ts';

/** Columns in their published order. */
const COLUMNS = [
  'id',
  'event_id',
  'event',
  'severity',
  'urgency',
  'certainty',
  'status',
  'message_type',
  'state',
  'is_active',
  'headline',
  'area_desc',
  'states',
  'sent',
  'effective',
  'onset',
  'expires',
  'ends',
  'in_force_from',
  'in_force_until',
  'office',
  'hazard_rank',
  'geometry_source',
  'label_lat',
  'label_lon',
  'source',
  'data_as_of',
  'data_status',
  'instruction',
  'description',
] as const;

type Cell = string | number | boolean | null | undefined;

/** A spreadsheet runs a text cell that starts like this as a formula (ASVS 1.2.10). Numbers keep their sign. */
const FORMULA_START = /^[=+\-@\t\r\0]/;

/** One RFC 4180 cell: quoted where needed, never a formula. */
export function csvCell(value: Cell): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n\0]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvHeader = `${COLUMNS.join(',')}\r\n`;

export function csvRow(row: Presented, freshness: Freshness): string {
  const { slim, heavy } = row;
  const cells: Record<(typeof COLUMNS)[number], Cell> = {
    ...slim,
    states: slim.states.join(' '),
    label_lat: slim.label_point?.[1],
    label_lon: slim.label_point?.[0],
    data_as_of: freshness.data_as_of,
    data_status: freshness.status,
    instruction: heavy.instruction,
    description: heavy.description,
  };
  return `${COLUMNS.map((column) => csvCell(cells[column])).join(',')}\r\n`;
}

/** `active-weather-alerts-2026-11-21.csv`; the date is UTC. */
export const csvFileName = (activeOnly: boolean, now: number) =>
  `${activeOnly ? 'active-' : ''}weather-alerts-${new Date(now).toISOString().slice(0, 10)}.csv`;
