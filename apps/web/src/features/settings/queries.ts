import type { SavedSettings, settings, Settings, SettingsChange } from '@nwms/contract';
import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { line } from '../../api/line.ts';
import { byPolicy } from '../../api/query-client.ts';
import type { Services } from '../../api/services.ts';
import { etagOf } from '../../lib/etag.ts';

const read = line<typeof settings.getSettings>('GET', '/auth/admin/settings');
const save = line<typeof settings.saveSettings>('PUT', '/auth/admin/settings');
const test = line<typeof settings.testSettings>('POST', '/auth/admin/settings/test');

export const SETTINGS_KEY = ['settings'] as const;

export const settingsOf = (services: Services) =>
  queryOptions<Settings>({
    queryKey: SETTINGS_KEY,
    queryFn: ({ signal }) => services.api.call(read, { signal }),
    ...byPolicy('admin', services),
  });

export type Saving = { kind: 'saved'; settings: SavedSettings } | { kind: 'overtaken'; settings: Settings };

/** Saves on top of `base`; somebody else's newer version comes back instead of an effect. @throws ApiError for refusals and failures. */
export async function saveSettings(api: Api, base: Settings, change: SettingsChange): Promise<Saving> {
  try {
    return { kind: 'saved', settings: await api.call(save, { body: change, ifMatch: etagOf(base) }) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 412) throw error;
    return { kind: 'overtaken', settings: await api.call(read, {}) };
  }
}

export const testChannel = (api: Api, channel: 'email' | 'webhook') => api.call(test, { body: { channel } });
