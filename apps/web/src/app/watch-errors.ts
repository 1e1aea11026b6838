import type { Api } from '../api/call.ts';
import { placeAt } from '../lib/places.ts';
import { REPORT } from './account-lines.ts';
import type { CollectedError, ErrorCollector } from './error-collector.ts';

declare global {
  /** Version of the application, put in by the build. */
  const APP_VERSION: string;
}

export interface ErrorNotes {
  /** Notes an error and has it reported soon, together with its neighbours. */
  note(kind: CollectedError['kind'], error: unknown): void;
}

/** What nobody caught in this window goes to the collector (BOOT-03), which is loaded with the first error: most visits never need it. */
export function watchErrors(win: Window, api: Api): ErrorNotes {
  let collector: Promise<ErrorCollector> | null = null;
  const load = () =>
    import('./error-collector.ts').then(({ createErrorCollector }) =>
      createErrorCollector({
        now: Date.now,
        page: () => placeAt(win.location.pathname)?.path ?? '(unknown)',
        after: (ms, run) => void win.setTimeout(run, ms),
        send: (found) => api.call(REPORT, { body: { errors: found, app_version: APP_VERSION }, anonymous: true, once: true }),
      }),
    );
  const note: ErrorNotes['note'] = (kind, error) => {
    collector ??= load();
    collector.then(
      (loaded) => loaded.note(kind, error),
      // Without a network nothing can be reported; the next error tries again.
      () => (collector = null),
    );
  };
  win.addEventListener('error', (event) => note('script', event.error ?? event.message));
  win.addEventListener('unhandledrejection', (event) => note('unhandled_rejection', event.reason));
  return { note };
}
