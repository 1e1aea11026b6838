import { SETTING_ROWS, settingsFrom, type FieldFault, type SettingsValues } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import { checkValue } from './check-value.ts';
import type { Capabilities } from './types.ts';

export interface ChangeRules {
  capabilities: Capabilities;
  /** Why an address may not be posted to; null = it may. */
  urlFault(url: string): string | null;
}

/**
 * The values after a partial change, or the refusal that names every fault at once in the order of the table: not of the documented form,
 * outside its bounds (settings.unsafe), or in need of something that is not configured (settings.unsupported).
 * @throws AppError request.invalid, request.unknown_field, settings.unsafe, settings.unsupported
 */
export function applyChange(current: SettingsValues, body: unknown, rules: ChangeRules): SettingsValues {
  const given = givenPaths(body);
  const malformed: FieldFault[] = [];
  const unsafe: FieldFault[] = [];
  for (const row of SETTING_ROWS) {
    if (!given.has(row.path)) continue;
    const found = checkValue(row, given.get(row.path));
    if (found) (found.reason === 'type' ? malformed : unsafe).push({ name: row.path, ...found });
  }
  if (malformed.length > 0) throw refusal('request.invalid', [...malformed, ...unsafe]);
  const next = settingsFrom((path) => (given.has(path) ? given.get(path) : valueAt(current, path)));
  const { webhook_url: url } = next.notifications;
  const blocked = url === null || !given.has('notifications.webhook_url') ? null : rules.urlFault(url);
  if (blocked) unsafe.push({ name: 'notifications.webhook_url', reason: 'format', message: `notifications.webhook_url ${blocked}` });
  if (unsafe.length > 0) throw refusal('settings.unsafe', unsafe);
  const unsupported = unsupportedIn(next, given, rules.capabilities);
  if (unsupported.length > 0) throw refusal('settings.unsupported', unsupported);
  return next;
}

function unsupportedIn(next: SettingsValues, given: ReadonlyMap<string, unknown>, capabilities: Capabilities): FieldFault[] {
  const faults: FieldFault[] = [];
  const need = (path: string, message: string) => faults.push({ name: path, reason: 'conflict', message: `${path} ${message}` });
  const mail = ['security.require_email_verification', 'notifications.enable_email_notifications'] as const;
  for (const path of mail) {
    if (given.get(path) === true && !capabilities.mailServer) need(path, 'needs a mail server, and none is configured');
  }
  if (next.notifications.enable_email_notifications && next.notifications.admin_email === null)
    need('notifications.admin_email', 'is required while e-mail notifications are on');
  return faults;
}

export function valueAt(values: object, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], values);
}

/** Leaves of the body by path. @throws AppError request.invalid, request.unknown_field */
function givenPaths(body: unknown): Map<string, unknown> {
  const known = new Set(SETTING_ROWS.map((row) => row.path));
  const groups = new Set(SETTING_ROWS.flatMap((row) => prefixesOf(row.path)));
  const given = new Map<string, unknown>();
  const faults: FieldFault[] = [];
  const walk = (value: unknown, path: string) => {
    if (known.has(path)) return void given.set(path, value);
    if (path !== '' && !groups.has(path))
      return void faults.push({ name: path.slice(0, 128), reason: 'unknown', message: `${path.slice(0, 128)} is not a setting` });
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return void faults.push({ name: path || 'body', reason: 'type', message: `${path || 'The body'} must be an object` });
    for (const [name, inner] of Object.entries(value)) walk(inner, path === '' ? name : `${path}.${name}`);
  };
  walk(body, '');
  if (faults.length > 0)
    throw refusal(faults.every((one) => one.reason === 'unknown') ? 'request.unknown_field' : 'request.invalid', faults.slice(0, 50));
  return given;
}

const prefixesOf = (path: string) => path.split('.').map((_, index, names) => names.slice(0, index).join('.'));

function refusal(
  code: 'request.invalid' | 'request.unknown_field' | 'settings.unsafe' | 'settings.unsupported',
  fields: FieldFault[],
): AppError {
  return new AppError(code, { public: `${fields[0]?.message ?? 'Not accepted'}.`, fields });
}
