/**
 * "12,480", "8.4": at most so many decimals, thousands apart. By hand, since the browser's own formatter takes a phone 60 ms at its first
 * use, which here would be the first figure of the first page.
 */
export function decimal(value: number, decimals: number): string {
  const [whole = '', rest] = String(Number(value.toFixed(decimals))).split('.');
  const apart = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return rest === undefined ? apart : `${apart}.${rest}`;
}

/** "14", "8.4", "0.62": as many digits as say something. */
export const milliseconds = (ms: number): string => decimal(ms, ms >= 10 ? 0 : ms >= 1 ? 1 : 2);
