import { startTransition } from 'react';
import { createRoot, hydrateRoot, type RootOptions } from 'react-dom/client';
import type { Services } from '../api/services.ts';
import { createApp } from './providers.tsx';

export { createApp };
type LivingApp = ReturnType<typeof createApp>;

/** Makes the page where there is none. In slices: on a slow device the first render takes longer than a finger on it should wait. */
export function render(place: HTMLElement, { App, errors, services }: LivingApp): void {
  const root = createRoot(place, notingErrors(errors));
  startTransition(() => root.render(<App />));
  beginAfterLoad(window, services);
}

/** Takes over what came painted: the document stays as it is, and every part of the page comes to life by itself, in slices. */
export function hydrate(place: HTMLElement, { App, errors, services }: LivingApp): void {
  startTransition(() => void hydrateRoot(place, <App />, notingErrors(errors)));
  beginAfterLoad(window, services);
}

const notingErrors = (errors: LivingApp['errors']): RootOptions => ({
  onCaughtError: (error) => errors.note('boundary', error),
  onUncaughtError: (error) => errors.note('framework', error),
  onRecoverableError: (error) => errors.note('framework', error),
});

/** Once the page stands: nothing of this is needed to see it. A file that cannot be had now is asked for at the next visit. */
function beginAfterLoad(win: Window & typeof globalThis, services: Services): void {
  const afterLoad = async () => (await import('./after-load.ts')).afterLoad(win, services);
  const later = () => void afterLoad().catch(() => undefined);
  if (win.document.readyState === 'complete') later();
  else win.addEventListener('load', later, { once: true });
}
