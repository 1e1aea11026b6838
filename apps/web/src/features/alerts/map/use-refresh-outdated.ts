import type { UseQueryResult } from '@tanstack/react-query';
import type { SlimAlert } from '@nwms/contract';
import { useEffect, useRef } from 'react';
import { outdatedShapes, type ShapeBook } from '../shape-book.ts';

/** Shapes too large for the live feed, or of rows that a list brought, are read again: each once, at most once a minute. */
export function useRefreshOutdated(alerts: readonly SlimAlert[], { data, refetch, isFetching }: UseQueryResult<ShapeBook>) {
  const asked = useRef({ atMs: 0, keys: new Set<string>() });
  useEffect(() => {
    if (!data || isFetching || Date.now() - asked.current.atMs < 60_000) return;
    const outdated = outdatedShapes(
      alerts.filter((alert) => alert.is_active),
      data,
    );
    if (outdated.every((key) => asked.current.keys.has(key))) return;
    asked.current = { atMs: Date.now(), keys: new Set(outdated) };
    void refetch();
  }, [alerts, data, refetch, isFetching]);
}
