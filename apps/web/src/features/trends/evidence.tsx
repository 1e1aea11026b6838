import type { Coverage, Insufficient } from '@nwms/contract';
import { isOld, type QueryView } from '../../api/query-view.ts';
import { sentenceOf } from '../../api/errors.ts';
import { ErrorNotice, ForbiddenState, Skeleton, StaleNote } from '../../ui/states.tsx';
import { coverageWords, missingWords } from './evidence-words.ts';

/** In place of a value that is not there: why. */
export function Missing({ insufficient, path, otherwise }: { insufficient: readonly Insufficient[]; path: string; otherwise: string }) {
  return <p className="text-[13px] font-normal text-muted">{missingWords(insufficient, path) ?? otherwise}</p>;
}

/** What the figures of a panel rest on. */
export const CoverageLine = ({ coverage }: { coverage: Coverage }) => <span className="tnum">{coverageWords(coverage)}</span>;

/** What stands in a panel until its answer does; null when it does. */
export function PanelState({ view, label, rows = 4 }: { view: QueryView; label: string; rows?: number }) {
  if (view.is === 'loading') return <Skeleton label={`Loading ${label}`} rows={rows} />;
  if (view.is === 'forbidden') return <ForbiddenState title="You may not see this" />;
  if (view.is === 'failed') return <ErrorNotice message={view.message} requestId={view.requestId} onRetry={view.retry} busy={view.busy} />;
  return null;
}

interface Asked {
  data: unknown;
  error: unknown;
  isFetching: boolean;
  dataUpdatedAt: number;
  refetch: () => unknown;
}

/** Above panels whose last question failed while older answers are shown. */
export function OldNote({ of, what }: { of: Asked; what: string }) {
  if (!isOld(of)) return null;
  return (
    <StaleNote onRetry={() => void of.refetch()} busy={of.isFetching}>
      {what} could not be renewed: {sentenceOf(of.error)} Shown is what was known at{' '}
      {new Date(of.dataUpdatedAt).toISOString().slice(11, 19)} UTC.
    </StaleNote>
  );
}
