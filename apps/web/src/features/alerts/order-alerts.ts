import { SEVERITIES, type Severity } from '@nwms/domain/alert/vocabulary';
import type { SlimAlert } from '@nwms/contract';

export const ORDERS = ['rank', 'severity', 'event', 'area', 'start', 'until', 'newest'] as const;
export type PlainOrder = (typeof ORDERS)[number];
/** A leading minus turns an order round. What is equal in it stays by danger, and danger itself is never turned round. */
export type Order = PlainOrder | `-${Exclude<PlainOrder, 'rank'>}`;

export const isReversed = (order: Order): boolean => order.startsWith('-');
export const plainOrder = (order: Order): PlainOrder => (isReversed(order) ? order.slice(1) : order) as PlainOrder;
export const reversedOrder = (order: Exclude<PlainOrder, 'rank'>): Order => `-${order}`;
export const ALL_ORDERS: readonly Order[] = [...ORDERS, ...ORDERS.flatMap((order) => (order === 'rank' ? [] : [reversedOrder(order)]))];

/** What pressing a column's head leads to: its order, the same turned round, and back to danger. */
export function nextOrder(own: Exclude<PlainOrder, 'rank'>, now: Order): Order {
  if (plainOrder(now) !== own) return own;
  return isReversed(now) ? 'rank' : reversedOrder(own);
}

/** What is compared, read once per row: parsing times anew in every comparison made sorting 1,000 rows ten times slower. */
interface Keys {
  alert: SlimAlert;
  group: number;
  from: number;
  until: number;
  sent: number;
  ended: number;
}
type Compare = (a: Keys, b: Keys) => number;

const text = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const instant = (value: string | null): number => (value === null ? Infinity : Date.parse(value));
const number = (a: number, b: number): number => (a === b ? 0 : a - b);
const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);
const lifeGroup = (alert: SlimAlert): number => (!alert.is_active ? 2 : alert.state === 'upcoming' ? 1 : 0);

/** The server's `rank`: in force, then upcoming, each by danger and end; then what is over, latest first. Total: ties by event id. */
const rank: Compare = (a, b) => {
  if (a.group !== b.group) return a.group - b.group;
  const life = a.group === 2 ? number(b.ended, a.ended) : number(b.alert.hazard_rank, a.alert.hazard_rank) || number(a.until, b.until);
  return life || text(a.alert.event_id, b.alert.event_id);
};

const COMPARE: Record<PlainOrder, Compare> = {
  rank,
  severity: (a, b) => number(severityRank(a.alert.severity), severityRank(b.alert.severity)),
  event: (a, b) => text(a.alert.event, b.alert.event),
  area: (a, b) => text(a.alert.area_desc, b.alert.area_desc),
  start: (a, b) => number(a.from, b.from),
  until: (a, b) => number(a.until, b.until),
  newest: (a, b) => number(b.sent, a.sent),
};

/** Rows in this order, a new array. The order is total: the same rows are always in the same places. */
export function orderRows<Row extends { alert: SlimAlert }>(rows: readonly Row[], order: Order): Row[] {
  const plain = COMPARE[plainOrder(order)];
  const compare: Compare = isReversed(order) ? (a, b) => plain(b, a) || rank(a, b) : (a, b) => plain(a, b) || rank(a, b);
  return rows
    .map((row) => ({ row, keys: keysOf(row.alert) }))
    .sort((a, b) => compare(a.keys, b.keys))
    .map(({ row }) => row);
}

function keysOf(alert: SlimAlert): Keys {
  return {
    alert,
    group: lifeGroup(alert),
    from: instant(alert.in_force_from),
    until: instant(alert.in_force_until),
    sent: instant(alert.sent),
    ended: instant(alert.ended_at),
  };
}
