import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newsOf, placeOf, ROTATE_SECONDS, SCROLL_SECONDS, stepFrom } from './rotation.ts';
import { tickerRow } from './ticker-fixture.ts';

const rows = (...ids: string[]) => ids.map((id) => tickerRow(id));

describe('TICK-01: one alert at a time', () => {
  test('the periods are those of the specification', () => {
    expect([ROTATE_SECONDS, SCROLL_SECONDS]).toEqual([6, 120]);
  });

  test('every alert of any list has its turn before one comes again', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 25 }), (ids) => {
        const items = rows(...ids);
        const seen: string[] = [];
        let shown: string | null = ids[0] ?? null;
        while (seen.length < ids.length && shown !== null) {
          seen.push(shown);
          shown = stepFrom(items, shown, 1);
        }
        expect(new Set(seen)).toEqual(new Set(ids));
        expect(shown).toBe(ids[0]);
      }),
    );
  });

  test('a new list goes on with the alert that was being read, and begins again when it is gone', () => {
    expect(placeOf(rows('new', 'a', 'b'), 'a')).toBe(1);
    expect(placeOf(rows('new', 'b'), 'a')).toBe(0);
    expect(placeOf([], 'a')).toBe(-1);
    expect(stepFrom([], 'a', 1)).toBeNull();
    expect(stepFrom(rows('a', 'b'), 'a', -1)).toBe('b');
  });
});

describe('what is said aloud', () => {
  test('nothing of the first list, then each new Extreme or Severe alert exactly once', () => {
    const first = newsOf(rows('a'), null);
    expect(first.news).toEqual([]);
    const second = newsOf([...rows('a', 'b'), tickerRow('c', { severity: 'Minor' })], first.heard);
    expect(second.news.map(({ event_id }) => event_id)).toEqual(['b']);
    const gone = newsOf(rows('a'), second.heard);
    expect(newsOf(rows('a', 'b'), gone.heard).news).toEqual([]);
  });

  test('a sample is never said', () => {
    expect(newsOf([{ ...tickerRow('a'), sample: true }], new Set()).news).toEqual([]);
  });
});
