import type { ChartSpec } from './chart-spec.ts';

/** Stop after a key; null leaves the chart's values, undefined is not a key of charts. */
export function stopAfterKey(spec: ChartSpec, key: string, at: number | null, count: number): number | null | undefined {
  if (key === 'Escape') return at === null ? undefined : null;
  if (count === 0) return undefined;
  const step = stepOf(spec, key);
  if (step === undefined) return undefined;
  if (at === null) return key === 'End' ? count - 1 : 0;
  return Math.min(count - 1, Math.max(0, at + step));
}

/** Across a heatmap rows lie behind each other; across a calendar days stand below each other. */
function stepOf(spec: ChartSpec, key: string): number | undefined {
  const row = spec.kind === 'heatmap' ? spec.data.x.length : 1;
  const week = spec.kind === 'calendar';
  switch (key) {
    case 'ArrowRight':
      return week ? 7 : 1;
    case 'ArrowLeft':
      return week ? -7 : -1;
    case 'ArrowDown':
      return row;
    case 'ArrowUp':
      return -row;
    case 'Home':
      return Number.NEGATIVE_INFINITY;
    case 'End':
      return Number.POSITIVE_INFINITY;
    default:
      return undefined;
  }
}
