import { createMemoryHistory } from '@tanstack/react-router';
import { renderToStaticMarkup } from 'react-dom/server';
import { createApp } from './providers.tsx';

/**
 * The start page as it is before any answer has come, as HTML. The build puts it into the document of `/`, so that the first screen is
 * painted before scripts; main.tsx then replaces it by the living page. It says nothing about the weather. `origin` stands in commands.
 */
export async function renderFirstPaint(origin: string): Promise<string> {
  const { App, router, services } = createApp(standInWindow(origin), createMemoryHistory({ initialEntries: ['/'] }));
  await router.load();
  const html = renderToStaticMarkup(<App />);
  // Answers that were waited for have timers, which would keep the build from ending.
  services.queries.clear();
  return html;
}

/** A browser of nobody: nothing kept, nothing heard, nothing asked. */
function standInWindow(origin: string): Window & typeof globalThis {
  const nothing = () => {};
  const parts = {
    location: { origin, pathname: '/' },
    localStorage: { getItem: () => null, setItem: nothing, removeItem: nothing },
    document: { documentElement: { dataset: {} }, querySelector: () => null },
    crypto: globalThis.crypto,
    fetch: () => Promise.reject(new Error('The first paint asks nobody')),
    matchMedia: () => ({ matches: false, addEventListener: nothing }),
    addEventListener: nothing,
    removeEventListener: nothing,
    setTimeout: () => 0,
    clearTimeout: nothing,
  };
  return parts as unknown as Window & typeof globalThis;
}
