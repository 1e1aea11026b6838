import { Sketch, Uniques } from '@nwms/domain';
import type { Bundle } from './bundles.ts';
import type { ReadRollup } from './store-read.ts';
import { COUNTS, type Kind, type RollupRow } from './types.ts';

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

type Count = (typeof COUNTS)[number];

/** What a tally has beside its counts. */
export type Holds = Pick<Tally, 'sketch' | 'addresses' | 'addressesNext'>;

function holdsOf(kind: string | null): Holds {
  const unique = () => (kind === null || WITH_ADDRESSES.has(kind) ? new Uniques() : null);
  return { sketch: kind === null || WITH_SKETCH.has(kind) ? new Sketch() : null, addresses: unique(), addressesNext: unique() };
}

/** Memory of a tally without what it holds. */
const BYTES = 300;

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
  constructor(kind: string | null = null, { sketch, addresses, addressesNext }: Holds = holdsOf(kind)) {
    this.sketch = sketch;
    this.addresses = addresses;
    this.addressesNext = addressesNext;
  }

  add(bundle: Bundle): void {
    const { traits, requests } = bundle;
    const failed = traits.status >= 400;
    this.requests += requests;
    this.bytes += bundle.bytes;
    this.alerts += bundle.alerts;
    this.geographic += bundle.geographic;
    this.time_filtered += bundle.timeFiltered;
    if (failed) this.errors += requests;
    if (traits.status >= 500) this.server_errors += requests;
    if (traits.method === 'GET') this.gets += requests;
    if (traits.status === 304) this.not_modified += requests;
    this.last_at = Math.max(this.last_at, bundle.lastAt);
    this.addresses?.add(traits.element);
    this.addressesNext?.add(traits.elementNext);
    this.timed += bundle.sketch.count;
    this.ms += bundle.ms;
    this.ms_max = Math.max(this.ms_max, bundle.msMax);
    this.sketch?.merge(bundle.sketch);
    if (!failed) return;
    this.error_timed += bundle.sketch.count;
    this.error_ms += bundle.ms;
  }

  /** Adds a stored roll-up as it is: for making the next size. */
  merge(row: Partial<RollupRow>): void {
    this.mergeCounts(row);
    if (row.sketch) this.sketch?.mergeEncoded(row.sketch);
    if (row.addresses) this.addresses?.mergeEncoded(row.addresses);
    if (row.addresses_next) this.addressesNext?.mergeEncoded(row.addresses_next);
  }

  /** Adds a roll-up as it was read, its addresses under the key that was asked for. `counts`: those that it has. */
  mergeRead(row: Omit<Partial<ReadRollup>, 'part'>, counts?: readonly Count[]): void {
    this.mergeCounts(row, counts);
    if (row.sketch) this.sketch?.mergeEncoded(row.sketch);
    if (row.uniques) this.addresses?.mergeEncoded(row.uniques);
  }

  /** Adds another one in memory, its addresses under the key of one period: `asNext` when it is of the period before. */
  mergeTally(other: Tally, asNext: boolean): void {
    this.mergeCounts(other);
    if (other.sketch) this.sketch?.merge(other.sketch);
    const own = asNext ? other.addressesNext : other.addresses;
    if (own) this.addresses?.merge(own);
  }

  /** Adds counts alone. */
  mergeCounts(row: Partial<Pick<RollupRow, Count>>, counts: readonly Count[] = COUNTS): void {
    for (const name of counts) {
      const value = row[name] ?? 0;
      if (name !== 'ms_max' && name !== 'last_at') this[name] += value;
      else if (value > this[name]) this[name] = value;
    }
  }

  /** The same once more, its addresses under one key only. The two share memory: from here on this one must not be added to. */
  copy(): Tally {
    const copy = new Tally('counter', {
      sketch: this.sketch?.copy() ?? null,
      addresses: this.addresses?.copy() ?? null,
      addressesNext: null,
    });
    copy.mergeCounts(this);
    return copy;
  }

  /** Memory it takes, roughly. */
  get memoryBytes(): number {
    return BYTES + (this.sketch?.memoryBytes ?? 0) + (this.addresses?.memoryBytes ?? 0) + (this.addressesNext?.memoryBytes ?? 0);
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
