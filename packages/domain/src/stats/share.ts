/** Two-sided 95 % point of the normal distribution. */
export const Z95 = 1.959964;

export interface Bounds {
  low: number;
  high: number;
}

/** Wilson score interval of `hits` in `n` tries, 95 %; `n` may be an effective (fractional) size. With n = 0 everything is possible: 0 to 1. */
export function wilson(hits: number, n: number): Bounds {
  if (n <= 0) return { low: 0, high: 1 };
  const p = hits / n;
  const z2 = Z95 * Z95;
  const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
  const half = (Z95 / (1 + z2 / n)) * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Newcombe's interval of the difference of two shares (first minus second), from their Wilson intervals. */
export function newcombe(first: { hits: number; n: number }, second: { hits: number; n: number }): Bounds & { difference: number } {
  const p1 = first.hits / first.n;
  const p2 = second.hits / second.n;
  const a = wilson(first.hits, first.n);
  const b = wilson(second.hits, second.n);
  const difference = p1 - p2;
  return {
    difference,
    low: difference - Math.hypot(p1 - a.low, b.high - p2),
    high: difference + Math.hypot(a.high - p1, p2 - b.low),
  };
}

/** Size a persistent daily 0/1 series is worth: n·(1−ρ)/(1+ρ), ρ = lag-1 autocorrelation clipped to [0, 0.95]. */
export function effectiveSize(series: readonly number[]): number {
  const n = series.length;
  if (n < 3) return n;
  const mean = series.reduce((sum, value) => sum + value, 0) / n;
  let variance = 0;
  let lagged = 0;
  for (let i = 0; i < n; i += 1) {
    const deviation = (series[i] ?? 0) - mean;
    variance += deviation * deviation;
    if (i > 0) lagged += deviation * ((series[i - 1] ?? 0) - mean);
  }
  if (variance === 0) return n;
  const rho = Math.min(0.95, Math.max(0, lagged / variance));
  return (n * (1 - rho)) / (1 + rho);
}
