import type { Settings, SettingsChange } from '@nwms/contract';
import { ALL_FIELDS, type SettingField } from './setting-fields.ts';

/** Every setting as typed, by path: numbers and lists stay text until they are sent. */
export type SettingsDraft = Readonly<Record<string, string | boolean>>;
export type Bounds = Settings['bounds'];

/** The value at a dotted path; undefined where the server has none. */
export function valueAt(settings: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined), settings);
}

/** A value as the form shows it. */
export function typed(value: unknown): string | boolean {
  if (typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.join('\n');
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const draftOf = (settings: Settings): SettingsDraft =>
  Object.fromEntries(ALL_FIELDS.map(({ path }) => [path, typed(valueAt(settings, path))]));

/** Lines without blanks at their ends and without empty ones. */
const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What the server is sent for a typed value. */
export function untyped(field: SettingField, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value;
  if (field.kind === 'lines') return linesOf(value);
  if (field.kind === 'integer' || field.kind === 'number') return numberOf(field, value);
  return value.trim() === '' ? null : value.trim();
}

function numberOf(field: SettingField, text: string): number {
  const plain = field.kind === 'integer' ? /^-?\d{1,15}$/ : /^-?\d{1,15}(\.\d{1,6})?$/;
  return plain.test(text.trim()) ? Number(text.trim()) : Number.NaN;
}

const same = (field: SettingField, one: string | boolean | undefined, other: string | boolean | undefined): boolean =>
  JSON.stringify(untyped(field, one ?? '')) === JSON.stringify(untyped(field, other ?? ''));

/** Paths whose value differs from what was loaded. */
export const changedPaths = (base: SettingsDraft, draft: SettingsDraft): string[] =>
  ALL_FIELDS.filter((field) => base[field.path] !== draft[field.path] && !bothSame(field, base, draft)).map(({ path }) => path);

const bothSame = (field: SettingField, base: SettingsDraft, draft: SettingsDraft): boolean => {
  const value = untyped(field, draft[field.path] ?? '');
  return !Number.isNaN(value) && same(field, base[field.path], draft[field.path]);
};

/** Faults by path, checked against the bounds that the server sent. What only the server can judge (addresses, reach) it says itself. */
export function checkSettings(draft: SettingsDraft, bounds: Bounds, paths: readonly string[]): Map<string, string> {
  const faults = new Map<string, string>();
  for (const field of ALL_FIELDS) {
    if (!paths.includes(field.path)) continue;
    const fault = faultOf(field, untyped(field, draft[field.path] ?? ''), bounds[field.path] ?? {});
    if (fault) faults.set(field.path, fault);
  }
  const mailed = draft['notifications.enable_email_notifications'] === true;
  const touched = paths.some((path) => path === 'notifications.enable_email_notifications' || path === 'notifications.admin_email');
  if (mailed && touched && draft['notifications.admin_email'] === '' && !faults.has('notifications.admin_email')) {
    faults.set('notifications.admin_email', 'Admin email is required while email notifications are on');
  }
  return faults;
}

function faultOf(field: SettingField, value: unknown, { min, max, max_items: maxItems }: Bounds[string]): string | null {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return `${field.label} must be a ${field.kind === 'integer' ? 'whole number' : 'number'}`;
    const low = min !== undefined && value < min;
    const high = max !== undefined && value > max;
    if (!low && !high) return null;
    if (min !== undefined && max !== undefined) return `${field.label} must be between ${figure(min)} and ${figure(max)}`;
    return low ? `${field.label} must be at least ${figure(min ?? 0)}` : `${field.label} must be at most ${figure(max ?? 0)}`;
  }
  if (Array.isArray(value) && maxItems !== undefined && value.length > maxItems) {
    return `${field.label} may have at most ${maxItems} entries, not ${value.length}`;
  }
  if (typeof value === 'string' && max !== undefined && value.length > max)
    return `${field.label} may have at most ${figure(max)} characters`;
  if (field.kind === 'url' && typeof value === 'string' && !isWebAddress(value)) return `${field.label} must be an https address`;
  if (field.kind === 'email' && typeof value === 'string' && !/^[^@\s]{1,64}@[^@\s]{3,190}$/.test(value)) {
    return `${field.label} must be one valid address`;
  }
  return null;
}

const figure = (value: number): string => value.toLocaleString('en-US');
const isWebAddress = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:';

/** "1 to 10,000"; of text its length. */
export function boundsText(bounds: Bounds[string] | undefined, kind: SettingField['kind'] = 'number'): string | null {
  if (!bounds) return null;
  if ((kind === 'email' || kind === 'url') && bounds.max !== undefined) return `up to ${figure(bounds.max)} characters`;
  const { min, max, max_items: maxItems } = bounds;
  if (maxItems !== undefined) return `at most ${figure(maxItems)} entries`;
  if (min !== undefined && max !== undefined) return `${figure(min)} to ${figure(max)}`;
  if (min !== undefined) return `at least ${figure(min)}`;
  return max === undefined ? null : `at most ${figure(max)}`;
}

/** The part of the settings that is sent: changed paths alone, so that what others save elsewhere is not touched. */
export function changeOf(draft: SettingsDraft, paths: readonly string[]): SettingsChange {
  const change: Record<string, unknown> = {};
  for (const field of ALL_FIELDS) {
    if (!paths.includes(field.path)) continue;
    const names = field.path.split('.');
    const last = names.pop() as string;
    let at = change;
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>;
    at[last] = untyped(field, draft[field.path] ?? '');
  }
  return change as SettingsChange;
}

export interface MeanwhileChange {
  field: SettingField;
  /** What it was when this page was loaded, and what it is now. */
  before: string | boolean;
  now: string | boolean;
  /** Mine, when I had changed it too. */
  mine: string | boolean | null;
}

/** What somebody else saved since `base` was loaded; `draft` becomes theirs with my changes on top. */
export function rebase(
  base: SettingsDraft,
  draft: SettingsDraft,
  theirs: SettingsDraft,
): { draft: SettingsDraft; meanwhile: MeanwhileChange[] } {
  const mine = new Set(changedPaths(base, draft));
  const merged: Record<string, string | boolean> = { ...theirs };
  const meanwhile: MeanwhileChange[] = [];
  for (const field of ALL_FIELDS) {
    const { path } = field;
    const [before, now, wanted] = [base[path] ?? '', theirs[path] ?? '', draft[path] ?? ''];
    if (mine.has(path)) merged[path] = wanted;
    if (!same(field, before, now))
      meanwhile.push({ field, before, now, mine: mine.has(path) && !same(field, wanted, now) ? wanted : null });
  }
  return { draft: merged, meanwhile };
}

/** A value in words, for the list of what changed. */
export function wordsOf(field: SettingField, value: string | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (value === '') return 'empty';
  if (field.kind === 'lines') return linesOf(value).join(', ');
  return field.unit ? `${Number(value).toLocaleString('en-US')} ${field.unit}` : value;
}
