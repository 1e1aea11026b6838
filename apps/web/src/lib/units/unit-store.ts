import { readUnitSystem, type UnitSystem } from '@nwms/domain/units';

/** UNIT-01. */
export const UNIT_KEY = 'unitSystem';

export interface UnitStore {
  system(): UnitSystem;
  choose(system: UnitSystem): void;
  subscribe(listener: () => void): () => void;
}

/** The chosen system, kept over visits and shared by tabs. */
export function createUnitStore(win: Pick<Window, 'localStorage' | 'addEventListener'>): UnitStore {
  const listeners = new Set<() => void>();
  const stored = (): UnitSystem => {
    try {
      return readUnitSystem(win.localStorage.getItem(UNIT_KEY));
    } catch {
      return 'metric';
    }
  };
  let system = stored();
  const set = (next: UnitSystem) => {
    if (next === system) return;
    system = next;
    for (const listener of listeners) listener();
  };
  win.addEventListener('storage', (event) => {
    if (event.key === UNIT_KEY || event.key === null) set(stored());
  });
  return {
    system: () => system,
    choose(next) {
      try {
        win.localStorage.setItem(UNIT_KEY, next);
      } catch {
        // Storage may be forbidden; the choice then lasts as long as the page.
      }
      set(next);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
