import { Part } from '../../ui/part.tsx';
import { Hero } from './hero.tsx';

/** What stands below the first screen comes after it. */
const loadMore = async () => (await import('./more.tsx')).More;
const loadFooter = async () => (await import('./more.tsx')).SiteFooter;

/** The public start page: what the service says right now, and how a program asks for it. */
export default function LandingPage() {
  return (
    <>
      <main id="main" tabIndex={-1} className="outline-none">
        <Hero />
        <Part load={loadMore} waiting={<div className="min-h-screen border-t border-line" />} Failed={NoMore} />
      </main>
      <Part load={loadFooter} Failed={Nothing} />
    </>
  );
}

function NoMore({ again }: { again: () => void }) {
  return (
    <div className="border-t border-line px-6 py-14 text-center">
      <p className="text-base font-semibold">The rest of this page could not be loaded</p>
      <p className="pt-1 text-muted">What stands above is not touched by that.</p>
      <button
        type="button"
        className="target mt-4 rounded-lg border border-line-strong bg-surface px-3 text-sm font-medium hover:bg-hover"
        onClick={again}
      >
        Try again
      </button>
    </div>
  );
}

/** Its neighbour says what is missing. */
const Nothing = () => null;
