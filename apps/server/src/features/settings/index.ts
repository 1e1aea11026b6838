import type { Clock } from '../../platform/clock.ts';
import type { Serve } from '../../platform/http/serve.ts';
import { every } from '../../platform/jobs/every.ts';
import type { Log } from '../../platform/log.ts';
import type { AuditWriter } from '../audit/index.ts';
import { createLiveSettings } from './live-settings.ts';
import { registerSettingsRoutes, type SendTest } from './routes.ts';
import type { Capabilities, SettingsReader, SettingsStore } from './types.ts';

export { createSettingsStore } from './store.ts';
export type { SendTest } from './routes.ts';
export type { Capabilities, SettingsReader, SettingsStore } from './types.ts';

/** A change saved by another process counts here within a second. */
const FOLLOW_MS = 500;

export interface SettingsDeps {
  clock: Clock;
  log: Log;
  random: () => number;
  store: SettingsStore;
  audit: AuditWriter;
  capabilities: Capabilities;
  /** Why the outbound guard would not post to an address; null = it would. */
  urlFault(url: string): string | null;
  /** Posts the test message to an address. */
  sendTest: SendTest;
}

export interface Settings extends SettingsReader {
  registerRoutes(serve: Serve): void;
  /** Begins to look for what other processes save. */
  start(): void;
  stop(): Promise<void>;
}

/** The settings of this installation, loaded. Rejects when the database cannot be read. */
export async function createSettings(deps: SettingsDeps): Promise<Settings> {
  const live = createLiveSettings(deps);
  await live.refresh();
  const follower = every(deps, {
    name: 'settings follower',
    intervalMs: FOLLOW_MS,
    run: async () => {
      // A database that is away is told by health; the values held stay in force.
      await live.refresh().catch(() => {});
      return { kind: 'ok' };
    },
  });
  return {
    current: live.current,
    onChange: live.onChange,
    registerRoutes(serve) {
      registerSettingsRoutes(serve, { ...deps, live });
    },
    start: () => follower.start(),
    stop: () => follower.stop(),
  };
}
