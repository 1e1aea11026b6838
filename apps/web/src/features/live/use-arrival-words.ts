import { useEffect, useRef, useState } from 'react';
import type { FeedView } from './feed-store.ts';

/** Several arrivals within this time are said at once. */
const GATHER_MS = 2500;

/** What a screen reader hears of new rows: once per burst, the newest by name. */
export function useArrivalWords({ rows, counts }: FeedView): string {
  const [words, setWords] = useState('');
  const said = useRef(counts.total);
  const first = rows[0];
  useEffect(() => {
    if (counts.total <= said.current) {
      said.current = counts.total;
      return undefined;
    }
    const timer = setTimeout(() => {
      const fresh = counts.total - said.current;
      said.current = counts.total;
      if (first)
        setWords(`${fresh === 1 ? 'New alert' : `${fresh} new alerts, the newest`}: ${first.severity} ${first.event}, ${first.location}.`);
    }, GATHER_MS);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the count says that something came
  }, [counts.total]);
  return words;
}
