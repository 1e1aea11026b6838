/** Trend of a series: Mann-Kendall with tie correction (two-sided, α = 0.05) and the Theil-Sen slope per step. */
export interface Trend {
  slope: number;
  pValue: number;
  trend: 'increasing' | 'decreasing' | 'stable';
}

/** Null values are buckets without coverage: left out, their places kept. Null with fewer than `least` known values. */
export function mannKendall(series: readonly (number | null)[], least = 8): Trend | null {
  const points = series.flatMap((value, at) => (value === null ? [] : [{ at, value }]));
  const n = points.length;
  if (n < least) return null;
  let score = 0;
  const slopes: number[] = [];
  for (let i = 0; i < n; i += 1) {
    for (let j = i + 1; j < n; j += 1) {
      const [a, b] = [points[i], points[j]];
      if (!a || !b) continue;
      score += Math.sign(b.value - a.value);
      slopes.push((b.value - a.value) / (b.at - a.at));
    }
  }
  const ties = new Map<number, number>();
  for (const { value } of points) ties.set(value, (ties.get(value) ?? 0) + 1);
  const tied = [...ties.values()].reduce((sum, t) => sum + t * (t - 1) * (2 * t + 5), 0);
  const variance = (n * (n - 1) * (2 * n + 5) - tied) / 18;
  const z = variance === 0 || score === 0 ? 0 : (score - Math.sign(score)) / Math.sqrt(variance);
  const pValue = 2 * (1 - normalCdf(Math.abs(z)));
  const trend = pValue < 0.05 ? (score > 0 ? 'increasing' : 'decreasing') : 'stable';
  return { slope: medianOf(slopes), pValue, trend };
}

/** Cumulative standard normal distribution, error below 1e-7 (Abramowitz and Stegun 26.2.17). */
export function normalCdf(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x));
  const tail =
    (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return x >= 0 ? 1 - tail : tail;
}

export function medianOf(values: readonly number[]): number {
  return quantileOf(values, 0.5);
}

/** Linear interpolation between order statistics; 0 for none, so callers check the size first. */
export function quantileOf(values: readonly number[], share: number): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  const low = sorted[below] ?? 0;
  return low + (place - below) * ((sorted[below + 1] ?? low) - low);
}
