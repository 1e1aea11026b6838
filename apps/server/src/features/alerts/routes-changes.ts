import { alerts, type QueryOf } from '@nwms/contract';
import type { Serve } from '../../platform/http/serve.ts';
import { freshnessHeaders } from './answers/freshness.ts';
import { createEntryFilter } from './changes/entry-filter.ts';
import { awaitCursor, cursorText, seqOfCursor } from './changes/log-cursor.ts';
import { type Changes, encodeEntry, readChanges } from './changes/read-changes.ts';
import type { Waiters } from './changes/waiters.ts';
import type { RouteDeps } from './deps.ts';

type ChangesQuery = QueryOf<typeof alerts.alertChanges>;

const DEFAULT_LIMIT = 500;

export function registerChangesRoute(serve: Serve, deps: RouteDeps, waiters: Waiters): void {
  const { alertLog, answers } = deps;
  serve(alerts.alertChanges, async ({ query, reply }) => {
    answers.refuseUnlessLoaded();
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const changes = query.since === undefined ? nothingYet(deps) : await changesAfter(deps, waiters, query, query.since, gone.signal);
    const freshness = deps.freshness();
    const members = {
      cursor: cursorText(alertLog, changes.seq),
      has_more: changes.hasMore,
      oldest_cursor: cursorText(alertLog, alertLog.oldestSeq()),
      latest_cursor: cursorText(alertLog, alertLog.latestSeq()),
      freshness,
    };
    const entries = changes.entries.map((entry) => encodeEntry(alertLog, entry)).join(',');
    return {
      kind: 'raw',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Cache-Control': 'no-cache',
        Vary: 'Accept, Accept-Encoding, Origin',
        ...freshnessHeaders(freshness),
      },
      body: `{"changes":[${entries}],${JSON.stringify(members).slice(1)}`,
    };
  });
}

const nothingYet = ({ alertLog }: RouteDeps): Changes => ({ entries: [], seq: alertLog.latestSeq(), hasMore: false });

async function changesAfter(deps: RouteDeps, waiters: Waiters, query: ChangesQuery, since: string, gone: AbortSignal): Promise<Changes> {
  const { since: _since, limit = DEFAULT_LIMIT, wait = 0, kind, channel, ...filter } = query;
  const entryFilter = createEntryFilter(deps, filter, kind, channel);
  const deadline = deps.clock.monotonicMs() + wait * 1000;
  await awaitCursor(deps.alertLog, since);
  let after = seqOfCursor(deps.alertLog, since);
  for (;;) {
    const changes = await readChanges(deps.alertLog, after, limit, entryFilter);
    const leftMs = deadline - deps.clock.monotonicMs();
    if (changes.entries.length > 0 || changes.hasMore || leftMs <= 0 || gone.aborted) return changes;
    after = changes.seq;
    // A commit may have come while the last page was read: look again before waiting.
    if (deps.alertLog.latestSeq() > after) continue;
    if (!(await waiters.nextCommit(leftMs, gone))) return { entries: [], seq: after, hasMore: false };
  }
}
