import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { csvCell } from './csv.ts';
import { element, xmlText } from './xml.ts';

/** A small RFC 4180 reader, written against the RFC alone. */
function readCsv(text: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i] as string;
    if (quoted && char === '"' && text[i + 1] === '"') {
      cell += '"';
      i += 1;
    } else if (char === '"') quoted = !quoted;
    else if (char === ',' && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  return [...cells, cell];
}

describe('CSV', () => {
  it('never starts a text cell with a formula sign, and gives the source text back (E5)', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 6 }), (values) => {
        const cells = readCsv(values.map(csvCell).join(','));
        expect(cells).toHaveLength(values.length);
        values.forEach((value, index) => {
          const cell = cells[index] as string;
          expect(['=', '+', '-', '@', '\t', '\r', '\0'].some((sign) => cell.startsWith(sign))).toBe(false);
          expect(cell === value || cell === `'${value}`).toBe(true);
        });
      }),
    );
  });

  it.each(['=1+1', '+1', '-2+3', '@SUM(A1)', '\tx', '\rx', '\0x'])('defuses %j', (text) => {
    expect(readCsv(csvCell(text))[0]).toBe(`'${text}`);
  });

  it('leaves numbers, booleans and nothing as they are', () => {
    expect([-3.5, true, null, undefined].map(csvCell)).toEqual(['-3.5', 'true', '', '']);
  });
});

describe('XML', () => {
  it('holds any text: markup is escaped, characters XML cannot hold are replaced', () => {
    expect(xmlText('<a href="x">&\u0000\u0008\uD800\r')).toBe('&lt;a href=&quot;x&quot;&gt;&amp;\uFFFD\uFFFD\uFFFD&#13;');
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const codes = [...xmlText(text)].map((char) => char.codePointAt(0) ?? 0);
        expect(
          codes.filter(
            (code) => (code < 32 && code !== 9 && code !== 10) || code === 0xfffe || code === 0xffff || code === 60 || code === 62,
          ),
        ).toEqual([]);
      }),
    );
  });

  it('writes no empty elements', () => {
    expect(element('x', null) + element('x', '') + element('x', undefined)).toBe('');
    expect(element('x', 0)).toBe('<x>0</x>');
  });
});
