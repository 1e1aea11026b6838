import { Outlet, useRouterState } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useRef } from 'react';
import { placeAt } from '../lib/places.ts';
import { useHydrated } from '../lib/use-hydrated.ts';
import { usePathname } from '../lib/use-pathname.ts';
import { Part } from '../ui/part.tsx';

const loadTicker = async () => (await import('../features/ticker/ticker.tsx')).Ticker;

/** What is around every screen, whoever looks: the ticker below (SHELL-08), title and focus. */
export function Frame() {
  const pathname = usePathname();
  const ticker = pathname !== '/login';
  // Not part of a painted page: a bar without alerts would look like calm weather.
  const isAlive = useDeferredValue(useHydrated());
  useDocumentTitle(pathname);
  return (
    <div className={ticker ? 'with-ticker' : ''}>
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
      >
        Skip to the content
      </a>
      <Outlet />
      <Announcer />
      {ticker ? <div className="fixed inset-x-0 bottom-0 z-30">{isAlive ? <Part load={loadTicker} Failed={NoTicker} /> : null}</div> : null}
    </div>
  );
}

/** An empty bar would look like calm weather. */
function NoTicker({ again }: { again: () => void }) {
  return (
    <section
      aria-label="Live alert ticker"
      className="flex h-(--ticker-height) items-center gap-3 border-t border-line-strong bg-surface px-4 text-sm"
    >
      <p className="truncate">The alert ticker could not be loaded. This says nothing about the weather.</p>
      <button type="button" className="target shrink-0 rounded-lg px-2 font-medium text-accent hover:underline" onClick={again}>
        Try again
      </button>
    </section>
  );
}

const titleOf = (pathname: string): string => placeAt(pathname)?.title ?? 'Page not found';

function useDocumentTitle(pathname: string): void {
  useEffect(() => {
    document.title = pathname === '/' ? `NWMS · ${titleOf(pathname)}` : `${titleOf(pathname)} · NWMS`;
  }, [pathname]);
}

/** A change of screen is not heard by itself: the keyboard goes to its content, and its title is said. Not for the first screen. */
function Announcer() {
  // Once the screen itself is there: what stands meanwhile would take the focus with it when it goes.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname ?? null });
  const before = useRef(pathname);
  const output = useRef<HTMLOutputElement>(null);
  useEffect(() => {
    if (pathname === null || before.current === pathname) return;
    const first = before.current === null;
    before.current = pathname;
    if (first) return;
    if (output.current) output.current.textContent = titleOf(pathname);
    document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
  }, [pathname]);
  return <output ref={output} className="sr-only" />;
}
