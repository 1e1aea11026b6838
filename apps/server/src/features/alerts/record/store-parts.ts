import { DAY_MS, type Instant, type Severity } from '@nwms/domain';
import { CompiledQuery } from 'kysely';
import { databaseFault } from '../../../platform/db/faults.ts';
import type { Database } from '../../../platform/db/types.ts';
import { META } from '../storage/store.ts';
import { anySpanSql, overlapsSql } from '../storage/spans.ts';
import { FOREVER } from '../storage/tables.ts';

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

export interface PartsAsk {
  from: Instant;
  to: Instant;
  /** Only what counts (A5). */
  countableOnly: boolean;
  /** Read what filters ask, too. */
  subjects: boolean;
}

/** The parts of all revisions by time, read off the request thread. */
export interface PartStore {
  /**
   * Parts that hold some instant of [from, to), a day at a time, in no order. Null in place of a day: not every revision has its parts yet, and nothing
   * may be concluded from those that are there.
   */
  between(ask: PartsAsk): AsyncIterable<StoredPart[] | null>;
}

/** Longer ranges are read in slices, so that no answer of the database holds up the event loop, nor its thread other readers. */
const SLICE_MS = DAY_MS;
/** Between columns and rows: control characters, which neither JSON nor ids hold. */
const [FIELD, ROW] = ['\u001f', '\u001e'];
const COLUMNS = ['seq', 'version', 'severity', 'sent', 'known_from', 'known_until', 'part_from', 'shown_until', 'countable', 'event_id'];

export function createPartStore(database: Database): PartStore {
  const reads = database.reads.log;
  return {
    async *between(ask) {
      for (let start = ask.from; start < ask.to; start += SLICE_MS) {
        // What reaches into the range comes with the first slice, the rest with the slice it begins in.
        const text = sliceSql(database, ask, start === ask.from);
        const end = Math.min(start + SLICE_MS, ask.to);
        let row: SliceRow | undefined;
        try {
          [row] = (await reads.executeQuery<SliceRow>(CompiledQuery.raw(text, [start, end]))).rows;
        } catch (error) {
          throw databaseFault(error);
        }
        yield row && row.filled === 'all' && row.head === String(row.last ?? 0) ? storedParts(row.parts) : null;
      }
    },
  };
}

interface SliceRow {
  filled: string | null;
  head: string | null;
  last: number | null;
  parts: string | null;
}

/**
 * One row with all parts of a slice as one text, which costs a fraction of a thousand rows of ten columns, and beside it, of the same instant of the
 * database, whether they are all there are.
 */
function sliceSql(database: Database, { countableOnly, subjects }: PartsAsk, isFirst: boolean): string {
  const table = (name: string) => database.table('log', name);
  const [from, to] = database.engine.kind === 'sqlite' ? ['?1', '?2'] : ['cast($1 as bigint)', 'cast($2 as bigint)'];
  const columns = { spanClass: 'p.span_class', from: 'p.part_from', until: 'p.shown_until' };
  const inSlice = isFirst ? overlapsSql(columns, from, to) : `${anySpanSql(columns)} and p.part_from >= ${from} and p.part_from < ${to}`;
  const fields = [...COLUMNS, ...(subjects ? ['subject'] : [])].map((name) => `p.${name}`);
  const meta = (key: string) => `(select value from ${table('meta')} where key = '${key}')`;
  return `select ${meta(META.partsFilled)} as filled, ${meta(META.partsHead)} as head, (select max(seq) from ${table('log')}) as last,
    (select string_agg(concat_ws('${FIELD}', ${fields.join(', ')}), '${ROW}') from ${table('known_parts')} p
     where (${inSlice})${countableOnly ? ' and p.countable = 1' : ''}) as parts`;
}

function storedParts(text: string | null): StoredPart[] {
  if (text === null) return [];
  return text.split(ROW).map((row) => {
    const [seq, version, severity, sent, knownFrom, knownUntil, partFrom, shownUntil, countable, eventId = '', subject = ''] =
      row.split(FIELD);
    const until = Number(knownUntil);
    return {
      eventId,
      seq: Number(seq),
      version: Number(version),
      severity: severity as Severity,
      sent: Number(sent),
      knownFrom: Number(knownFrom),
      knownUntil: until === FOREVER ? null : until,
      partFrom: Number(partFrom),
      shownUntil: Number(shownUntil),
      countable: countable === '1',
      subject,
    };
  });
}
