import type { alerts, QueryOf } from '@nwms/contract';
import type { Instant } from '@nwms/domain';
import type { Row } from '../board/row.ts';
import { parseInstant } from '../../../platform/http/instant.ts';
import { fieldFault } from './fault.ts';

/** Longest span of a history question, 400 days: a year and its margins. */
export const MAX_WINDOW_MS = 400 * 86_400_000;

type TimeParameters = Pick<QueryOf<typeof alerts.listAlerts>, 'from' | 'to' | 'time_field' | 'at' | 'in_force_at' | 'updated_since'>;
export type TimeField = NonNullable<TimeParameters['time_field']>;

export interface TimeRange {
  from: Instant;
  to: Instant | null;
  field: TimeField;
}

export interface TimeFilter {
  range: TimeRange | null;
  at: Instant | null;
  inForceAt: Instant | null;
  updatedSince: Instant | null;
  matches(row: Row): boolean;
}

/** @throws AppError request.invalid, query.window_too_large */
export function compileTime(query: TimeParameters, now: Instant): TimeFilter {
  const instantOf = (name: 'from' | 'to' | 'at' | 'in_force_at' | 'updated_since') => {
    const text = query[name];
    return text === undefined ? null : parseInstant(name, text);
  };
  const at = instantOf('at');
  if (at !== null && at > now)
    throw fieldFault('at', 'range', 'at lies in the future: nothing is known then yet. Use in_force_at for what will be in force.');
  const range = rangeOf(instantOf('from'), instantOf('to'), query.time_field ?? 'in_force', now);
  const inForceAt = instantOf('in_force_at');
  const updatedSince = instantOf('updated_since');
  return {
    at,
    range,
    inForceAt,
    updatedSince,
    matches:
      range === null && inForceAt === null && updatedSince === null
        ? () => true
        : (row) => inRange(row, range) && inForce(row, inForceAt) && row.order.updatedAt >= (updatedSince ?? -Infinity),
  };
}

function rangeOf(from: Instant | null, to: Instant | null, field: TimeField, now: Instant): TimeRange | null {
  if (from === null && to === null) return null;
  if (from !== null && to !== null && from >= to) throw fieldFault('to', 'range', 'to must be later than from.');
  if (from === null)
    throw fieldFault(
      'from',
      'required',
      'from is missing: a range that ends needs a beginning, at most 400 days earlier.',
      'query.window_too_large',
    );
  if ((to ?? now) - from > MAX_WINDOW_MS)
    throw fieldFault('to', 'range', 'from and to are more than 400 days apart.', 'query.window_too_large');
  return { from, to, field };
}

function inRange(row: Row, range: TimeRange | null): boolean {
  if (!range) return true;
  const { from } = range;
  const to = range.to ?? Infinity;
  if (range.field === 'in_force') return startOf(row) < to && endOf(row) > from;
  const value = valueOf(row, range.field);
  return value !== null && value >= from && value < to;
}

function inForce(row: Row, at: Instant | null): boolean {
  return at === null || (startOf(row) <= at && endOf(row) > at);
}

const startOf = (row: Row): Instant => row.presented.evaluation.inForceFrom;
/** When it stopped, else when it is planned to; open ends never. */
const endOf = ({ presented: { evaluation } }: Row): Instant => evaluation.endedAt ?? evaluation.inForceUntil ?? Infinity;

function valueOf(row: Row, field: Exclude<TimeField, 'in_force'>): Instant | null {
  if (field === 'sent') return row.order.sent;
  if (field === 'ended') return row.presented.evaluation.endedAt;
  const text = row.alert[field];
  return text === null ? null : Date.parse(text);
}
