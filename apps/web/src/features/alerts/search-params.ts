import { SEVERITIES, type Severity } from '@nwms/domain/alert/vocabulary';
import { readPlace } from './map/place-address.ts';
import { ALL_ORDERS, type Order } from './order-alerts.ts';

export const PAGE_SIZES = [10, 20, 50, 100] as const;
/** 0 = all on one page. */
export type PageSize = (typeof PAGE_SIZES)[number] | 0;
export const SCOPES = ['active', 'all'] as const;
export type Scope = (typeof SCOPES)[number];

/** What the address of the alerts screen says; absent = default, so that plain addresses stay short. */
export interface AlertsSearch {
  q?: string;
  severity?: Severity;
  event?: string;
  scope?: 'all';
  order?: Exclude<Order, 'rank'>;
  page?: number;
  size?: Exclude<PageSize, 10>;
  /** Event id of the selected alert. */
  alert?: string;
  /** The selected alert is open in its popup. */
  details?: true;
  /** Map view "lat,lon,zoom". */
  map?: string;
  /** Chosen place: "lat,lon", or the code of an area. */
  place?: string;
}

/** What "Clear All Filters" leaves: every active alert. */
export const CLEARED: Partial<AlertsSearch> = { severity: undefined, event: undefined, q: undefined, scope: undefined };
export const isFiltered = (search: AlertsSearch): boolean => Boolean(search.severity ?? search.event ?? search.q ?? search.scope);

/** What rows are listed and in what order: everything but which of them is chosen, and the map. */
const OF_THE_LIST = ['q', 'severity', 'event', 'scope', 'order', 'page', 'size'] as const;
export const isSameList = (a: AlertsSearch, b: AlertsSearch): boolean => OF_THE_LIST.every((name) => a[name] === b[name]);

const one = <const V extends readonly (string | number)[]>(values: V, given: unknown): V[number] | undefined =>
  values.find((value) => value === given || String(value) === given);
const text = (given: unknown, max: number): string | undefined => {
  const value = typeof given === 'number' ? String(given) : given;
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, max) : undefined;
};

const MAP_VIEW = /^-?\d{1,2}(\.\d+)?,-?\d{1,3}(\.\d+)?,\d{1,2}(\.\d+)?$/;

/** Reads an address made by anyone: what is not understood is left out, never an error. */
export function readAlertsSearch(given: Record<string, unknown>): AlertsSearch {
  const search: AlertsSearch = {};
  const q = text(given['q'], 100);
  const severity = one(SEVERITIES, given['severity']);
  const event = text(given['event'], 100);
  const order = one(ALL_ORDERS, given['order']);
  const page = Number(given['page']);
  const size = one([0, ...PAGE_SIZES] as const, given['size']);
  const alert = text(given['alert'], 256);
  const map = text(given['map'], 60);
  const place = text(given['place'], 60);
  if (q) search.q = q;
  if (severity) search.severity = severity;
  if (event) search.event = event;
  if (given['scope'] === 'all') search.scope = 'all';
  if (order && order !== 'rank') search.order = order;
  if (Number.isInteger(page) && page > 1 && page < 10_000) search.page = page;
  if (size !== undefined && size !== 10) search.size = size;
  if (alert) search.alert = alert;
  if (alert && (given['details'] === true || given['details'] === 'true')) search.details = true;
  if (map && MAP_VIEW.test(map)) search.map = map;
  if (place && readPlace(place)) search.place = place;
  return search;
}
