import './ui/app.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { createApp } from './app/providers.tsx';
import { guardSinks } from './lib/trusted-types.ts';

guardSinks(window);
const place = document.getElementById('root');
if (!place) throw new Error('The page has no #root');
const { App, errors, router, services } = createApp(window);
const root = createRoot(place, {
  onCaughtError: (error) => errors.note('boundary', error),
  onUncaughtError: (error) => errors.note('framework', error),
  onRecoverableError: (error) => errors.note('framework', error),
});
// In slices: on a slow device the first render takes longer than a finger on the page should wait.
const begin = () => startTransition(() => root.render(<App />));
// The start page came painted (app/first-paint.tsx): it stands until the living one is whole, so that nothing flickers.
if (place.childElementCount > 0) void router.load().then(begin, begin);
else begin();

const afterLoad = async () => (await import('./app/after-load.ts')).afterLoad(window, services);
// Once the page stands: nothing of this is needed to see it. A file that cannot be had now is asked for at the next visit.
const later = () => void afterLoad().catch(() => undefined);
if (document.readyState === 'complete') later();
else window.addEventListener('load', later, { once: true });
