import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvOf } from './csv.ts';

/** Reads what RFC 4180 says, quotes and line breaks inside cells included. */
function parse(text: string): string[][] {
  const rows: string[][] = [[]];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if (quoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') cell += text[++at] as string;
      else quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === ',') {
      rows.at(-1)?.push(cell);
      cell = '';
    } else if (sign === '\r' && text[at + 1] === '\n') {
      rows.at(-1)?.push(cell);
      cell = '';
      at++;
      rows.push([]);
    } else cell += sign;
  }
  return rows.slice(0, -1);
}
const bare = (text: string) => text.slice(1);

test('E5: no text cell begins with the sign of a formula, and every text survives the round trip', () => {
  const texts = fc.array(
    fc.array(fc.oneof(fc.string(), fc.constantFrom('=1+1', '@SUM(A1)', '+49 30', '-x', '\t=1', '"', 'a,b', 'a\r\nb')), {
      minLength: 2,
      maxLength: 2,
    }),
  );
  fc.assert(
    fc.property(texts, (rows) => {
      const [header, ...read] = parse(bare(csvOf(['one', 'two'], rows)));
      expect(header).toEqual(['one', 'two']);
      expect(read).toHaveLength(rows.length);
      read.forEach((cells, row) =>
        cells.forEach((cell, column) => {
          const given = rows[row]?.[column] ?? '';
          expect(/^[=+\-@\t\0\r]/.test(cell)).toBe(false);
          expect(cell === given || cell === `'${given}`).toBe(true);
        }),
      );
    }),
  );
});

test('numbers stay numbers, nothing stays nothing', () => {
  expect(bare(csvOf(['a', 'b', 'c'], [[-5, null, true]]))).toBe('"a","b","c"\r\n-5,,true\r\n');
});

test('spreadsheets are told that it is UTF-8', () => {
  expect(csvOf(['a'], []).charCodeAt(0)).toBe(0xfeff);
});
