import { DAY_MS, type Instant, type Severity } from '@nwms/domain';
import { sql } from 'kysely';
import { databaseFault } from '../../../platform/db/faults.ts';
import type { Part } from '../../../platform/db/types.ts';
import { META } from '../storage/store.ts';
import { LONGEST_CLASS, overlaps } from '../storage/spans.ts';
import { type AlertDb, alertTables, FOREVER } from '../storage/tables.ts';

/** A part of the time in which a revision said "in force", up to where a newer one replaced it. */
export interface StoredPart {
  eventId: string;
  seq: number;
  version: number;
  severity: Severity;
  sent: Instant;
  knownFrom: Instant;
  /** Null = still what is known. */
  knownUntil: Instant | null;
  partFrom: Instant;
  shownUntil: Instant;
  countable: boolean;
  /** `StoredSubject`, JSON; empty unless asked for. */
  subject: string;
}

/** The parts of all revisions by time, read off the request thread. */
export interface PartStore {
  /** False until every revision has its parts: until then nothing may be concluded from them. */
  isComplete(): Promise<boolean>;
  /** Parts that hold some instant of [from, to), a day at a time, in no order. */
  between(from: Instant, to: Instant, options: { subjects: boolean }): AsyncIterable<StoredPart[]>;
}

/** Longer ranges are read in slices, so that no answer of the database holds up the event loop, nor its thread other readers. */
const SLICE_MS = DAY_MS;
const CLASSES = Array.from({ length: LONGEST_CLASS + 1 }, (_, index) => index);

export function createPartStore(reads: Part): PartStore {
  const db = alertTables(reads);
  return {
    async isComplete() {
      try {
        return await isComplete(db);
      } catch (error) {
        throw databaseFault(error);
      }
    },
    async *between(from, to, { subjects }) {
      for (let start = from; start < to; start += SLICE_MS) {
        const end = Math.min(start + SLICE_MS, to);
        try {
          // What reaches into the range comes with the first slice, the rest with the slice it begins in.
          yield await (start === from ? meeting(db, start, end, subjects) : beginning(db, start, end, subjects));
        } catch (error) {
          throw databaseFault(error);
        }
      }
    },
  };
}

async function isComplete(db: AlertDb): Promise<boolean> {
  const value = (key: string) => db.selectFrom('meta').select('value').where('key', '=', key);
  const row = await db
    .selectNoFrom((e) => [
      value(META.partsFilled).as('filled'),
      value(META.partsHead).as('head'),
      e
        .selectFrom('log')
        .select((log) => log.fn.max('seq').as('seq'))
        .as('last'),
    ])
    .executeTakeFirst();
  return row?.filled === 'all' && row.head === String(row.last ?? 0);
}

const rowsOf = (db: AlertDb, subjects: boolean) =>
  db
    .selectFrom('known_parts as p')
    .select(['p.event_id', 'p.seq', 'p.version', 'p.severity', 'p.sent', 'p.known_from', 'p.known_until'])
    .select(['p.part_from', 'p.shown_until', 'p.countable'])
    .$if(subjects, (query) => query.select('p.subject'));

async function meeting(db: AlertDb, from: Instant, to: Instant, subjects: boolean): Promise<StoredPart[]> {
  const columns = { spanClass: 'p.span_class', from: 'p.part_from', until: 'p.shown_until' } as const;
  const rows = await rowsOf(db, subjects)
    .where((e) => overlaps(e, columns, from, to))
    .execute();
  return rows.map(storedPartOf);
}

async function beginning(db: AlertDb, from: Instant, to: Instant, subjects: boolean): Promise<StoredPart[]> {
  const rows = await rowsOf(db, subjects)
    .where('p.span_class', 'in', sql<number>`(${sql.join(CLASSES.map((each) => sql.lit(each)))})`)
    .where('p.part_from', '>=', from)
    .where('p.part_from', '<', to)
    .execute();
  return rows.map(storedPartOf);
}

type PartRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

function storedPartOf(row: PartRow): StoredPart {
  return {
    eventId: row.event_id,
    seq: row.seq,
    version: row.version,
    severity: row.severity as Severity,
    sent: row.sent,
    knownFrom: row.known_from,
    knownUntil: row.known_until === FOREVER ? null : row.known_until,
    partFrom: row.part_from,
    shownUntil: row.shown_until,
    countable: row.countable === 1,
    subject: row.subject ?? '',
  };
}
