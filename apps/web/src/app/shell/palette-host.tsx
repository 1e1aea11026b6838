import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { FailedWindow } from '../../ui/part-failed.tsx';
import { type PaletteView, paletteViewOf } from './palette-keys.ts';

const Palette = lazyPart({ load: async () => (await import('./palette.tsx')).Palette, Failed: FailedWindow });
const Shortcuts = lazyPart({ load: async () => (await import('./shortcuts.tsx')).Shortcuts, Failed: FailedWindow });

/** The button of the command palette and its keys; what opens is loaded when it is first opened. `wide`: looks like a search field. */
export function PaletteHost({ wide }: { wide: boolean }) {
  const [view, setView] = useState<PaletteView | null>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const asked = paletteViewOf(event);
      if (!asked) return;
      event.preventDefault();
      setView(asked);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  const close = () => setView(null);
  return (
    <>
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        className={`target inline-flex items-center gap-2 rounded-lg text-sm text-muted hover:bg-hover ${
          wide
            ? 'min-w-9 justify-center sm:w-60 sm:justify-start sm:border sm:border-line-strong sm:bg-surface sm:px-3'
            : 'min-w-9 justify-center max-sm:hidden'
        }`}
        onClick={() => setView('commands')}
      >
        {wide ? (
          <>
            <Search size={16} aria-hidden="true" className="shrink-0" />
            <span className="grow text-left max-sm:sr-only">Search alerts, pages</span>
            <kbd aria-hidden="true" className="shrink-0 rounded border border-line px-1 font-sans text-xs whitespace-nowrap max-sm:hidden">
              Ctrl K
            </kbd>
          </>
        ) : (
          <>
            <span className="sr-only">Search alerts, pages</span>
            <kbd aria-hidden="true" className="rounded border border-line-strong px-1.5 py-0.5 font-sans text-xs whitespace-nowrap">
              Ctrl K
            </kbd>
          </>
        )}
      </button>
      {view === 'commands' ? <Palette onClose={close} onShortcuts={() => setView('shortcuts')} /> : null}
      {view === 'shortcuts' ? <Shortcuts onClose={close} /> : null}
    </>
  );
}
