import { type Bounds, Z95 } from './share.ts';

/** How much more than Poisson the daily counts vary: Pearson χ² ÷ df, at least 1. */
export function overdispersion(daily: readonly number[]): number {
  if (daily.length < 2) return 1;
  const mean = daily.reduce((sum, value) => sum + value, 0) / daily.length;
  if (mean === 0) return 1;
  const chi2 = daily.reduce((sum, value) => sum + (value - mean) ** 2 / mean, 0);
  return Math.max(1, chi2 / (daily.length - 1));
}

export interface Rate {
  events: number;
  days: number;
}

/** Ratio of two rates with exp(ln r ± 1.96·√(φ(1/n1 + 1/n2))); null when one side has no events or no days. */
export function rateRatio(now: Rate, before: Rate, phi: number): (Bounds & { ratio: number }) | null {
  if (now.events === 0 || before.events === 0 || now.days === 0 || before.days === 0) return null;
  const ratio = now.events / now.days / (before.events / before.days);
  const spread = Math.exp(Z95 * Math.sqrt(phi * (1 / now.events + 1 / before.events)));
  return { ratio, low: ratio / spread, high: ratio * spread };
}

/** Interval of one rate (events per day), counts varying φ times as much as Poisson's. */
export function rateBounds(rate: Rate, phi: number): Bounds {
  const half = (Z95 * Math.sqrt(phi * rate.events)) / rate.days;
  const middle = rate.events / rate.days;
  return { low: Math.max(0, middle - half), high: middle + half };
}

/** increasing or decreasing only when the whole interval lies on one side of 1. */
export function directionOf(bounds: Bounds): 'increasing' | 'decreasing' | 'stable' {
  if (bounds.low > 1) return 'increasing';
  return bounds.high < 1 ? 'decreasing' : 'stable';
}
