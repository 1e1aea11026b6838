/** Rounds half away from zero at so many decimals. */
export function roundTo(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return (Math.sign(value) * Math.round(Math.abs(value) * factor + 1e-9)) / factor;
}

/** Σ ms ÷ count, 1 decimal; null without timed requests. */
export const averageMs = (sumMs: number, timed: number): number | null => (timed === 0 ? null : roundTo(sumMs / timed, 1));

/** 100 × part ÷ whole, 2 decimals; null of nothing. */
export const percentOf = (part: number, whole: number): number | null => (whole === 0 ? null : roundTo((100 * part) / whole, 2));

/** 100 × (now − before) ÷ before, 1 decimal; null when there was nothing before. */
export const growthPercent = (now: number, before: number): number | null =>
  before === 0 ? null : roundTo((100 * (now - before)) / before, 1);

/** For sentences: 1,234.5 and 12.3%. */
export const inWords = (value: number): string => value.toLocaleString('en-US');
export const percentInWords = (value: number): string => `${inWords(value)}%`;
