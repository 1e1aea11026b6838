import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type FreshnessNote, type FreshnessView, viewFreshness } from '../lib/freshness.ts';
import { useNow } from '../lib/use-now.ts';

/** Where the newest freshness is noted by whoever hears of it: list answers, their 304, heartbeats. */
export const FRESHNESS_KEY = ['freshness'] as const;

const useNote = (): FreshnessNote | undefined =>
  useQuery<FreshnessNote>({ queryKey: FRESHNESS_KEY, queryFn: skipToken, staleTime: Infinity, gcTime: Infinity }).data;

/** Freshness of the alert data at this second, rendered every second; `heard` is false until anything was told. For small components. */
export function useFreshness(): FreshnessView & { heard: boolean } {
  const note = useNote();
  const now = useNow(1);
  return { ...viewFreshness(note, Math.max(now, note?.receivedAtMs ?? 0)), heard: note !== undefined };
}

/** Its level alone, and whether the weather is simulated: rendered only when one of them changes. For whole screens. */
export function useFreshnessLevel(): { level: FreshnessView['level']; simulated: boolean; heard: boolean } {
  const note = useNote();
  const [level, setLevel] = useState<FreshnessView['level']>('unknown');
  useEffect(() => {
    const look = () => setLevel(viewFreshness(note, Date.now()).level);
    look();
    const timer = setInterval(look, 1000);
    return () => clearInterval(timer);
  }, [note]);
  return { level, simulated: note?.freshness.simulated ?? false, heard: note !== undefined };
}
