import { vtecEventId, vtecKey } from '../alert/vtec.ts';
import type { Instant } from '../alert/vocabulary.ts';
import { DAY_MS, HOUR_MS } from '../time/timestamp.ts';
import type { ArchiveRow, VtecRow } from './rows.ts';

/** All rows of one VTEC event, however they are scattered over the file. */
export interface ArchivedLife {
  /** `OFFICE.PH.S.ETN.YYYY[-g]` as far as these rows alone can tell. */
  eventId: string;
  key: string;
  /** UTC year of first issue. */
  year: number;
  /** From the first message to the last thing the rows tell. */
  from: Instant;
  until: Instant;
  rows: VtecRow[];
}

/** Rows with the same text may belong to one event: what a sorting by it brings together. */
export function groupKeyOf(row: ArchiveRow): string {
  return row.kind === 'statements' ? `SPS ${row.office} ${row.ugcs.join(' ')}` : vtecKey(row.name);
}

/** A number that comes back within one year is the same event unless nothing was heard of it for so long (trap 5). */
const SAME_YEAR_GAP_MS = 21 * DAY_MS;
/** Numbers start again on 1 January: across it only what is still under way is the same event. */
const NEW_YEAR_GAP_MS = HOUR_MS;

/** Splits the rows of one event number into the lives it had: a year each, and what came after a long silence. */
export function livesOf(rows: readonly VtecRow[]): ArchivedLife[] {
  const lives: ArchivedLife[] = [];
  for (const row of rows.toSorted((a, b) => sentOf(a) - sentOf(b))) {
    const last = lives.at(-1);
    if (last && belongs(row, last)) {
      last.rows.push(row);
      last.until = Math.max(last.until, lastOf(row));
    } else lives.push(begin(row, lives));
  }
  return lives;
}

export const sentOf = (row: VtecRow): Instant => (row.kind === 'warnings' ? row.productIssue : row.sent);

const lastOf = (row: VtecRow): Instant => Math.max(row.expire, row.kind === 'warnings' ? row.updated : row.sent);

const yearOfRow = (row: VtecRow): number => row.year ?? new Date(sentOf(row)).getUTCFullYear();

function belongs(row: VtecRow, life: ArchivedLife): boolean {
  const said = life.rows.find((each) => each.year !== null)?.year;
  if (row.year !== null && said !== undefined && said !== null && row.year !== said) return false;
  return isOneLife({ year: yearOfRow(row), from: sentOf(row), until: lastOf(row) }, life);
}

/** Whether two records of one event number can be the same event. Years are those of the first issue. */
export function isOneLife(a: { year: number; from: Instant; until: Instant }, b: { year: number; from: Instant; until: Instant }): boolean {
  const silence = Math.max(a.from - b.until, b.from - a.until);
  return silence <= (a.year === b.year ? SAME_YEAR_GAP_MS : NEW_YEAR_GAP_MS);
}

function begin(row: VtecRow, earlier: readonly ArchivedLife[]): ArchivedLife {
  const year = new Date(sentOf(row)).getUTCFullYear();
  const generation = 1 + earlier.filter((life) => life.year === year).length;
  return {
    eventId: vtecEventId(row.name, year, generation),
    key: vtecKey(row.name),
    year,
    from: sentOf(row),
    until: lastOf(row),
    rows: [row],
  };
}
