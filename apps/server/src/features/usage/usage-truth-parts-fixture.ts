import { roundTo } from '@nwms/domain';
import type { PrincipalKind } from './types.ts';
import type { Scripted } from './usage-model-fixture.ts';

/** What the tally is made with: plain counting over lists, shared with nothing of the product but its rounding. */
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A question over scripted requests, and the moment it is asked at. `since`: when recording began. */
export interface TruthQuestion {
  requests: readonly Scripted[];
  now: number;
  since: number;
  days: number;
  principal: PrincipalKind | 'all';
}

export const iso = (at: number) => new Date(at).toISOString();
export const date = (at: number) => iso(at).slice(0, 10);
export const startOf = (at: number, ms: number) => Math.floor(at / ms) * ms;
export const timesOf = (own: readonly Scripted[]) => own.flatMap(({ ms }) => (ms === null ? [] : [ms]));
export const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
export const average = (own: readonly Scripted[]) =>
  timesOf(own).length === 0 ? null : roundTo(sum(timesOf(own)) / timesOf(own).length, 1);
export const share = (part: number, whole: number) => (whole === 0 ? null : roundTo((100 * part) / whole, 2));
export const failed = (own: readonly Scripted[]) => own.filter(({ status }) => status >= 400);
export const broken = (own: readonly Scripted[]) => own.filter(({ status }) => status >= 500);
export const addresses = (own: readonly Scripted[]) => new Set(own.map(({ caller }) => caller.address)).size;
export const rank = (own: readonly Scripted[], q: number) => {
  const sorted = timesOf(own).sort((a, b) => a - b);
  return sorted[Math.ceil(q * sorted.length) - 1] ?? null;
};
export const errorRates = (own: readonly Scripted[]) => ({
  avg_response_time_ms: average(own),
  error_rate_percent: share(failed(own).length, own.length),
  server_error_rate_percent: share(broken(own).length, own.length),
});
export const grouped = (own: readonly Scripted[], nameOf: (one: Scripted) => string | null) => {
  const groups = new Map<string, Scripted[]>();
  for (const one of own) {
    const name = nameOf(one);
    if (name !== null) groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups].map(([name, group]) => ({ name, own: group }));
};
/** Most first, of a tie by name. */
export const ranked = <T extends { name: string }>(groups: readonly T[], valueOf: (one: T) => number): T[] =>
  [...groups].sort((a, b) => valueOf(b) - valueOf(a) || (a.name < b.name ? -1 : 1));
export const most = (groups: { name: string; own: readonly Scripted[] }[]) => ranked(groups, ({ own }) => own.length);
export const routeOf = ({ method, endpoint }: Scripted) => `${method} ${endpoint}`;
export const split = (name: string) => ({ method: name.slice(0, name.indexOf(' ')), endpoint: name.slice(name.indexOf(' ') + 1) });
export const counts = (groups: { name: string; own: readonly Scripted[] }[], member: string) =>
  most(groups).map(({ name, own }) => ({ [member]: name, requests: own.length }));
export const placeOf = ({ caller: { address } }: Scripted) => (address.startsWith('203') ? 'ZZ' : address.endsWith('.4') ? 'DE' : 'US');
export const cityOf = (one: Scripted) => (placeOf(one) === 'US' ? (one.caller.address.endsWith('.3') ? 'Ames' : 'Des Moines') : null);
export const COUNTRIES: Record<string, string> = { ZZ: 'Unknown', DE: 'Germany', US: 'United States' };
export const kindCounts = (own: readonly Scripted[]) => {
  const of = (kind: PrincipalKind) => own.filter(({ caller }) => caller.type === kind).length;
  return { anonymous: of('anonymous'), key: of('key'), session: of('session') };
};

/** The requests of a question, and the rows of its series. */
export function truthOf({ requests, now, since, days, principal }: TruthQuestion) {
  const all = requests.filter(({ at, caller }) => at < now && (principal === 'all' || caller.type === principal));
  const from = days === 1 ? startOf(now, HOUR) - 23 * HOUR : startOf(now, DAY) - (days - 1) * DAY;
  const own = all.filter(({ at }) => at >= from);
  const dayStarts = days === 1 ? [startOf(now, DAY)] : Array.from({ length: days }, (_, n) => from + n * DAY);
  const inDay = (start: number) => (days === 1 ? own : own.filter(({ at }) => startOf(at, DAY) === start));
  const hourStarts = Array.from({ length: 24 }, (_, n) => startOf(now, HOUR) - (23 - n) * HOUR);
  const inHour = (start: number) => all.filter(({ at }) => startOf(at, HOUR) === start);
  const known = (start: number, length: number, value: number) => (value > 0 || start + length > since ? value : null);
  return { all, own, from, dayStarts, inDay, hourStarts, inHour, known, now, since, days };
}
export type Truth = ReturnType<typeof truthOf>;
