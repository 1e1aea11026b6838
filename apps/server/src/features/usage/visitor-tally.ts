import { SESSION_GAP_MS } from '@nwms/domain';
import type { Bundle } from './bundles.ts';
import type { Device, VisitorRow } from './types.ts';

/** How often, and when last: for "most frequent, of a tie the latest". */
type Seen = Record<string, [count: number, last: number]>;

/** What a visitor used, as it is stored: endpoints `e`, browsers `b`, systems `o`, devices `d`, places `p`, stretches of visits `s`. */
export interface VisitorDetail {
  e: Seen;
  b: Seen;
  o: Seen;
  d: Seen;
  p: Seen;
  s: [first: number, last: number][];
}

const emptyDetail = (): VisitorDetail => ({ e: {}, b: {}, o: {}, d: {}, p: {}, s: [] });
const COUNTS = ['requests', 'errors', 'timed', 'ms', 'desktop', 'mobile', 'bot', 'client', 'unknown', 'by_key', 'by_api'] as const;

/** One visitor in one stretch of time. */
export class VisitorTally {
  readonly counts = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Record<(typeof COUNTS)[number], number>;
  readonly detail = emptyDetail();
  visitorNext = '';
  userId: string | null = null;

  /** A bundle is of one minute, so its requests are one stretch of a visit. */
  add({ traits, requests, sketch, ms, firstAt, lastAt }: Bundle): void {
    const { counts, detail } = this;
    this.visitorNext = traits.visitorNext;
    this.userId = traits.userId;
    counts.requests += requests;
    if (traits.status >= 400) counts.errors += requests;
    counts.timed += sketch.count;
    counts.ms += ms;
    counts[traits.device satisfies Device] += requests;
    if (traits.principal === 'key') counts.by_key += requests;
    if (traits.principal === 'key' || traits.device === 'client') counts.by_api += requests;
    note(detail.e, traits.endpointName, requests, lastAt);
    note(detail.d, traits.device, requests, lastAt);
    note(detail.p, traits.place, requests, lastAt);
    if (traits.browser !== null) note(detail.b, traits.browser, requests, lastAt);
    if (traits.os !== null) note(detail.o, traits.os, requests, lastAt);
    addStretch(detail.s, firstAt, lastAt);
  }

  merge(row: VisitorRow): void {
    this.visitorNext = row.visitor_next;
    this.userId = row.user_id;
    for (const name of COUNTS) this.counts[name] += row[name];
    this.mergeDetail(row.detail);
  }

  mergeDetail(text: string): void {
    const detail = JSON.parse(text) as VisitorDetail;
    for (const group of ['e', 'b', 'o', 'd', 'p'] as const)
      for (const [name, [count, last]] of Object.entries(detail[group])) note(this.detail[group], name, count, last);
    for (const [first, last] of detail.s) addStretch(this.detail.s, first, last);
  }

  /** The stored form, without its key. */
  encoded(): Omit<VisitorRow, 'size' | 'start' | 'visitor' | 'scope' | 'part' | 'rolled'> {
    const stretches = this.detail.s;
    return {
      ...this.counts,
      visitor_next: this.visitorNext,
      user_id: this.userId,
      sessions: stretches.length,
      active_ms: stretches.reduce((sum, [first, last]) => sum + last - first, 0),
      first_at: stretches[0]?.[0] ?? 0,
      last_at: stretches.at(-1)?.[1] ?? 0,
      detail: JSON.stringify(this.detail),
    };
  }
}

function note(seen: Seen, name: string, count: number, last: number): void {
  const known = seen[name];
  if (!known) seen[name] = [count, last];
  else {
    known[0] += count;
    if (last > known[1]) known[1] = last;
  }
}

/** Puts a stretch in its place and joins it with those less than half an hour away. */
function addStretch(stretches: [number, number][], first: number, last: number): void {
  let [from, to] = [first, last];
  let at = stretches.length;
  while (at > 0 && (stretches[at - 1]?.[0] ?? 0) > from) at -= 1;
  stretches.splice(at, 0, [from, to]);
  for (let i = Math.max(0, at - 1); i < stretches.length - 1;) {
    const [one, next] = [stretches[i], stretches[i + 1]];
    if (!one || !next || next[0] - one[1] >= SESSION_GAP_MS) {
      if (i > at) return;
      i += 1;
      continue;
    }
    [from, to] = [one[0], Math.max(one[1], next[1])];
    stretches.splice(i, 2, [from, to]);
  }
}

/** The most frequent; of a tie the one seen last. */
export function mostFrequent(seen: Seen): string | null {
  let best: { name: string; count: number; last: number } | null = null;
  for (const [name, [count, last]] of Object.entries(seen))
    if (!best || count > best.count || (count === best.count && last > best.last)) best = { name, count, last };
  return best?.name ?? null;
}
