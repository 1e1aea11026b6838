import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

/** Tells listeners about new shapes in batches: every telling costs them a pass over their events. */
export interface Announcer {
  tell(code: string): void;
  onLoaded(listener: (codes: readonly string[]) => void): () => void;
  stop(): void;
}

const BATCH_MS = 1_000;

export function createAnnouncer(deps: { clock: Clock; log: Log }): Announcer {
  const listeners = new Set<(codes: readonly string[]) => void>();
  const codes = new Set<string>();
  let cancel: (() => void) | null = null;

  function announce(): void {
    cancel = null;
    const told = [...codes];
    codes.clear();
    for (const listener of listeners) {
      try {
        listener(told);
      } catch (error) {
        deps.log.error({ error }, 'a listener for new shapes failed');
      }
    }
  }

  return {
    tell(code) {
      codes.add(code);
      cancel ??= deps.clock.after(BATCH_MS, announce);
    },
    onLoaded(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop() {
      cancel?.();
      listeners.clear();
    },
  };
}
