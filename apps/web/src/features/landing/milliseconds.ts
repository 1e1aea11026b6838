/**
 * "12,480", "8.4": at most so many decimals, thousands apart. By hand, since the browser's own formatter takes a phone 60 ms at its first
 * use, which here would be the first figure of the first page.
 */
export function decimal(value: number, decimals: number): string {
  const [whole = '', rest] = String(Number(Math.abs(value).toFixed(decimals))).split('.');
  const text = rest === undefined ? grouped(whole) : `${grouped(whole)}.${rest}`;
  return value < 0 ? `-${text}` : text;
}

const grouped = (digits: string): string => (digits.length <= 3 ? digits : `${grouped(digits.slice(0, -3))},${digits.slice(-3)}`);

/** "14", "8.4", "0.62": as many digits as say something. */
export const milliseconds = (ms: number): string => decimal(ms, ms >= 10 ? 0 : ms >= 1 ? 1 : 2);
