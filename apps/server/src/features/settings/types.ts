import type { SettingsValues } from '@nwms/contract';
import type { Instant } from '@nwms/domain';
import type { Part } from '../../platform/db/types.ts';

export interface StoredSettings {
  version: number;
  /** As kept: may lack paths of this version, or have values it does not accept any more. */
  values: unknown;
  updatedAt: Instant;
  /** User name of who saved. */
  updatedBy: string;
}

export interface SettingsStore {
  /** Null: nobody ever saved. */
  read(): Promise<StoredSettings | null>;
  /** Only the number, for followers; null as above. */
  version(): Promise<number | null>;
  /**
   * Writes version + 1 if `expected` is still the stored version (1 = also when nothing is stored), runs `alongside` in the same
   * transaction; false = somebody was faster.
   */
  save(expected: number, next: Omit<StoredSettings, 'version'>, alongside: (transaction: Part) => Promise<void>): Promise<boolean>;
}

/** What of this installation some settings need. */
export interface Capabilities {
  mailServer: boolean;
}

/** The values as other slices read them, at any moment and without waiting. */
export interface SettingsReader {
  current(): SettingsValues;
  /** Called after a change took hold in this process, with the values before it. Returns the cancel. */
  onChange(listener: (now: SettingsValues, before: SettingsValues) => void): () => void;
}
