import { createMemoryHistory } from '@tanstack/react-router';
import { prerender } from 'react-dom/static';
import { createApp } from './providers.tsx';

/**
 * The start page as it is before any answer has come, as HTML. The build puts it into the document of `/`, so that it is there before any
 * script; start.ts then brings it to life. It says nothing about the weather but, with `simulated`, that it is an exercise. `origin` stands in
 * commands.
 */
export async function renderFirstPaint(origin: string, simulated: boolean): Promise<string> {
  const { App, router, services } = createApp(standInWindow(origin, simulated), createMemoryHistory({ initialEntries: ['/'] }));
  await router.load();
  const faults: unknown[] = [];
  const { prelude } = await prerender(<App />, {
    onError: (error) => void faults.push(error),
    // All of it in its place: parts that are sent later are put there by an inline script.
    progressiveChunkSize: Infinity,
  });
  const html = await new Response(prelude).text();
  // Answers that were waited for have timers, which would keep the build from ending.
  services.queries.clear();
  if (faults.length > 0) throw new Error('The start page cannot be rendered', { cause: faults[0] });
  return html;
}

/** A browser of nobody: nothing kept, nothing heard, nothing asked. */
function standInWindow(origin: string, simulated: boolean): Window & typeof globalThis {
  const nothing = () => {};
  const parts = {
    location: { origin, pathname: '/' },
    localStorage: { getItem: () => null, setItem: nothing, removeItem: nothing },
    document: { documentElement: { dataset: {} }, querySelector: () => ({ dataset: simulated ? { simulated: '' } : {} }) },
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
