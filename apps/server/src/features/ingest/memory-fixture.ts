/** A writer and a store in memory for tests of this slice: the same state machine, no database. Imported by tests only. */
import { applyMessage, applyPresence, createMemoryIndex, type EntryDraft, nextTransitionAt, orderForApply, tick } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import type { AlertWriter, ApplyResult, SnapshotInput } from '../alerts/types.ts';
import type { FailedPoll, Gap, GoodPoll, IngestStore, QuarantinedFeature } from './types.ts';

export interface FakeWriter extends AlertWriter {
  entries: (EntryDraft & { seq: number })[];
  /** Our id by upstream id and content hash. */
  stored: Map<string, string>;
  snapshots: SnapshotInput[];
  index: ReturnType<typeof createMemoryIndex>;
  relocated: string[][];
  /** The next calls of this number fail, as a database that is away does. */
  failNext(calls: number): void;
}

export function createFakeWriter(clock: Clock, polls: GoodPoll[] = []): FakeWriter {
  const index = createMemoryIndex();
  const stored = new Map<string, string>();
  const entries: FakeWriter['entries'] = [];
  const snapshots: SnapshotInput[] = [];
  const relocated: string[][] = [];
  let failures = 0;
  /** Looked up once per change: the slice asks every second. */
  let nextDue: { at: number | null } | null = null;
  const key = (upstreamId: string, contentHash: string) => `${contentHash} ${upstreamId}`;
  const add = (drafts: EntryDraft[]) => drafts.forEach((draft) => entries.push({ ...draft, seq: entries.length + 1 }));
  const result = (first: number, storedCount: number): ApplyResult => ({
    seqs: entries.length > first ? { first: first + 1, last: entries.length } : null,
    stored: storedCount,
    duplicates: 0,
  });
  const mayFail = () => {
    if (failures > 0) {
      failures--;
      throw new Error('the database is away');
    }
  };

  async function applySnapshot(input: SnapshotInput): Promise<ApplyResult> {
    mayFail();
    nextDue = null;
    const before = entries.length;
    const now = clock.now();
    let added = 0;
    for (const message of orderForApply(input.incoming.map((item) => item.message))) {
      if (stored.has(key(message.upstreamId, message.contentHash))) continue;
      const id = index.message(message.id) ? `${message.upstreamId}~${message.contentHash.slice(0, 8)}` : message.id;
      stored.set(key(message.upstreamId, message.contentHash), id);
      const named = { ...message, id };
      index.putMessage(named);
      const context = {
        now,
        listed: input.listed?.has(message.id) ?? false,
        pollStartedAt: input.poll?.startedAt ?? null,
        past: input.past ?? false,
      };
      const applied = applyMessage(index, named, context);
      for (const event of applied.events) index.put(event);
      add(applied.entries);
      added++;
    }
    if (input.poll && input.listed) {
      for (const event of index.events()) {
        const applied = applyPresence(event, { startedAt: input.poll.startedAt, listed: input.listed }, now);
        index.put(applied.event);
        add(applied.entries);
      }
    }
    snapshots.push(input);
    if (input.poll) polls.push({ ...input.poll });
    return result(before, added);
  }

  return {
    entries,
    stored,
    snapshots,
    index,
    relocated,
    failNext: (calls) => void (failures = calls),
    storedId: async (upstreamId, contentHash) => stored.get(key(upstreamId, contentHash)) ?? null,
    applySnapshot,
    async tick() {
      mayFail();
      nextDue = null;
      const before = entries.length;
      for (const event of index.events()) {
        const stepped = tick(event, clock.now());
        if (stepped.event !== event) index.put(stepped.event);
        add(stepped.entries);
      }
      return result(before, 0);
    },
    nextTickAt: () => (nextDue ??= { at: nextOf(index, clock.now()) }).at,
    async relocate(codes) {
      mayFail();
      relocated.push([...codes]);
      return { seqs: null, stored: 0, duplicates: 0 };
    },
  };
}

function nextOf(index: FakeWriter['index'], now: number): number | null {
  let next: number | null = null;
  for (const event of index.events()) {
    const at = nextTransitionAt(event, now);
    if (at !== null && (next === null || at < next)) next = at;
  }
  return next;
}

export interface FakeStore extends IngestStore {
  good: GoodPoll[];
  failed: FailedPoll[];
  gapRows: Gap[];
  quarantined: QuarantinedFeature[];
}

/** Share `good` with the writer: it records good polls. */
export function createFakeStore(): FakeStore {
  const good: GoodPoll[] = [];
  const failed: FailedPoll[] = [];
  const gapRows: Gap[] = [];
  const quarantined: QuarantinedFeature[] = [];
  return {
    good,
    failed,
    gapRows,
    quarantined,
    async recordFailedPoll(poll) {
      failed.push(poll);
    },
    lastGoodPoll: async () => good.at(-1) ?? null,
    firstGoodPollAt: async () => good.find((poll) => poll.outcome === 'ok')?.startedAt ?? null,
    lastChangeAt: async () => good.findLast((poll) => poll.outcome === 'ok')?.startedAt ?? null,
    async pollCounts(since) {
      const recent = good.filter((poll) => poll.startedAt >= since);
      const ok = recent.filter((poll) => poll.outcome === 'ok').length;
      return { ok, unchanged: recent.length - ok, failed: failed.filter((poll) => poll.startedAt >= since).length };
    },
    async openGap({ from, cause }) {
      gapRows.push({ id: gapRows.length + 1, from, to: null, cause, backfilled: false });
      return gapRows.length;
    },
    async closeGap(id, end) {
      const gap = gapRows.find((row) => row.id === id);
      if (gap) Object.assign(gap, end);
    },
    gaps: async (since) => gapRows.filter((gap) => gap.to === null || !gap.backfilled || gap.to >= since).map((gap) => ({ ...gap })),
    async quarantine(feature) {
      quarantined.push(feature);
    },
    quarantinedSince: async (since) => new Set(quarantined.filter(({ at }) => at >= since).map((row) => row.contentHash)).size,
  };
}
