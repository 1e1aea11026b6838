import { DAY_MS, HOUR_MS } from '@nwms/domain';
import { sql, type RawBuilder } from 'kysely';
import { ADDRESS_PERIOD_MS } from '../../platform/address-hash.ts';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import { type Layer, type LayeredSegment, layersOf, type Reach, type Segment } from './segments.ts';
import { generationRows, type Generations, generationsOf } from './store-generations.ts';
import type { COUNTS, Kind, PrincipalKind } from './types.ts';

/** Time as far as rows are told apart by it. */
const GRAINS = {
  none: '0',
  day: `start - start % ${DAY_MS}`,
  hour: `start - start % ${HOUR_MS}`,
  hour_of_day: `start % ${DAY_MS} - start % ${HOUR_MS}`,
} as const;

/** What is counted by, over which stretches. */
export interface TallyPart {
  kinds: readonly Kind[];
  segments: readonly Segment[];
  counts: readonly (typeof COUNTS)[number][];
  /** With what percentiles or different addresses are read from; such rows come one by one. All others are added up by the database. */
  sketch?: boolean;
  uniques?: boolean;
  /** What of time is told apart where rows are added up. */
  by?: keyof typeof GRAINS;
  /** Kinds of callers are told apart. */
  principals?: boolean;
  /** Of all callers, whatever is asked. */
  ofAll?: boolean;
}

export interface TallyQuestion {
  parts: readonly TallyPart[];
  principal: PrincipalKind | null;
  /** Period whose key addresses are counted under; needed where a part has them. */
  period?: number;
}

/** Stored roll-ups of one layer, of one part of the question. `uniques`: addresses under the key that was asked for. */
export interface TallyRow extends Partial<Record<(typeof COUNTS)[number], number>> {
  part: number;
  layer: Layer;
  kind: string;
  name: string;
  /** Empty where kinds of callers are not told apart. */
  principal: string;
  start: number;
  sketch?: Uint8Array | null;
  uniques?: Uint8Array | null;
}

export interface TallyReads {
  /** Rows of this layer and those above it, and the state they are of: all of one moment. */
  tallies(question: TallyQuestion, reach: Reach): Promise<{ rows: TallyRow[]; generations: Generations }>;
}

/** No part of a question has it. */
const MARKS = -1;

export function createTallyReads(database: Database): TallyReads {
  return {
    async tallies(question, reach) {
      const statement = sql<TallyRow>`${sql.join([...partsOf(database, question, reach), marksOf(database, question)], sql` union all `)}`;
      try {
        const { rows } = await statement.execute(database.reads.usage);
        const marks = rows.filter(({ part }) => part === MARKS).map(({ name, start }) => ({ name, value: start }));
        return { rows: rows.filter(({ part }) => part !== MARKS), generations: generationsOf(marks) };
      } catch (error) {
        throw databaseFault(error);
      }
    },
  };
}

/** The columns of the statement: the same for all parts. */
function columnsOf({ parts }: TallyQuestion) {
  return {
    counts: [...new Set(parts.flatMap(({ counts }) => counts))],
    bytes: (['sketch', 'uniques'] as const).filter((name) => parts.some((part) => part[name])),
  };
}

const raw = (names: readonly string[]) => sql.raw(names.join(', '));

function partsOf(database: Database, question: TallyQuestion, reach: Reach): RawBuilder<unknown>[] {
  return question.parts.flatMap((part, n) => {
    const selects = part.segments
      .flatMap((segment) => layersOf(segment, reach))
      .map((segment) => rowsOf(database, question, part, segment));
    if (selects.length === 0) return [];
    return part.sketch || part.uniques ? single(question, part, n, selects) : [addedUp(question, part, n, selects)];
  });
}

function rowsOf(database: Database, question: TallyQuestion, part: TallyPart, segment: LayeredSegment): RawBuilder<unknown> {
  const { principal, period = 0 } = question;
  const own = sql`case when start < ${sql.lit(period * ADDRESS_PERIOD_MS)} then addresses_next else addresses end as uniques`;
  const bytes = [...(part.sketch ? [sql.raw('sketch')] : []), ...(part.uniques ? [own] : [])];
  const wanted = sql.join([sql`${sql.lit(segment.layer)} as layer`, raw(['kind', 'name', 'principal', 'start', ...part.counts]), ...bytes]);
  return sql`select ${wanted} from ${sql.raw(database.table('usage', 'rollups'))} where kind in (${sql.join(part.kinds)})
    and size = ${sql.lit(segment.size)} and start >= ${segment.from} and start < ${segment.to}${segment.rolled === null ? sql`` : sql` and rolled = ${sql.lit(segment.rolled)}`}${
      principal === null || part.ofAll ? sql`` : sql` and principal = ${principal}`
    }`;
}

function single(question: TallyQuestion, part: TallyPart, n: number, selects: readonly RawBuilder<unknown>[]): RawBuilder<unknown>[] {
  const { counts, bytes } = columnsOf(question);
  const values = [
    ...counts.map((name) => (part.counts.includes(name) ? name : '0')),
    ...bytes.map((name) => (part[name] ? name : 'cast(null as bytea)')),
  ];
  return selects.map(
    (select) => sql`select ${sql.lit(n)} as part, layer, kind, name, principal, start, ${raw(values)} from (${select}) one`,
  );
}

/** Largest and latest; everything else is summed, as reals: exact below 2^53, and PostgreSQL adds them without its decimals. */
const sumOf = (name: string) =>
  name === 'ms_max' || name === 'last_at' ? `max(${name}) as ${name}` : `sum(cast(${name} as double precision)) as ${name}`;

function addedUp(question: TallyQuestion, part: TallyPart, n: number, selects: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  const { counts, bytes } = columnsOf(question);
  const grain = GRAINS[part.by ?? 'none'];
  const values = [
    part.principals ? 'principal' : `'' as principal`,
    `${grain} as start`,
    ...counts.map((name) => (part.counts.includes(name) ? sumOf(name) : `0 as ${name}`)),
    ...bytes.map((name) => `cast(null as bytea) as ${name}`),
  ];
  const groups = ['layer', 'kind', 'name', ...(part.principals ? ['principal'] : []), ...(part.by ? [grain] : [])];
  return sql`select ${sql.lit(n)} as part, layer, kind, name, ${raw(values)} from (${sql.join(selects, sql` union all `)}) rows_of_part group by ${raw(groups)}`;
}

function marksOf(database: Database, question: TallyQuestion): RawBuilder<unknown> {
  const { counts, bytes } = columnsOf(question);
  const rest = [...counts.map(() => '0'), ...bytes.map(() => 'cast(null as bytea)')];
  return sql`select ${sql.lit(MARKS)}, 0, '', name, '', value, ${raw(rest)} from ${generationRows(database)}`;
}
