import { SETTING_ROWS, type SettingRow, type Settings } from '@nwms/contract';
import type { FastifyReply } from 'fastify';
import { versionTag } from '../../platform/http/if-match.ts';
import type { Held } from './live-settings.ts';

/** The answer with its validator; only administrators get it, so nobody on the way keeps it. */
export function presentSettings(reply: FastifyReply, held: Held): Settings {
  reply.header('ETag', versionTag(held.version)).header('Cache-Control', 'private, no-store');
  return {
    ...held.values,
    version: held.version,
    updated_at: held.updatedAt === null ? null : new Date(held.updatedAt).toISOString(),
    updated_by: held.updatedBy,
    bounds: Object.fromEntries(SETTING_ROWS.map((row) => [row.path, boundsOf(row)])),
    effect: Object.fromEntries(SETTING_ROWS.map((row) => [row.path, row.effect])),
    // Every setting of this version takes effect in the running process.
    pending_restart: [],
  };
}

function boundsOf({ rule }: SettingRow): Settings['bounds'][string] {
  if ('min' in rule) return { min: rule.min, max: rule.max };
  if ('maxItems' in rule) return { max_items: rule.maxItems };
  return 'maxLength' in rule ? { max: rule.maxLength } : {};
}
