/** ANLY-01: days. */
export const PERIODS = [
  { value: 1, label: '24h' },
  { value: 7, label: '7d' },
  { value: 30, label: '30d' },
  { value: 90, label: '90d' },
] as const;
export type PeriodDays = (typeof PERIODS)[number]['value'];
export const DEFAULT_DAYS: PeriodDays = 7;

/** RTIM-01: minutes. */
export const WINDOWS = [15, 30, 60, 120] as const;
export type WindowMinutes = (typeof WINDOWS)[number];
export const DEFAULT_MINUTES: WindowMinutes = 60;

export const PRINCIPALS = [
  { value: 'all', label: 'All callers' },
  { value: 'anonymous', label: 'Without a key' },
  { value: 'key', label: 'API keys' },
  { value: 'session', label: 'Signed-in people' },
] as const;
export type Principal = Exclude<(typeof PRINCIPALS)[number]['value'], 'all'>;

/** What the addresses of the analytics screens say. */
export interface UsageSearch {
  days?: PeriodDays | undefined;
  principal?: Principal | undefined;
  /** Of the real-time screen. */
  minutes?: WindowMinutes | undefined;
  /** `off`: not asked again by itself. */
  auto?: 'off' | undefined;
  /** Of the accounts and their limits, from 2 on. */
  page?: number | undefined;
}

/** Reads an address, whoever wrote it: what cannot be meant is left out. */
export function readUsageSearch(search: Record<string, unknown>): UsageSearch {
  const days = PERIODS.find(({ value }) => value === Number(search['days']))?.value;
  const minutes = WINDOWS.find((value) => value === Number(search['minutes']));
  const principal = PRINCIPALS.find(({ value }) => value === search['principal'])?.value;
  return {
    days: days === DEFAULT_DAYS ? undefined : days,
    principal: principal === 'all' ? undefined : principal,
    minutes: minutes === DEFAULT_MINUTES ? undefined : minutes,
    auto: search['auto'] === 'off' ? 'off' : undefined,
    page: pageOf(search['page']),
  };
}

function pageOf(value: unknown): number | undefined {
  const page = Number(value);
  return Number.isInteger(page) && page > 1 && page <= 1_000 ? page : undefined;
}

/** Filters of the list of single requests behind a figure. Empty: the list is not open. */
export interface RequestFilter {
  endpoint?: string | undefined;
  method?: string | undefined;
  status?: number | undefined;
  error?: string | undefined;
  country?: string | undefined;
  visitor?: string | undefined;
  key_id?: string | undefined;
  /** Begin of the one minute that is asked for, to the minute: `2025-12-15T14:05`. */
  minute?: string | undefined;
}

const text = (value: unknown, pattern: RegExp): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

export function readRequestFilter(search: Record<string, unknown>): RequestFilter {
  const status = Number(search['status']);
  return {
    endpoint: text(search['endpoint'], /^.{1,200}$/),
    method: text(search['method'], /^[A-Z]{1,10}$/),
    status: Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined,
    error: text(search['error'], /^[a-z0-9_.]{1,60}$/),
    country: text(search['country'], /^[A-Za-z]{2}$/),
    visitor: text(search['visitor'], /^[\w-]{1,60}$/),
    key_id: text(search['key_id'], /^[\w-]{1,60}$/),
    minute: minuteOf(search['minute']),
  };
}

/** Only what is an instant: the server refuses the rest. */
function minuteOf(value: unknown): string | undefined {
  const minute = text(value, /^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
  return minute !== undefined && !Number.isNaN(Date.parse(`${minute}Z`)) ? minute : undefined;
}

export const isOpen = (filter: RequestFilter): boolean => Object.values(filter).some((value) => value !== undefined);
/** The address without these filters. */
export const CLOSED: Record<keyof RequestFilter, undefined> = {
  endpoint: undefined,
  method: undefined,
  status: undefined,
  error: undefined,
  country: undefined,
  visitor: undefined,
  key_id: undefined,
  minute: undefined,
};
