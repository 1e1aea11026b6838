import { isOld, type QueryView, viewOf } from '../../api/query-view.ts';
import type { AskedQuery } from './period-bar.tsx';

/** How a chart of an answer stands: greyed while it shows an earlier answer, of before a failure or of another period. */
export const chartOf = (query: AskedQuery & { isPlaceholderData: boolean }): { state: QueryView; dimmed: boolean } => ({
  state: viewOf(query),
  dimmed: isOld(query) || query.isPlaceholderData,
});
