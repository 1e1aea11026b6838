import { type AlertMessage, orderForApply, type Source } from '@nwms/domain';
import type { AlertWriter, Incoming, PollRecord } from '../alerts/types.ts';
import type { KnownFeatures, ListedFact, ReadFeature, ReadFeatures } from './parse.ts';
import type { InTurn } from './turns.ts';

/** What a round is about to write. */
export interface ApplyPlan {
  /** New messages of list and history, in the order of their issue. */
  incoming: Incoming[];
  listedIds: ReadonlySet<string>;
  /** New messages of the list. */
  firstSeen: AlertMessage[];
  newInList: number;
}

/** The way from read features to the writer. Throws what the writer throws. */
export interface Apply {
  plan(list: ReadFeatures | null, history: ReadFeatures | null): Promise<ApplyPlan>;
  commit(plan: ApplyPlan, poll: { poll: PollRecord; listed: ReadonlySet<string> | null }): Promise<void>;
  /** Stores new messages of a list that proves nothing about absence. */
  loose(list: ReadFeatures): Promise<void>;
  /** Stores new messages from before the first list; returns how many were new. */
  past(list: ReadFeatures): Promise<number>;
  /** After a commit: what the next round need not read again. */
  learn(list: ReadFeatures): Promise<{ known: KnownFeatures; listedIds: ReadonlySet<string> }>;
}

/** One transaction up to here; more than this (days of history) goes in several, oldest first, and the list with its poll last. */
const ONE_TRANSACTION = 2_500;

export function createApply(deps: { source: Source; writer: AlertWriter; inTurn: InTurn; countStored(stored: number): void }): Apply {
  const { source, writer } = deps;

  const write = async (incoming: Incoming[], poll: PollRecord | null, listed: ReadonlySet<string> | null, past = false) => {
    const { stored } = await deps.inTurn(() => writer.applySnapshot({ source, poll, incoming, listed, past }));
    deps.countStored(stored);
  };
  const ordered = (incoming: Incoming[]): Incoming[] => {
    const byMessage = new Map(incoming.map((item) => [item.message, item]));
    return orderForApply([...byMessage.keys()]).flatMap((message) => byMessage.get(message) ?? []);
  };
  /** Our ids of the features, null where a message is new. Asked all at once: the writer answers them with one query. */
  const storedIdsOf = (features: readonly ReadFeature[]): Promise<(string | null)[]> =>
    Promise.all(features.map(({ fact, storedId }) => storedId ?? writer.storedId(fact.upstreamId, fact.contentHash)));
  /** New messages among the features, keyed by id and content. */
  const unknownOf = (features: readonly ReadFeature[], ids: readonly (string | null)[]): Map<string, Incoming> => {
    const unknown = new Map<string, Incoming>();
    for (const [at, { message, fact, raw }] of features.entries()) {
      if (message && ids[at] === null) unknown.set(keyOf(fact), { message, raw });
    }
    return unknown;
  };

  const writeNew = async (list: ReadFeatures, past: boolean): Promise<number> => {
    const incoming = ordered([...unknownOf(list.readable, await storedIdsOf(list.readable)).values()]);
    for (let from = 0; from < incoming.length; from += ONE_TRANSACTION)
      await write(incoming.slice(from, from + ONE_TRANSACTION), null, null, past);
    return incoming.length;
  };

  return {
    async plan(list, history) {
      const ids = await storedIdsOf(list?.readable ?? []);
      const listed = unknownOf(list?.readable ?? [], ids);
      const past = history ? unknownOf(history.readable, await storedIdsOf(history.readable)) : [];
      const firstSeen = [...listed.values()].map(({ message }) => message);
      const incoming = ordered([...new Map([...past, ...listed]).values()]);
      return { incoming, listedIds: listedIdsOf(list, ids), firstSeen, newInList: listed.size };
    },
    async commit(plan, { poll, listed }) {
      const isLast = (item: Incoming) => plan.incoming.length <= ONE_TRANSACTION || (listed?.has(item.message.id) ?? false);
      const earlier = plan.incoming.filter((item) => !isLast(item));
      for (let from = 0; from < earlier.length; from += ONE_TRANSACTION)
        await write(earlier.slice(from, from + ONE_TRANSACTION), null, null);
      await write(plan.incoming.filter(isLast), poll, listed);
    },
    async loose(list) {
      await writeNew(list, false);
    },
    past: (list) => writeNew(list, true),
    async learn(list) {
      const known = new Map<string, { fact: ListedFact; storedId: string }>();
      const ids = await storedIdsOf(list.readable);
      for (const [at, { fact, digest }] of list.readable.entries()) {
        const id = ids[at];
        if (id) known.set(digest, { fact, storedId: id });
      }
      return { known, listedIds: listedIdsOf(list, ids) };
    },
  };
}

/** Our ids of everything a list holds; unreadable features are listed under the id they have. */
function listedIdsOf(list: ReadFeatures | null, stored: readonly (string | null)[]): Set<string> {
  const ids = new Set<string>();
  for (const { upstreamId } of list?.unreadable ?? []) if (upstreamId !== null) ids.add(upstreamId);
  for (const [at, { fact, message }] of (list?.readable ?? []).entries()) ids.add(stored[at] ?? message?.id ?? fact.upstreamId);
  return ids;
}

const keyOf = (fact: ListedFact) => `${fact.contentHash} ${fact.upstreamId}`;
