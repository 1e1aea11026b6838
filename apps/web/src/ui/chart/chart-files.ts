import { csvOf } from '../../lib/csv.ts';
import type { ChartSpec } from './chart-spec.ts';
import { tableOf } from './chart-words.ts';

/** "Request trends" on 2025-12-15: nwms-request-trends-2025-12-15. */
export const fileNameOf = (title: string, nowMs: number): string =>
  `nwms-${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')}-${new Date(nowMs).toISOString().slice(0, 10)}`;

/** Rows of a chart; `mark` ("Simulated weather") stands in a column of its own in every row, so that no row is taken for real. */
export function chartCsv(spec: ChartSpec, mark: string | null): string {
  const { head, rows } = tableOf(spec);
  const more = mark === null ? [] : ['note'];
  return csvOf(
    [...head, ...more],
    rows.map(({ label, values }) => [label, ...values, ...(mark === null ? [] : [mark])]),
  );
}
