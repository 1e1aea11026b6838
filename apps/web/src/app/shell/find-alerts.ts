import { skipToken, useQuery } from '@tanstack/react-query';
import type { alerts, SlimAlert } from '@nwms/contract';
import { useEffect, useState } from 'react';
import { line } from '../../api/line.ts';
import { useServices } from '../../api/services.ts';

const LIST = line<typeof alerts.listAlerts>('GET', '/alerts');
/** The server wants two characters or none. */
const LEAST_CHARACTERS = 2;
const SHOWN = 6;
const TYPING_MS = 250;

export interface FoundAlerts {
  alerts: readonly SlimAlert[];
  /** What must be said about the search itself. "None" only for a fresh and empty answer. */
  note: string | null;
}

/** Active alerts whose texts hold what was typed, once typing pauses. */
export function useFoundAlerts(typed: string): FoundAlerts {
  const { api } = useServices();
  const q = usePaused(typed.trim());
  const wanted = q.length >= LEAST_CHARACTERS;
  const found = useQuery({
    queryKey: ['alerts', 'palette', q],
    queryFn: wanted
      ? ({ signal }: { signal: AbortSignal }) => api.call(LIST, { query: { q, active_only: true, detail: 'slim', limit: SHOWN }, signal })
      : skipToken,
    staleTime: 15_000,
    retry: false,
  });
  if (!wanted) return { alerts: [], note: null };
  if (found.isPending) return { alerts: [], note: 'Searching alerts …' };
  if (found.isError) return { alerts: [], note: 'Alerts cannot be searched right now. That says nothing about the weather.' };
  const { alerts: rows, total, freshness } = found.data;
  const fresh = freshness.status === 'live' || freshness.status === 'simulated';
  if (rows.length === 0)
    return { alerts: [], note: fresh ? `No active alert holds “${q}”.` : 'The alert data is not current: we cannot tell.' };
  return { alerts: rows as readonly SlimAlert[], note: total > rows.length ? `The first ${rows.length} of ${total} alerts` : null };
}

function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
