import { Sketch, startOfMinute } from '@nwms/domain';
import type { Traits, UsageRow } from './types.ts';

/** Requests of one minute that have their traits in common: what is counted of them, added up before anything is counted. */
export interface Bundle {
  traits: Traits;
  requests: number;
  /** Of those that have a time; as many as `sketch` has values. */
  ms: number;
  msMax: number;
  sketch: Sketch;
  bytes: number;
  alerts: number;
  geographic: number;
  timeFiltered: number;
  firstAt: number;
  lastAt: number;
}

const emptyBundle = (traits: Traits): Bundle => ({
  traits,
  requests: 0,
  ms: 0,
  msMax: 0,
  sketch: new Sketch(),
  bytes: 0,
  alerts: 0,
  geographic: 0,
  timeFiltered: 0,
  firstAt: Infinity,
  lastAt: 0,
});

/** Rows that are looked at between two breaths: a fraction of a slice. */
const ROWS_PER_BREATH = 256;

/**
 * Rows by minute and traits. Under load most requests are of a few callers and routes: a thousand of them a second then cost one look-up and
 * some additions each, and what they are counted by is worked out a few times.
 */
export async function bundlesOf(rows: readonly UsageRow[], breathe: () => Promise<void>): Promise<Map<number, Bundle[]>> {
  const minutes = new Map<number, Map<Traits, Bundle>>();
  let minute = new Map<Traits, Bundle>();
  let start = Number.NaN;
  let n = 0;
  for (const row of rows) {
    if (startOfMinute(row.at) !== start) {
      start = startOfMinute(row.at);
      minute = minutes.get(start) ?? new Map<Traits, Bundle>();
      minutes.set(start, minute);
    }
    let bundle = minute.get(row.traits);
    if (!bundle) minute.set(row.traits, (bundle = emptyBundle(row.traits)));
    addTo(bundle, row);
    n += 1;
    if (n % ROWS_PER_BREATH === 0) await breathe();
  }
  return new Map([...minutes].map(([at, bundles]) => [at, [...bundles.values()]]));
}

function addTo(bundle: Bundle, { at, ms, bytes, alerts, geographic, timeFiltered }: UsageRow): void {
  bundle.requests += 1;
  bundle.bytes += bytes;
  bundle.alerts += alerts;
  if (geographic) bundle.geographic += 1;
  if (timeFiltered) bundle.timeFiltered += 1;
  if (at < bundle.firstAt) bundle.firstAt = at;
  if (at > bundle.lastAt) bundle.lastAt = at;
  if (ms === null) return;
  bundle.ms += ms;
  if (ms > bundle.msMax) bundle.msMax = ms;
  bundle.sketch.add(ms);
}
