import type { ReactNode } from 'react';
import { isOld, viewOf } from '../../api/query-view.ts';
import { ErrorNotice, ForbiddenState, Skeleton } from '../../ui/states.tsx';
import type { AskedQuery } from './period-bar.tsx';

/** What a panel shows: its content, or why there is none. `empty`: a fresh, successful answer without content, in words. */
export function PanelBody({
  query,
  label,
  empty = null,
  rows = 4,
  children,
}: {
  query: AskedQuery;
  label: string;
  empty?: string | null;
  rows?: number;
  children: ReactNode;
}) {
  const view = viewOf(query);
  if (view.is === 'loading') return <Skeleton label={`Loading ${label}`} rows={rows} />;
  if (view.is === 'forbidden') return <ForbiddenState />;
  if (view.is === 'failed') return <ErrorNotice message={view.message} requestId={view.requestId} onRetry={view.retry} busy={view.busy} />;
  const content = empty === null ? children : <p className="py-6 text-center text-muted">{empty}</p>;
  // What an earlier answer said stays, greyed; since when it is old stands above all panels.
  return isOld(query) ? <div className="opacity-60">{content}</div> : content;
}
