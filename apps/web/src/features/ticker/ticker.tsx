import { ChevronLeft, ChevronRight, Pause, Play, RefreshCw } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { usePathname } from '../../lib/use-pathname.ts';
import { AgeNote } from './age-note.tsx';
import { Headline, Statement } from './headline.tsx';
import { toneOf } from './ticker-item.ts';
import { useHeld } from './use-held.ts';
import { useNews } from './use-news.ts';
import { useRotation } from './use-rotation.ts';
import { useTickerList } from './use-ticker-list.ts';

const NOTHING = [] as const;

/** The bar of the most important alerts at the bottom of every page but the sign-in. */
export function Ticker() {
  const { view, nowMs, busy, refresh } = useTickerList();
  const [paused, setPaused] = useState(false);
  const bar = useRef<HTMLElement>(null);
  const held = useHeld(bar);
  const items = 'items' in view ? view.items : NOTHING;
  const still = paused || held;
  const { current, place, step } = useRotation(items, still);
  const pathname = usePathname();
  const said = useNews(view.kind === 'alerts' ? items : NOTHING, view.kind, pathname);
  const many = items.length > 1;
  const tone = current && view.kind !== 'lost' ? toneOf(current) : 'other';

  return (
    <section
      ref={bar}
      aria-label="Live alert ticker"
      data-state={view.kind}
      data-tone={tone}
      className="ticker-bar flex h-(--ticker-height) items-center gap-1 pr-1.5 pl-3 text-sm sm:gap-2 sm:pr-3 sm:pl-5"
    >
      {current ? <Headline view={view} item={current} nowMs={nowMs} still={still} /> : <Statement view={view} />}
      <AgeNote view={view} />
      {many ? (
        <span className="tnum shrink-0 text-[13px] whitespace-nowrap opacity-90 max-sm:hidden">
          {place + 1} / {items.length}
        </span>
      ) : null}
      {many ? (
        <span className="flex shrink-0 max-md:hidden">
          <Control label="Previous alert" onPress={() => step(-1)}>
            <ChevronLeft size={17} aria-hidden="true" />
          </Control>
          <Control label="Next alert" onPress={() => step(1)}>
            <ChevronRight size={17} aria-hidden="true" />
          </Control>
        </span>
      ) : null}
      {items.length > 0 ? (
        <Control label={paused ? 'Resume the ticker' : 'Pause the ticker'} onPress={() => setPaused(!paused)}>
          {paused ? <Play size={17} aria-hidden="true" /> : <Pause size={17} aria-hidden="true" />}
        </Control>
      ) : null}
      <Control label="Refresh the ticker" onPress={refresh} busy={busy}>
        <RefreshCw size={17} aria-hidden="true" className={busy ? 'animate-spin motion-reduce:animate-none' : ''} />
      </Control>
      <output className="sr-only">{said}</output>
    </section>
  );
}

function Control({ label, onPress, busy, children }: { label: string; onPress: () => void; busy?: boolean; children: ReactNode }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      aria-busy={busy}
      onClick={onPress}
      className="target inline-flex min-w-9 shrink-0 items-center justify-center rounded-lg hover:bg-(--ticker-hover) focus-visible:outline-current"
    >
      {children}
    </button>
  );
}
