import { SETTING_ROWS, settingsDefaults, settingsFrom, type SettingsValues } from '@nwms/contract';
import type { Instant } from '@nwms/domain';
import type { Log } from '../../platform/log.ts';
import { valueAt } from './check-change.ts';
import { checkValue } from './check-value.ts';
import type { SettingsReader, SettingsStore, StoredSettings } from './types.ts';

/** Version of an installation where nobody ever saved. */
export const FIRST_VERSION = 1;

export interface Held {
  version: number;
  values: SettingsValues;
  updatedAt: Instant | null;
  updatedBy: string | null;
}

/** The settings in memory: what the store holds, told to listeners when it changes. */
export interface LiveSettings extends SettingsReader {
  held(): Held;
  /** Takes over what is stored, if it is another version. Rejects when the store is away; the values stay as they were. */
  refresh(): Promise<void>;
  /** Takes over what this process just stored, without asking the store again. */
  take(saved: StoredSettings): void;
}

export function createLiveSettings(deps: { store: SettingsStore; log: Log }): LiveSettings {
  const { store, log } = deps;
  const listeners = new Set<(now: SettingsValues, before: SettingsValues) => void>();
  let held: Held = { version: FIRST_VERSION, values: settingsDefaults(), updatedAt: null, updatedBy: null };

  const take = (stored: StoredSettings) => {
    // Never backwards: two refreshes under way at once may end in either order.
    if (stored.version <= held.version) return;
    const before = held.values;
    held = { ...stored, values: soundValues(stored.values, log) };
    for (const listener of listeners) {
      try {
        listener(held.values, before);
      } catch (error) {
        // One part that cannot follow must not keep the others on old values.
        log.error({ err: error }, 'A listener of the settings failed');
      }
    }
  };
  return {
    current: () => held.values,
    held: () => held,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async refresh() {
      const version = await store.version();
      if (version === null || version === held.version) return;
      const stored = await store.read();
      if (stored) take(stored);
    },
    take,
  };
}

/** Values that this version of the product does not know or accept (any more) count as their defaults; said in the log, not refused. */
function soundValues(stored: unknown, log: Log): SettingsValues {
  const rows = new Map(SETTING_ROWS.map((row) => [row.path, row]));
  return settingsFrom((path) => {
    const value = typeof stored === 'object' && stored !== null ? valueAt(stored, path) : undefined;
    const row = rows.get(path);
    if (value === undefined || !row || checkValue(row, value) === null) return value;
    log.warn({ path }, 'A stored setting is not accepted by this version; its default counts');
    return undefined;
  });
}
