import { DAY_MS, SESSION_GAP_MS } from '@nwms/domain';
import { sql, type RawBuilder } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import { type Layer, RUNNING, segmentFrom, SETTLED } from './segments.ts';
import { generationRows, type Generations, generationsOf } from './store-generations.ts';
import { FIGURE_TABLES } from './store-figures.ts';
import { HOUR, MINUTE, TEN_DAYS, type PrincipalKind, type VisitorRow } from './types.ts';
import { type Piece, piecesOf, type VisitorQuestion } from './visitor-pieces.ts';
import { PERSON_COUNTS, type PersonRow } from './visitor-columns.ts';

/** A stored row with what the visitor used, under the name the question knows the visitor by. */
export type WholeVisitor = VisitorRow & { v: string };

export interface VisitorReads {
  /** One row per visitor and layer, of this layer and those above it, and the state they are of: all of one moment. */
  persons(question: VisitorQuestion, lowest: Layer): Promise<{ rows: PersonRow[]; generations: Generations }>;
  /** All that is stored of these visitors in the window; several rows per visitor. */
  whole(question: VisitorQuestion, visitors: readonly string[]): Promise<WholeVisitor[]>;
}

/** Visitors asked for by name at a time. */
const NAMES_AT_ONCE = 500;
const UNION = sql` union all `;

export function createVisitorReads(database: Database): VisitorReads {
  const told = async <R>(statement: RawBuilder<R>): Promise<R[]> => {
    try {
      return (await statement.execute(database.reads.usage)).rows;
    } catch (error) {
      throw databaseFault(error);
    }
  };
  return {
    async persons(question, lowest) {
      const pieces = piecesOf(question.window).flatMap((piece) => segmentFrom(piece, lowest));
      const inside = pieces.filter(({ isHistory }) => !isHistory).map((piece) => insideRows(database, question, piece));
      const history = pieces.filter(({ isHistory }) => isHistory).map((piece) => historyRows(database, question, piece));
      const selects = [
        ...(inside.length === 0
          ? []
          : [sql`select layer, v, ${sql.raw(SUMMED)} from (${sql.join(inside, UNION)}) counted group by layer, v`]),
        ...(history.length === 0
          ? []
          : [sql`select layer, v, ${sql.raw(EARLIER)} from (${sql.join(history, UNION)}) earlier group by layer, v`]),
        sql`select ${sql.lit(MARKS)}, name, ${sql.raw(MARK)} from ${generationRows(database)}`,
      ];
      const rows = await told<PersonRow>(sql<PersonRow>`${sql.join(selects, UNION)}`);
      const marks = rows.flatMap(({ layer, v, known_at }) => (Number(layer) === MARKS ? [{ name: v, value: known_at ?? 0 }] : []));
      return { rows: rows.filter(({ layer }) => Number(layer) !== MARKS), generations: generationsOf(marks) };
    },
    async whole(question, visitors) {
      const found: WholeVisitor[] = [];
      for (let start = 0; start < visitors.length; start += NAMES_AT_ONCE)
        found.push(...(await told(wholeRows(database, question, visitors.slice(start, start + NAMES_AT_ONCE)))));
      return found;
    },
  };
}

/** No layer: the state of the record. */
const MARKS = -1;
/** Counts are added as reals: exact below 2^53, and PostgreSQL adds them without its decimals. */
const SUMMED = [
  'max(user_id) as user_id',
  'cast(null as bigint) as known_at',
  'min(first_at) as first_at',
  'max(last_at) as last_at',
  `string_agg(stretch, ' ') as stretches`,
  ...PERSON_COUNTS.map((name) => `sum(cast(${name} as double precision)) as ${name}`),
].join(', ');
const REST = [...['first_at', 'last_at'].map(() => 'cast(null as bigint)'), 'cast(null as text)', ...PERSON_COUNTS.map(() => '0')];
const EARLIER = ['cast(null as text)', 'min(first_at)', ...REST].join(', ');
const MARK = ['cast(null as text)', 'value', ...REST].join(', ');

type LayeredPiece = Piece & { layer: Layer | null };

const isAccountOr = (principal: PrincipalKind | null) => sql.join(principal === null ? ['all', 'anonymous'] : [principal]);
const nameOf = ({ isNext }: Piece) => (isNext ? 'visitor_next' : 'visitor');

/** Rows of a piece: those of days and ten days are narrow where what visitors used is not asked for; what is in no bigger stretch yet has one form only. */
function rowsOf(database: Database, { principal }: VisitorQuestion, piece: Piece, isWhole: boolean): RawBuilder<unknown> {
  const { size, open, from, to } = piece;
  const narrow = isWhole || open ? undefined : FIGURE_TABLES.get(size);
  const table = sql.raw(database.table('usage', narrow ?? 'visitors'));
  // Written out, as the index of open rows is found by it.
  const those =
    narrow !== undefined ? sql`` : sql`size = ${sql.lit(size)} and${open ? sql` rolled = 0 and size < ${sql.lit(TEN_DAYS)} and` : sql``}`;
  return sql`from ${table} where ${those} start >= ${sql.lit(from)} and start < ${sql.lit(to)} and scope in (${isAccountOr(principal)})`;
}

const layerOf = ({ layer }: LayeredPiece) => (layer === null ? `case when rolled = 1 then ${SETTLED} else ${RUNNING} end` : String(layer));

/**
 * Where a visit may go on in another row. Stretches of at most an hour: everywhere. Longer ones begin and end at a midnight, the running ten days at any: where
 * requests begin or end near one.
 */
const stretchOf = ({ size }: Piece) => {
  const stretch = `first_at || '-' || last_at`;
  return size === MINUTE || size === HOUR
    ? stretch
    : `case when first_at % ${DAY_MS} < ${SESSION_GAP_MS} or last_at % ${DAY_MS} >= ${DAY_MS - SESSION_GAP_MS} then ${stretch} end`;
};

function insideRows(database: Database, question: VisitorQuestion, piece: LayeredPiece): RawBuilder<unknown> {
  const columns = [
    `${layerOf(piece)} as layer`,
    `${nameOf(piece)} as v`,
    'user_id',
    'first_at',
    'last_at',
    `${stretchOf(piece)} as stretch`,
    ...PERSON_COUNTS,
  ];
  return sql`select ${sql.raw(columns.join(', '))} ${rowsOf(database, question, piece, false)}`;
}

function historyRows(database: Database, question: VisitorQuestion, piece: LayeredPiece): RawBuilder<unknown> {
  return sql`select ${sql.raw(`${layerOf(piece)} as layer, ${nameOf(piece)} as v, first_at`)} ${rowsOf(database, question, piece, false)}`;
}

function wholeRows(database: Database, question: VisitorQuestion, visitors: readonly string[]): RawBuilder<WholeVisitor> {
  const parts = piecesOf(question.window)
    .filter(({ isHistory }) => !isHistory)
    .map((piece) => {
      const name = nameOf(piece);
      return sql`select ${sql.ref(name)} as v, visitors.* ${rowsOf(database, question, piece, true)} and ${sql.ref(name)} in (${sql.join(visitors)})`;
    });
  return sql`${sql.join(parts, UNION)}`;
}
