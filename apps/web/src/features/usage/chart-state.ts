import { isOld, type QueryView, viewOf } from '../../api/query-view.ts';
import type { AskedQuery } from './period-bar.tsx';
import { periodWords } from './usage-words.ts';

type Answer = { analysis_period: { start: string; end: string } } | readonly unknown[];
type Asked = AskedQuery & { data: Answer | undefined; isPlaceholderData: boolean };

/** How a chart of an answer stands, and over what time: greyed while it shows an earlier answer, of before a failure or of another period. */
export const chartOf = (query: Asked): { state: QueryView; dimmed: boolean; period: string | null } => ({
  state: viewOf(query),
  dimmed: isOld(query) || query.isPlaceholderData,
  period: query.data && 'analysis_period' in query.data ? periodWords(query.data.analysis_period) : null,
});
