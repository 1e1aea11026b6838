import { memo, useEffect } from 'react';
import { whenIdle } from '../../../lib/when-idle.ts';
import { Skeleton } from '../../../ui/states.tsx';
import { EmptyNotice, emptyKind } from '../empty-notice.tsx';
import { AlertDetails } from '../parts.ts';
import { MapList } from './map-list.tsx';
import type { MapBoard } from './use-map-board.ts';

export interface TwinProps {
  board: MapBoard;
  level: 'fresh' | 'stale' | 'unknown';
  selectedId: string | undefined;
  /** Others are asked for than those that stand here. */
  following: boolean;
  choose: (eventId: string) => void;
  details: (eventId: string) => void;
  clear: () => void;
  dimmed: boolean;
}

/** The list, or what stands in its place. */
export const Twin = memo(function Twin({ board, level, selectedId, following, choose, details, clear, dimmed }: TwinProps) {
  const loaded = board.book !== undefined;
  // Ahead of the first that is opened: a key that closes it must find it there.
  useEffect(() => (loaded ? whenIdle(() => AlertDetails.prepare()) : undefined), [loaded]);
  if (!board.book && !board.error) return <Skeleton label="Loading alerts" rows={8} className="p-3" />;
  if (board.rows.length === 0) {
    // What was empty for other filters says nothing of these.
    if (following) return <p className="appearing px-4 py-16 text-center text-muted">Filtering …</p>;
    const kind = emptyKind({ loaded: board.book !== undefined, level, scopeTotal: board.scopeTotal });
    return <EmptyNotice kind={kind} error={board.error} retry={board.refresh} clear={clear} />;
  }
  return (
    <div aria-busy={following} className={following ? 'following' : ''}>
      <p className="tnum sticky top-0 z-[1] border-b border-line bg-surface px-3 py-2 text-[13px] text-muted">
        Showing {board.rows.length.toLocaleString('en-US')} of {board.matching.toLocaleString('en-US')}, the most dangerous first
      </p>
      <MapList rows={board.rows} selectedId={selectedId} onSelect={choose} onDetails={details} onFit={choose} dimmed={dimmed} />
    </div>
  );
});
