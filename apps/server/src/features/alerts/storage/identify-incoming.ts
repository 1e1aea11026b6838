import type { MessagesStore } from './messages-store.ts';
import type { Incoming } from '../types.ts';
import type { WorkingSet } from './working-set.ts';

/** Hex digits of the content hash that tell a second content under one upstream id apart. */
const HASH_DIGITS = 8;

export interface Identified {
  /** New messages under our ids. */
  fresh: Incoming[];
  duplicates: number;
  /** Our ids of the accepted list. */
  listed: ReadonlySet<string> | null;
  /** Our ids of the fresh messages that the list holds. */
  listedFresh: ReadonlySet<string>;
}

/** Gives every new message its id and drops those already stored: the same input twice stores nothing twice (B6, A1). */
export async function identifyIncoming(
  set: WorkingSet,
  store: MessagesStore,
  incoming: readonly Incoming[],
  listed: ReadonlySet<string> | null,
): Promise<Identified> {
  await loadIdentities(
    set,
    store,
    incoming.map(({ message }) => message),
  );
  const inBatch = new Map<string, Map<string, string>>();
  const fresh: Incoming[] = [];
  const ours = listed && new Set(listed);
  const listedFresh = new Set<string>();
  for (const each of incoming) {
    const { upstreamId, contentHash } = each.message;
    const batchContents = inBatch.get(upstreamId) ?? new Map<string, string>();
    let id = set.idOf(upstreamId, contentHash) ?? batchContents.get(contentHash);
    if (id === undefined) {
      const taken = set.hasUpstreamId(upstreamId) || batchContents.size > 0;
      id = taken ? `${upstreamId}~${contentHash.slice(0, HASH_DIGITS)}` : upstreamId;
      batchContents.set(contentHash, id);
      inBatch.set(upstreamId, batchContents);
      fresh.push({ ...each, message: { ...each.message, id } });
    }
    if (!listed?.has(each.message.id)) continue;
    ours?.add(id);
    listedFresh.add(id);
  }
  return { fresh, duplicates: incoming.length - fresh.length, listed: ours, listedFresh };
}

/** Our ids of contents that memory does not know. */
export async function loadIdentities(
  set: WorkingSet,
  store: MessagesStore,
  contents: readonly { upstreamId: string; contentHash: string }[],
): Promise<void> {
  const unknown = contents.filter(({ upstreamId, contentHash }) => set.idOf(upstreamId, contentHash) === undefined);
  for (const identity of await store.identities(unknown.map(({ upstreamId }) => upstreamId))) set.loadIdentity(identity);
}
