import type { Device, UsageRow, VisitorRow } from './types.ts';

/** Requests of a visitor less than this apart are one visit. */
export const SESSION_GAP_MS = 30 * 60_000;

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

  add(row: UsageRow, names: { endpoint: string; place: string }): void {
    const { counts, detail } = this;
    this.visitorNext = row.visitorNext;
    this.userId = row.userId;
    counts.requests += 1;
    if (row.status >= 400) counts.errors += 1;
    if (row.ms !== null) {
      counts.timed += 1;
      counts.ms += row.ms;
    }
    counts[row.device satisfies Device] += 1;
    if (row.principal === 'key') counts.by_key += 1;
    if (row.principal === 'key' || row.device === 'client') counts.by_api += 1;
    note(detail.e, names.endpoint, 1, row.at);
    note(detail.d, row.device, 1, row.at);
    note(detail.p, names.place, 1, row.at);
    if (row.browser !== null) note(detail.b, row.browser, 1, row.at);
    if (row.os !== null) note(detail.o, row.os, 1, row.at);
    addStretch(detail.s, row.at, row.at);
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
