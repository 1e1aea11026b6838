import { settings as contract, SETTING_ROWS } from '@nwms/contract';
import { AppError } from '../../platform/app-error.ts';
import { actorOf, originOf } from '../../platform/http/caller.ts';
import { checkIfMatch } from '../../platform/http/if-match.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { changesBetween } from '../audit/index.ts';
import { applyChange } from './check-change.ts';
import type { SettingsDeps } from './index.ts';
import type { LiveSettings } from './live-settings.ts';
import { presentSettings } from './present.ts';

/** Posts one test message. `detail` says in a sentence what happened. */
export type SendTest = (url: string, signal: AbortSignal) => Promise<{ delivered: boolean; detail: string }>;

const TARGET = { type: 'settings', id: null, label: 'Settings' };

export function registerSettingsRoutes(serve: Serve, deps: SettingsDeps & { live: LiveSettings }): void {
  const { live, store, audit, clock } = deps;

  serve(contract.getSettings, async ({ reply }) => {
    await live.refresh();
    return presentSettings(reply, live.held());
  });

  serve(contract.saveSettings, async ({ body, request, reply, principal }) => {
    // What another process saved is part of what is compared with.
    await live.refresh();
    const before = live.held();
    checkIfMatch(request.headers['if-match'], before.version, { required: true });
    const values = applyChange(before.values, body, deps);
    const changes = changesBetween(before.values, values);
    if (changes.length > 0) {
      const actor = actorOf(principal);
      const next = { values, updatedAt: clock.now(), updatedBy: actor.name };
      const write = store.save(before.version, next, (transaction) =>
        audit.record({ actor, action: 'settings.saved', target: TARGET, changes, ...originOf(request, principal) }, transaction),
      );
      const written = await write.catch(async (error: unknown) => {
        // The connection may have broken after the commit: what is stored counts.
        await live.refresh().catch(() => {});
        throw error;
      });
      if (!written) throw changedMeanwhile();
      live.take({ version: before.version + 1, ...next });
    }
    const applied = new Set(changes.map((change) => change.field));
    return {
      ...presentSettings(reply, live.held()),
      applied_now: SETTING_ROWS.filter((row) => row.effect !== 'restart' && applied.has(row.path)).map((row) => row.path),
    };
  });

  serve(contract.testSettings, async ({ body, request, principal, signal }) => {
    const { webhook_url: url } = live.current().notifications;
    if (body.channel === 'email') throw unsupported('No mail server is configured, so no e-mail can be sent.');
    if (url === null) throw unsupported('No webhook address is saved. Save notifications.webhook_url first.');
    const result = await deps.sendTest(url, signal);
    await audit.record({
      actor: actorOf(principal),
      action: 'settings.tested',
      target: { type: 'settings', id: null, label: body.channel },
      changes: [{ field: 'delivered', from: null, to: result.delivered }],
      ...originOf(request, principal),
    });
    return result;
  });
}

const unsupported = (text: string) => new AppError('settings.unsupported', { public: text });
const changedMeanwhile = () =>
  new AppError('precondition.failed', { public: 'Somebody saved another version meanwhile. Reload, then apply your change again.' });
