import type { Settings } from '@nwms/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, detailOf } from '../../api/errors.ts';
import { useServices } from '../../api/services.ts';
import { SETTINGS_KEY, saveSettings } from './queries.ts';
import type { SaveResult } from './save-outcome.tsx';
import { changedPaths, changeOf, checkSettings, draftOf, type MeanwhileChange, rebase, type SettingsDraft } from './settings-draft.ts';

/** SETT-02: a save takes at least this long, so that it is seen to have happened. */
const SAVE_SHOWN_MS = 1000;

export interface SettingsForm {
  base: SettingsDraft;
  draft: SettingsDraft;
  settings: Settings;
  changed: readonly string[];
  faults: ReadonlyMap<string, string>;
  saving: boolean;
  result: SaveResult | null;
  meanwhile: readonly MeanwhileChange[];
  set: (path: string, value: string | boolean) => void;
  discard: () => void;
  /** `onFault` gets the first setting that was refused. */
  save: (onFault: (path: string) => void) => Promise<void>;
}

/** The settings as edited here, on top of the version they were loaded with. `loaded` may be renewed while nothing is edited. */
export function useSettingsForm(loaded: Settings): SettingsForm {
  const { api } = useServices();
  const queries = useQueryClient();
  const [settings, setSettings] = useState(loaded);
  const [draft, setDraft] = useState(() => draftOf(loaded));
  const [faults, setFaults] = useState<ReadonlyMap<string, string>>(new Map());
  const [saving, setSaving] = useState(false);
  const [result, setResult] = useState<SaveResult | null>(null);
  const [meanwhile, setMeanwhile] = useState<readonly MeanwhileChange[]>([]);
  const base = draftOf(settings);
  const changed = changedPaths(base, draft);

  const take = (fresh: Settings, next: SettingsDraft) => {
    setSettings(fresh);
    setDraft(next);
    queries.setQueryData(SETTINGS_KEY, fresh);
  };
  // Nothing edited: what was loaded again is simply shown. Otherwise the save finds out and tells.
  if (loaded.version > settings.version && changed.length === 0 && !saving) {
    setSettings(loaded);
    setDraft(draftOf(loaded));
  }

  const refuse = (error: unknown, onFault: (path: string) => void) => {
    const found = new Map<string, string>();
    if (error instanceof ApiError) {
      for (const { name, message } of error.fields) if (Object.hasOwn(base, name) && !found.has(name)) found.set(name, message);
    }
    setFaults(found);
    setResult({ ok: false, detail: detailOf(error, '') || null });
    const [first] = found.keys();
    if (first) onFault(first);
  };

  return {
    base,
    draft,
    settings,
    changed,
    faults,
    saving,
    result,
    meanwhile,
    set(path, value) {
      setDraft((old) => ({ ...old, [path]: value }));
      setFaults((old) => (old.has(path) ? new Map([...old].filter(([name]) => name !== path)) : old));
      setResult(null);
    },
    discard() {
      setDraft(base);
      setFaults(new Map());
      setResult(null);
      setMeanwhile([]);
    },
    async save(onFault) {
      if (saving) return;
      setResult(null);
      const found = checkSettings(draft, settings.bounds, changed);
      setFaults(found);
      const [first] = found.keys();
      if (first) return onFault(first);
      setSaving(true);
      const shown = new Promise((next) => setTimeout(next, SAVE_SHOWN_MS));
      try {
        const outcome = await saveSettings(api, settings, changeOf(draft, changed));
        await shown;
        if (outcome.kind === 'saved') {
          const { applied_now: appliedNow, ...fresh } = outcome.settings;
          take(fresh, draftOf(fresh));
          setMeanwhile([]);
          setResult({ ok: true, appliedNow: appliedNow.filter((path) => changed.includes(path)), waiting: fresh.pending_restart });
        } else {
          const rebased = rebase(base, draft, draftOf(outcome.settings));
          take(outcome.settings, rebased.draft);
          setMeanwhile(rebased.meanwhile);
        }
      } catch (error) {
        await shown;
        refuse(error, onFault);
      }
      setSaving(false);
    },
  };
}
