import { useEffect, useState } from 'react';
import { placeOf, ROTATE_SECONDS, stepFrom } from './rotation.ts';
import type { TickerItem } from './ticker-item.ts';

/** Which alert stands in the bar. Moves on every 6 s unless `still`. */
export function useRotation(items: readonly TickerItem[], still: boolean) {
  const [shown, setShown] = useState<string | null>(null);
  const place = placeOf(items, shown);
  const current = items[place] ?? null;
  const currentId = current?.event_id ?? null;
  const ids = items.map(({ event_id }) => event_id).join(' ');
  useEffect(() => {
    if (still || items.length < 2) return undefined;
    // Begins anew with every alert shown, so that one stepped to by hand has its full time as well.
    const timer = setTimeout(() => setShown(stepFrom(items, currentId, 1)), ROTATE_SECONDS * 1000);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- `items` is a new array every second; its ids say whether it changed
  }, [still, currentId, ids]);
  return { current, place, step: (steps: 1 | -1) => setShown(stepFrom(items, currentId, steps)) };
}
