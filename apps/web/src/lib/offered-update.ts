/** A new version of the application that waits for its reader's word; null: none. */
export interface OfferedUpdate {
  /** Lets it take over, then loads the page anew. */
  get(): (() => void) | null;
  offer(apply: () => void): void;
  subscribe(listener: () => void): () => void;
}

export function createOfferedUpdate(): OfferedUpdate {
  const listeners = new Set<() => void>();
  let offered: (() => void) | null = null;
  return {
    get: () => offered,
    offer(apply) {
      offered = apply;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
