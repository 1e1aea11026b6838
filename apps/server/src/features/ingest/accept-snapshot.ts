import type { Instant } from '@nwms/domain';
import type { ListedFact } from './parse.ts';

/** What the guard remembers between polls. Plain data; changed only when a list was accepted and stored, or put under suspicion. */
export interface GuardMemory {
  /** Newest believable `updated` of an accepted list. */
  updated: Instant | null;
  /** Messages of the last accepted list by upstream id; null before the first one of this process. */
  listed: ReadonlyMap<string, ListedFact> | null;
  /** Size of the last accepted list of an earlier run of the program. */
  earlierCount: number | null;
  /** Upstream ids whose disappearance awaits a confirming poll; `all` = a first list that looks too small. */
  suspected: ReadonlySet<string> | 'all' | null;
}

export interface Snapshot {
  updated: Instant | null;
  facts: readonly ListedFact[];
  /** Ids of features that could not be read: listed all the same. */
  unreadableIds: readonly string[];
  complete: boolean;
}

export type Verdict =
  | { kind: 'accept'; changed: boolean; memory: GuardMemory }
  /** New messages in it are true; what is absent from it proves nothing. */
  | { kind: 'quarantine'; reason: 'older_snapshot' | 'shrink_quarantined' | 'list_incomplete'; unexplained: number; memory: GuardMemory };

/** A list from the future must not lock out the true ones that follow, so it never becomes the mark to beat. */
const FUTURE_TOLERANCE_MS = 60_000;
/** Messages leave the list around their end; upstream's cache lags by minutes. */
const END_SLACK_MS = 10 * 60_000;
/** Fewer unexplained absences than this are ordinary (a cancel that came and went between two polls). */
const FEW = 5;
/** On the recorded afternoon of 2025-08-22 at most 10 % of the list left between two looks over an hour apart. */
const SHARE = 0.15;

/** Judges a list against the last accepted one: never backwards in time, no unexplained shrink without a second look (traps 37, 40). */
export function judgeSnapshot(memory: GuardMemory, snapshot: Snapshot, now: Instant): Verdict {
  const listed = factsById(snapshot.facts);
  if (!snapshot.complete) return { kind: 'quarantine', reason: 'list_incomplete', unexplained: 0, memory };
  const goesBack = memory.updated !== null && snapshot.updated !== null && snapshot.updated < memory.updated;
  const older = (next: GuardMemory): Verdict => ({ kind: 'quarantine', reason: 'older_snapshot', unexplained: 0, memory: next });
  // Right after a start there is nothing to compare with, so a list that goes back is looked at twice.
  if (goesBack && !memory.listed && memory.suspected === null) return older({ ...memory, suspected: 'all' });
  if (goesBack && memory.listed && !isRemainder(memory.listed, listed, snapshot, now)) return older(memory);
  if (!memory.listed) {
    const size = listed.size + snapshot.unreadableIds.length;
    const tooSmall = size === 0 || (memory.earlierCount !== null && memory.earlierCount - size > Math.max(FEW, memory.earlierCount / 2));
    if (tooSmall && memory.suspected === null) return quarantine(memory, 'all', size);
    return accept(memory, snapshot, listed, now);
  }
  const unexplained = unexplainedAbsences(memory.listed, snapshot, listed, now);
  const suspected = memory.suspected;
  const unconfirmed = suspected === 'all' ? 0 : suspected ? unexplained.filter((id) => !suspected.has(id)).length : unexplained.length;
  const limit = listed.size === 0 ? 0 : Math.max(FEW, memory.listed.size * SHARE);
  if (unconfirmed > limit) return quarantine(memory, new Set(unexplained), unexplained.length);
  return accept(memory, snapshot, listed, now);
}

/** Of two contents under one id the greater hash stands, so that the order of pages never looks like a change. */
function factsById(facts: readonly ListedFact[]): Map<string, ListedFact> {
  const byId = new Map<string, ListedFact>();
  for (const fact of facts) {
    const other = byId.get(fact.upstreamId);
    if (!other || other.contentHash < fact.contentHash) byId.set(fact.upstreamId, fact);
  }
  return byId;
}

function quarantine(memory: GuardMemory, suspected: GuardMemory['suspected'], unexplained: number): Verdict {
  return { kind: 'quarantine', reason: 'shrink_quarantined', unexplained, memory: { ...memory, suspected } };
}

function accept(memory: GuardMemory, snapshot: Snapshot, listed: Map<string, ListedFact>, now: Instant): Verdict {
  const believable = snapshot.updated !== null && snapshot.updated <= now + FUTURE_TOLERANCE_MS ? snapshot.updated : memory.updated;
  return {
    kind: 'accept',
    changed: memory.listed === null || !sameContent(memory.listed, listed),
    memory: { updated: believable, listed, earlierCount: null, suspected: null },
  };
}

function sameContent(before: ReadonlyMap<string, ListedFact>, after: ReadonlyMap<string, ListedFact>): boolean {
  if (before.size !== after.size) return false;
  for (const [id, fact] of after) if (before.get(id)?.contentHash !== fact.contentHash) return false;
  return true;
}

/**
 * `updated` may be the time of the newest listed message: when that one ends, it goes back without the list being stale. Such a list holds
 * nothing that was not there before, and the clock alone accounts for what is gone; a stale copy fails one or the other.
 */
function isRemainder(
  before: ReadonlyMap<string, ListedFact>,
  listed: ReadonlyMap<string, ListedFact>,
  snapshot: Snapshot,
  now: Instant,
): boolean {
  for (const id of listed.keys()) if (!before.has(id)) return false;
  const unreadable = new Set(snapshot.unreadableIds);
  for (const [id, fact] of before) if (!listed.has(id) && !unreadable.has(id) && !hasRunOut(fact, now)) return false;
  return true;
}

const hasRunOut = (fact: ListedFact, now: Instant) =>
  (fact.until !== null && fact.until <= now + END_SLACK_MS) || (fact.expires !== null && fact.expires <= now + END_SLACK_MS);

/** Messages that left the list although neither the clock nor any message of the new list accounts for it. */
function unexplainedAbsences(
  before: ReadonlyMap<string, ListedFact>,
  snapshot: Snapshot,
  listed: ReadonlyMap<string, ListedFact>,
  now: Instant,
): string[] {
  const present = new Set(snapshot.unreadableIds);
  const absent: ListedFact[] = [];
  for (const [id, fact] of before) {
    if (!listed.has(id) && !present.has(id) && !fact.isTerminal && !hasRunOut(fact, now)) absent.push(fact);
  }
  if (absent.length === 0) return [];
  const superseded = new Set<string>();
  const topics = new Map<string, Instant>();
  for (const fact of snapshot.facts) {
    for (const id of fact.ancestors) superseded.add(id);
    for (const topic of fact.topics) topics.set(topic, Math.max(fact.sent, topics.get(topic) ?? fact.sent));
  }
  const isExplained = (fact: ListedFact) =>
    superseded.has(fact.upstreamId) || fact.topics.some((topic) => (topics.get(topic) ?? -Infinity) > fact.sent);
  return absent.filter((fact) => !isExplained(fact)).map((fact) => fact.upstreamId);
}
