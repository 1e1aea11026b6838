import { describe, expect, it } from 'vitest';
import { daysOfWindow, startOfDay, previousWindow, usageWindow } from './index.ts';

describe('I8: windows are UTC, have exactly N days and never bend at a change of clocks', () => {
  const ends = ['2026-03-08T12:00:00Z', '2026-11-01T06:30:00Z', '2028-02-29T23:59:59.999Z', '2026-12-31T00:00:00Z', '2027-01-01T00:00:00Z'];
  it.each(ends)('ending %s', (text) => {
    const now = Date.parse(text);
    for (let days = 2; days <= 90; days += 1) {
      const window = usageWindow(days, now);
      const rows = daysOfWindow(window);
      expect(rows.length).toBe(days);
      expect(rows.at(-1)).toBe(startOfDay(now));
      expect(rows.every((at) => at % 86_400_000 === 0)).toBe(true);
    }
    const day = usageWindow(1, now);
    expect(daysOfWindow(day)).toEqual([startOfDay(now)]);
    expect((Math.floor(now / 3_600_000) * 3_600_000 - day.from) / 3_600_000).toBe(23);
    expect(previousWindow(usageWindow(7, now)).to).toBe(now - 7 * 86_400_000);
  });
});
