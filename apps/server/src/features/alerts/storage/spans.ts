import type { Expression, ExpressionBuilder, ReferenceExpression, SqlBool } from 'kysely';
import type { Instant } from '@nwms/domain';

/**
 * "Which intervals hold instant T?" over millions of intervals with plain B-tree indexes, the same on both engines: intervals are
 * put into classes by length, and within one class of length L only those that began after T - L can hold T. Most alerts last
 * hours, so a question reads about twice what it returns, however long the history.
 */
const HOUR_MS = 3_600_000;
const CLASS_HOURS = [3, 6, 12, 24, 48, 96, 192, 384, 768, 1_536];
/** Longer than every class, or without end. Few at any time. */
export const LONGEST_CLASS = CLASS_HOURS.length;

/** Events in any other class begin less than this before any instant they hold. */
export const LONGEST_CLASS_MS = (CLASS_HOURS.at(-1) ?? 0) * HOUR_MS;

/** Class of [from, until). */
export function spanClassOf(from: Instant, until: Instant): number {
  const hours = (until - from) / HOUR_MS;
  const found = CLASS_HOURS.findIndex((limit) => hours <= limit);
  return found === -1 ? LONGEST_CLASS : found;
}

/** Class of what holds no instant: no question asks for it. */
export const EMPTY_SPAN = -1;

/** The same in SQL, of two expressions that are written into the statement. */
export function spanClassSql(from: string, until: string): string {
  const whens = CLASS_HOURS.map((hours, index) => `when ${until} - ${from} <= ${hours * HOUR_MS} then ${index}`);
  return `case when ${until} <= ${from} then ${EMPTY_SPAN} ${whens.join(' ')} else ${LONGEST_CLASS} end`;
}

/** Every class with the earliest start an interval of it can have that still holds something at or after `from`; null = no bound. */
export function classStarts(from: Instant): { spanClass: number; earliest: Instant | null }[] {
  const bounded: { spanClass: number; earliest: Instant | null }[] = CLASS_HOURS.map((hours, spanClass) => ({
    spanClass,
    earliest: from - hours * HOUR_MS,
  }));
  return [...bounded, { spanClass: LONGEST_CLASS, earliest: null }];
}

/** Columns of an interval: its class, start and end. */
export interface SpanColumns<DB, TB extends keyof DB> {
  spanClass: ReferenceExpression<DB, TB>;
  from: ReferenceExpression<DB, TB>;
  until: ReferenceExpression<DB, TB>;
}

/** Condition "the interval overlaps [from, to)"; for one instant give [at, at + 1). */
export function overlaps<DB, TB extends keyof DB>(
  e: ExpressionBuilder<DB, TB>,
  columns: SpanColumns<DB, TB>,
  from: Instant,
  to: Instant,
): Expression<SqlBool> {
  const number = (value: number) => e.val(value) as never;
  const classes = CLASS_HOURS.map((hours, index) =>
    e.and([
      e(columns.spanClass, '=', number(index)),
      e(columns.from, '>=', number(from - hours * HOUR_MS)),
      e(columns.from, '<', number(to)),
      e(columns.until, '>', number(from)),
    ]),
  );
  const longest = e.and([
    e(columns.spanClass, '=', number(LONGEST_CLASS)),
    e(columns.from, '<', number(to)),
    e(columns.until, '>', number(from)),
  ]);
  return e.or([...classes, longest]);
}

/** `overlaps` as text, of expressions that are written into the statement: for the few questions that are asked so often that building them counts. */
export function overlapsSql(columns: Record<'spanClass' | 'from' | 'until', string>, from: string, to: string): string {
  const reach = CLASS_HOURS.map((hours, index) => `${columns.spanClass} = ${index} and ${columns.from} >= ${from} - ${hours * HOUR_MS}`);
  return [...reach, `${columns.spanClass} = ${LONGEST_CLASS}`]
    .map((each) => `(${each} and ${columns.from} < ${to} and ${columns.until} > ${from})`)
    .join(' or ');
}

/** Any class but that of what holds no instant, for an index that begins with the class. */
export function anySpanSql(columns: Record<'spanClass', string>): string {
  return `${columns.spanClass} in (${[...CLASS_HOURS.keys(), LONGEST_CLASS].join(', ')})`;
}
