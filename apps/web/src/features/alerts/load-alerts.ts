import type { Alert, AlertList, AlertStats, Freshness, SlimAlert } from '@nwms/contract';
import type { Answer, Api } from '../../api/call.ts';
import type { ListAnswer } from './alert-book.ts';

/** A list of this length has pages of 1,000 rows; beyond this many pages something is wrong and the list counts as incomplete. */
const MAX_PAGES = 20;

export interface LoadedList {
  /** Null: unchanged since `etag`. */
  list: (ListAnswer & { cursor: string }) | null;
  etag: string | null;
  /** From the body; null on 304. */
  freshness: Freshness | null;
  /** From the headers: exact at the time of the answer, where the object of a body built ahead may be older. */
  headers: Answer<unknown>['freshness'];
}

export interface ListQuery {
  detail: 'slim' | 'full';
  active_only: boolean;
  from?: string;
}

/** Reads a whole list, page by page. The validator of the first page stands for all: it moves with every change of the board. */
export async function loadList(api: Api, query: ListQuery, etag: string | null, signal: AbortSignal | undefined): Promise<LoadedList> {
  const base = { ...query, limit: 1000 };
  const first = await api.get<AlertList>('/alerts', { query: base, etag, signal });
  if (first.body === null) return { list: null, etag, freshness: null, headers: first.freshness };
  const alerts: (SlimAlert | Alert)[] = [...first.body.alerts];
  let { seq } = first.body.position;
  let cursor = first.body.next_cursor;
  for (let page = 1; cursor !== null && page < MAX_PAGES; page += 1) {
    const next = await api.get<AlertList>('/alerts', { query: { ...base, cursor }, signal });
    if (next.body === null) break;
    alerts.push(...next.body.alerts);
    seq = Math.min(seq, next.body.position.seq);
    cursor = next.body.next_cursor;
  }
  const { position } = first.body;
  return {
    list: { alerts, epoch: position.epoch, seq, cursor: position.cursor },
    // An incomplete list is asked for anew next time.
    etag: cursor === null ? first.etag : null,
    freshness: first.body.freshness,
    headers: first.freshness,
  };
}

/** Statistics of everything in force in the last 24 hours or later, over or not. */
export async function loadStats(api: Api, fromIso: string, signal: AbortSignal | undefined): Promise<AlertStats> {
  const answer = await api.get<AlertStats>('/alerts/stats', { query: { from: fromIso }, signal });
  if (answer.body === null) throw new Error('no statistics in the answer');
  return answer.body;
}
