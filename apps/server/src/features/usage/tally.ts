import { Sketch, Uniques } from '@nwms/domain';
import type { Kind, RollupRow, UsageRow } from './types.ts';

/** Which kinds have percentiles, and which count different addresses: what no figure needs is not kept. */
const WITH_SKETCH = new Set<string>(['all', 'endpoint'] satisfies Kind[]);
const WITH_ADDRESSES = new Set<string>(['all', 'endpoint', 'country'] satisfies Kind[]);

/** Counts that simply add up. */
const SUMS = [
  'requests',
  'errors',
  'server_errors',
  'timed',
  'ms',
  'error_timed',
  'error_ms',
  'bytes',
  'gets',
  'not_modified',
  'alerts',
  'geographic',
  'time_filtered',
] as const;

/** What one stretch of time had of one thing; adds requests, stored roll-ups and other tallies. */
export class Tally {
  requests = 0;
  errors = 0;
  server_errors = 0;
  timed = 0;
  ms = 0;
  error_timed = 0;
  error_ms = 0;
  bytes = 0;
  gets = 0;
  not_modified = 0;
  alerts = 0;
  geographic = 0;
  time_filtered = 0;
  ms_max = 0;
  last_at = 0;
  readonly sketch: Sketch | null;
  readonly addresses: Uniques | null;
  readonly addressesNext: Uniques | null;

  /** Of a kind, or of everything when it is null. */
  constructor(kind: string | null = null) {
    this.sketch = kind === null || WITH_SKETCH.has(kind) ? new Sketch() : null;
    const counts = kind === null || WITH_ADDRESSES.has(kind);
    this.addresses = counts ? new Uniques() : null;
    this.addressesNext = counts ? new Uniques() : null;
  }

  add(row: UsageRow): void {
    const failed = row.status >= 400;
    this.requests += 1;
    this.bytes += row.bytes;
    this.alerts += row.alerts;
    if (failed) this.errors += 1;
    if (row.status >= 500) this.server_errors += 1;
    if (row.method === 'GET') this.gets += 1;
    if (row.status === 304) this.not_modified += 1;
    if (row.geographic) this.geographic += 1;
    if (row.timeFiltered) this.time_filtered += 1;
    if (row.at > this.last_at) this.last_at = row.at;
    this.addresses?.add(elementOf(row.address));
    this.addressesNext?.add(elementOf(row.addressNext));
    if (row.ms === null) return;
    this.timed += 1;
    this.ms += row.ms;
    if (row.ms > this.ms_max) this.ms_max = row.ms;
    this.sketch?.add(row.ms);
    if (!failed) return;
    this.error_timed += 1;
    this.error_ms += row.ms;
  }

  /** Adds a stored roll-up as it is: for making the next size. */
  merge(row: Partial<RollupRow>): void {
    this.mergeCounts(row);
    if (row.addresses) this.addresses?.mergeEncoded(row.addresses);
    if (row.addresses_next) this.addressesNext?.mergeEncoded(row.addresses_next);
  }

  /** Adds a stored roll-up, counting addresses under the key of one period: `asNext` when the row is of the period before. */
  mergeUnder(row: Partial<RollupRow>, asNext: boolean): void {
    this.mergeCounts(row);
    const own = asNext ? row.addresses_next : row.addresses;
    if (own) this.addresses?.mergeEncoded(own);
  }

  /** Adds another one in memory, its addresses as `mergeUnder` does. */
  mergeTally(other: Tally, asNext: boolean): void {
    for (const name of SUMS) this[name] += other[name];
    this.ms_max = Math.max(this.ms_max, other.ms_max);
    this.last_at = Math.max(this.last_at, other.last_at);
    if (other.sketch) this.sketch?.merge(other.sketch);
    const own = asNext ? other.addressesNext : other.addresses;
    if (own) this.addresses?.merge(own);
  }

  mergeCounts(row: Partial<RollupRow>): void {
    for (const name of SUMS) this[name] += row[name] ?? 0;
    this.ms_max = Math.max(this.ms_max, row.ms_max ?? 0);
    this.last_at = Math.max(this.last_at, row.last_at ?? 0);
    if (row.sketch) this.sketch?.mergeEncoded(row.sketch);
  }

  /** The stored form, without its key. */
  encoded(): Pick<RollupRow, (typeof SUMS)[number] | 'ms_max' | 'last_at' | 'sketch' | 'addresses' | 'addresses_next'> {
    const sums = Object.fromEntries(SUMS.map((name) => [name, this[name]])) as Record<(typeof SUMS)[number], number>;
    return {
      ...sums,
      ms_max: this.ms_max,
      last_at: this.last_at,
      sketch: this.sketch?.encode() ?? null,
      addresses: this.addresses?.encode() ?? null,
      addresses_next: this.addressesNext?.encode() ?? null,
    };
  }
}

/** 53 bits of a hash in base64url. */
export function elementOf(hash: string): number {
  const bytes = Buffer.from(hash.slice(0, 10), 'base64url');
  return bytes.readUIntBE(0, 6) * 32 + ((bytes[6] ?? 0) >> 3);
}

/** Everything one request is counted by. */
export function kindsOf(row: UsageRow): [Kind, string][] {
  const kinds: [Kind, string][] = [
    ['all', ''],
    ['endpoint', endpointName(row.method, row.endpoint)],
    ['status', String(row.status)],
    ['country', row.country],
    ['device', row.device],
  ];
  if (row.error !== null) kinds.push(['error', row.error]);
  if (row.city !== null) kinds.push(['city', cityName(row)]);
  if (row.device === 'desktop' || row.device === 'mobile') {
    kinds.push(['browser', row.browser ?? 'Other'], ['os', row.os ?? 'Other']);
  } else if ((row.device === 'bot' || row.device === 'client') && row.agent !== null) kinds.push([row.device, row.agent]);
  return kinds;
}

/** Method and template as one name; no method has a blank in it. */
export const endpointName = (method: string, endpoint: string) => `${method} ${endpoint}`;
export function splitEndpoint(name: string): { method: string; endpoint: string } {
  const at = name.indexOf(' ');
  return { method: name.slice(0, at), endpoint: name.slice(at + 1) };
}

const SEPARATOR = '\u001f';
export const cityName = ({ country, region, city }: { country: string; region: string | null; city: string | null }) =>
  [country, region ?? '', city ?? ''].join(SEPARATOR);
export function splitCity(name: string): { country: string; region: string | null; city: string } {
  const [country = 'ZZ', region = '', city = ''] = name.split(SEPARATOR);
  return { country, region: region || null, city };
}
