import { type ErrorComponentProps, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { TriangleAlert } from 'lucide-react';
import { useServices } from '../api/services.ts';
import { Button } from '../ui/button.tsx';

/** ERR-02: this many new attempts before only a reload is left. */
export const MAX_RETRIES = 3;

/** Attempts per visit of an address: a screen that breaks again is a new component that knows nothing of the ones before. */
const makeCounts = () => new Map<string, number>();

/** What stands in place of a screen that broke (ERR-01 to ERR-03). The collector of the page reports the error by itself. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const counts = useServices().once(makeCounts);
  const { href, state } = useLocation();
  // oxlint-disable-next-line no-underscore-dangle -- the router's own name for one entry of the history
  const visit = `${state.__TSR_key ?? ''} ${href}`;
  const [retries] = useState(() => counts.get(visit) ?? 0);
  const message = error instanceof Error && error.message ? error.message : 'An unexpected error occurred while rendering this component.';
  const again = () => {
    counts.set(visit, retries + 1);
    reset();
  };
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto flex min-h-[70dvh] max-w-xl flex-col items-center justify-center gap-3 px-6 text-center outline-none"
    >
      <TriangleAlert size={32} aria-hidden="true" className="text-bad" />
      <h1 className="text-lg font-bold">Something went wrong</h1>
      <p role="alert" className="max-w-full break-words text-muted">
        {message}
      </p>
      <div className="flex flex-wrap justify-center gap-2 pt-3">
        {retries < MAX_RETRIES ? (
          <Button kind="primary" onClick={again}>
            Try Again ({retries}/{MAX_RETRIES})
          </Button>
        ) : null}
        <Button onClick={() => window.location.reload()}>Reload Page</Button>
      </div>
    </main>
  );
}
