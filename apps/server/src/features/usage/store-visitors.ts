import { DAY_MS, SESSION_GAP_MS } from '@nwms/domain';
import { sql, type RawBuilder } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Database } from '../../platform/db/types.ts';
import { CLOSED, EVERYTHING, type Layer, type LayeredSegment, layersOf, OPEN, type Reach, RUNNING, SETTLED } from './segments.ts';
import { generationRows, type Generations, generationsOf } from './store-generations.ts';
import { FIGURE_TABLES } from './store-figures.ts';
import { HOUR, MINUTE, TEN_DAYS, type PrincipalKind, type VisitorRow } from './types.ts';
import { type Piece, piecesOf, type VisitorQuestion } from './visitor-pieces.ts';
import { LOAD_COUNTS, type LoadRow, PERSON_NUMBERS, type PersonRow } from './visitor-columns.ts';

/** A stored row with what the visitor used, under the name the question knows the visitor by. */
export type WholeVisitor = VisitorRow & { v: string };

export interface VisitorReads {
  /** One row per visitor and layer, of minutes several, of this layer and those above it, and the state they are of: all of one moment. */
  persons(question: VisitorQuestion, reach: Reach): Promise<{ rows: PersonRow[]; generations: Generations }>;
  /** The same with nothing but what they asked. */
  loads(question: VisitorQuestion, reach: Reach): Promise<{ rows: LoadRow[]; generations: Generations }>;
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
  const inLayers = async <Row extends Pick<PersonRow, 'layer' | 'v' | 'known_at'>>(
    columns: readonly Column[],
    question: VisitorQuestion,
    reach: Reach,
  ) => {
    const pieces = piecesOf(question.window).flatMap((piece) => layersOf(piece, reach));
    const selects = LAYERS.flatMap((layer) => {
      const own = pieces.filter((piece) => piece.layer === layer);
      return selectsOf(database, question, columns, own);
    });
    const rows = await told<Row>(sql<Row>`${sql.join([...selects, marksOf(database, columns)], UNION)}`);
    const isMark = ({ layer }: Row) => Number(layer) === MARKS;
    const marks = rows.filter(isMark).map(({ v, known_at }) => ({ name: v, value: known_at ?? 0 }));
    return { rows: rows.filter((row) => !isMark(row)), generations: generationsOf(marks) };
  };
  return {
    persons: (question, reach) => inLayers<PersonRow>(PERSON_COLUMNS, question, reach),
    loads: (question, reach) => inLayers<LoadRow>(LOAD_COLUMNS, question, reach),
    async whole(question, visitors) {
      const found: WholeVisitor[] = [];
      for (let start = 0; start < visitors.length; start += NAMES_AT_ONCE)
        found.push(...(await told(wholeRows(database, question, visitors.slice(start, start + NAMES_AT_ONCE)))));
      return found;
    },
  };
}

const LAYERS: readonly Layer[] = [SETTLED, RUNNING, CLOSED, OPEN];
/** No layer: the state of the record. */
const MARKS = -1;
/** One column of the answer: what is added up of rows in the window, what of rows before it, and what stands beside a mark. */
interface Column {
  name: string;
  /** What of a row goes into it, with its name; the column of the same name unless said. */
  of?: (piece: LayeredPiece) => string;
  sum: string;
  /** The same of one row, as it is. */
  one: string;
  earlier: string;
  mark: string;
}

const NOTHING = 'cast(null as bigint)';
const NO_TEXT = 'cast(null as text)';
/** Counts are added as reals: exact below 2^53, and PostgreSQL adds them without its decimals. */
const count = (name: string): Column => ({ name, sum: `sum(cast(${name} as double precision))`, one: name, earlier: '0', mark: '0' });
const numberOf = (name: (typeof PERSON_NUMBERS)[number]) => {
  if (name === 'first_at' || name === 'last_at') return `${name === 'first_at' ? 'min' : 'max'}(${name})`;
  return `cast(${count(name).sum} as bigint)`;
};
const KNOWN_AT: Column = {
  name: 'known_at',
  of: () => `${NOTHING} as known_at`,
  sum: NOTHING,
  one: NOTHING,
  earlier: 'min(first_at)',
  mark: 'value',
};
const LOAD_COLUMNS: readonly Column[] = [KNOWN_AT, ...LOAD_COUNTS.map(count)];
const PERSON_COLUMNS: readonly Column[] = [
  KNOWN_AT,
  { name: 'user_id', sum: 'max(user_id)', one: 'user_id', earlier: NO_TEXT, mark: NO_TEXT },
  {
    name: 'stretches',
    of: (piece) => `${stretchOf(piece)} as stretches`,
    sum: `string_agg(stretches, ',')`,
    one: 'stretches',
    earlier: NO_TEXT,
    mark: NO_TEXT,
  },
  count('ms'),
  {
    name: 'numbers',
    of: () => PERSON_NUMBERS.join(', '),
    // As one text: reading twenty thousand times fifteen columns took longer than adding them up.
    sum: `concat_ws(' ', ${PERSON_NUMBERS.map(numberOf).join(', ')})`,
    one: `concat_ws(' ', ${PERSON_NUMBERS.join(', ')})`,
    earlier: NO_TEXT,
    mark: NO_TEXT,
  },
];

type LayeredPiece = Omit<Piece, 'open'> & LayeredSegment;

const isAccountOr = (principal: PrincipalKind | null) => sql.join(principal === null ? ['all', 'anonymous'] : [principal]);
const nameOf = ({ isNext }: Pick<Piece, 'isNext'>) => (isNext ? 'visitor_next' : 'visitor');

/** Rows of a piece: those of days and ten days are narrow where what visitors used is not asked for; what is in no bigger stretch yet has one form only. */
function rowsOf(database: Database, { principal }: VisitorQuestion, piece: LayeredPiece, isWhole = false): RawBuilder<unknown> {
  const { size, rolled, from, to } = piece;
  const narrow = isWhole || rolled !== null ? undefined : FIGURE_TABLES.get(size);
  const table = sql.raw(database.table('usage', narrow ?? 'visitors'));
  const ofSize = narrow === undefined ? sql`size = ${sql.lit(size)} and ` : sql``;
  // Written out, as the index of open rows is found by it.
  const isOpen = rolled === null ? sql`` : rolled === 0 ? sql`rolled = 0 and size < ${sql.lit(TEN_DAYS)} and ` : sql`rolled = 1 and `;
  return sql`from ${table} where ${ofSize}${isOpen}start >= ${sql.lit(from)} and start < ${sql.lit(to)} and scope in (${isAccountOr(principal)})`;
}

/** What is asked of one layer: its visitors in the window, and, where visits are told, who was seen before it. */
function selectsOf(
  database: Database,
  question: VisitorQuestion,
  columns: readonly Column[],
  pieces: readonly LayeredPiece[],
): RawBuilder<unknown>[] {
  const select = (of: readonly LayeredPiece[], values: string, columnsOf: (piece: LayeredPiece) => string, isAddedUp = true) => {
    const [first] = of;
    if (!first) return [];
    const rows = of.map(
      (piece) => sql`select ${sql.raw(`${nameOf(piece)} as v, ${columnsOf(piece)}`)} ${rowsOf(database, question, piece)}`,
    );
    const from = sql`select ${sql.lit(first.layer)} as layer, v, ${sql.raw(values)} from (${sql.join(rows, UNION)}) of_layer`;
    return [isAddedUp ? sql`${from} group by v` : from];
  };
  const told = columns === PERSON_COLUMNS ? pieces : pieces.filter(({ isHistory }) => !isHistory);
  // Minutes are few rows per visitor: to add them up here takes longer than to tell them.
  const isAddedUp = (pieces[0]?.layer ?? SETTLED) < CLOSED;
  return [
    ...select(
      told.filter(({ isHistory }) => !isHistory),
      columns.map(({ name, sum, one }) => `${isAddedUp ? sum : one} as ${name}`).join(', '),
      (piece) => columns.map(({ name, of }) => of?.(piece) ?? name).join(', '),
      isAddedUp,
    ),
    ...select(
      told.filter(({ isHistory }) => isHistory),
      columns.map(({ earlier }) => earlier).join(', '),
      () => 'first_at',
    ),
    ...(columns === PERSON_COLUMNS ? overMidnight(database, question, pieces) : []),
  ];
}

/**
 * Where visits may go on over midnight, of days and ten days: one text of all visitors. An index says which rows these are; to look at every row for it beside adding
 * it up takes as long again.
 */
function overMidnight(database: Database, question: VisitorQuestion, pieces: readonly LayeredPiece[]): RawBuilder<unknown>[] {
  const long = pieces.filter((piece) => !piece.isHistory && !isShort(piece));
  const [first] = long;
  if (!first) return [];
  const isNear = sql.raw(`(first_at % ${DAY_MS} < ${SESSION_GAP_MS} or last_at % ${DAY_MS} >= ${DAY_MS - SESSION_GAP_MS})`);
  const rows = long.map(
    (piece) => sql`select ${sql.raw(`${nameOf(piece)} as v, first_at, last_at`)} ${rowsOf(database, question, piece)} and ${isNear}`,
  );
  const all = PERSON_COLUMNS.map(({ name, mark }) =>
    name === 'stretches' ? `string_agg(v || ' ' || first_at || ' ' || last_at, ',')` : name === 'known_at' ? NOTHING : mark,
  );
  return [sql`select ${sql.lit(first.layer)}, '', ${sql.raw(all.join(', '))} from (${sql.join(rows, UNION)}) near`];
}

/** Stretches of at most an hour: a visit may go on from and into each. Longer ones begin and end at a midnight, the running ten days at any. */
const isShort = ({ size }: LayeredPiece) => size === MINUTE || size === HOUR;
const stretchOf = (piece: LayeredPiece) => (isShort(piece) ? `first_at || ' ' || last_at` : NO_TEXT);

const marksOf = (database: Database, columns: readonly Column[]) =>
  sql`select ${sql.lit(MARKS)}, name, ${sql.raw(columns.map(({ mark }) => mark).join(', '))} from ${generationRows(database)}`;

function wholeRows(database: Database, question: VisitorQuestion, visitors: readonly string[]): RawBuilder<WholeVisitor> {
  const parts = piecesOf(question.window)
    .filter(({ isHistory }) => !isHistory)
    .flatMap((piece) => layersOf(piece, EVERYTHING))
    .map((piece) => {
      const name = nameOf(piece);
      return sql`select ${sql.ref(name)} as v, visitors.* ${rowsOf(database, question, piece, true)} and ${sql.ref(name)} in (${sql.join(visitors)})`;
    });
  return sql`${sql.join(parts, UNION)}`;
}
