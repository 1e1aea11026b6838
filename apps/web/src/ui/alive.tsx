import type { ReactNode } from 'react';
import { useHydrated } from '../lib/use-hydrated.ts';

/** Buttons of a part that may have come painted: until React has taken it over they are switched off, so that no press is lost unseen. */
export function Alive({ children }: { children: ReactNode }) {
  return (
    <fieldset role="presentation" className="contents" disabled={!useHydrated()}>
      {children}
    </fieldset>
  );
}
