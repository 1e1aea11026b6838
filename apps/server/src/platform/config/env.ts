import { SETTINGS, type RawSettings, type SettingName } from './settings.ts';

/** The only reader of the process environment. Blank counts as unset. */
export function readEnv(environment: Record<string, string | undefined> = process.env): RawSettings {
  const names = Object.keys(SETTINGS) as SettingName[];
  return Object.fromEntries(names.map((name) => [name, environment[name]?.trim() || SETTINGS[name].default])) as RawSettings;
}
