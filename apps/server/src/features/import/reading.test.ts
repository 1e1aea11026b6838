import { describe, expect, it } from 'vitest';
import { csvRows } from './csv.ts';
import { featureTexts } from './geojson.ts';
import { RefusedFile } from './refused-file.ts';

async function* inPieces(text: string, length: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}

async function all<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

describe('CSV', () => {
  const text = 'a,b\r\n1,"x, ""y"""\n\n2,"two\nlines"\n3,z';

  it('reads quotes, line ends within them and CRLF, wherever the pieces are cut', async () => {
    const expected = [
      { line: 1, cells: ['a', 'b'] },
      { line: 2, cells: ['1', 'x, "y"'] },
      { line: 4, cells: ['2', 'two\nlines'] },
      { line: 6, cells: ['3', 'z'] },
    ];
    for (const length of [1, 2, 3, 7, 100]) expect(await all(csvRows(inPieces(text, length)))).toMatchObject(expected);
  });

  it('A quote that is never closed costs one row, not the rest of the file', async () => {
    const rows = ['a,b', '1,"open', ...Array.from({ length: 30_000 }, (_, n) => `${n},some text that is long enough`)];
    const found = await all(csvRows(inPieces(rows.join('\n'), 10_000)));
    expect(found.filter((row) => row.cells === null).map((row) => row.line)).toEqual([2]);
    expect(found).toHaveLength(30_002);
  });
});

describe('GeoJSON', () => {
  const features = [
    { type: 'Feature', properties: { text: 'a } in ] a { string', quote: '"\\"' }, geometry: null },
    { type: 'Feature', geometry: { type: 'Point', coordinates: [1, 2] }, properties: { features: [{ x: {} }] } },
  ];

  it('hands out each feature of a collection, of an array or of a sequence, wherever the pieces are cut', async () => {
    const collection = JSON.stringify({ type: 'FeatureCollection', crs: { properties: { name: 'features' } }, features, after: [{}] });
    const sequence = features.map((feature) => `\u001e${JSON.stringify(feature)}\n`).join('');
    const pretty = JSON.stringify({ features }, null, 2);
    for (const text of [collection, JSON.stringify(features), sequence, pretty]) {
      for (const length of [1, 2, 5, 11, 1_000]) {
        const found = await all(featureTexts(inPieces(text, length)));
        expect(found.map((each) => JSON.parse(each.text ?? 'null') as unknown)).toEqual(features);
        expect(found.map((each) => each.n)).toEqual([1, 2]);
      }
    }
    expect((await all(featureTexts(inPieces(pretty, 9)))).map((each) => each.line)).toEqual([3, 11]);
  });

  it('A file that ends within a feature is refused', async () => {
    const text = JSON.stringify({ features });
    for (const end of [text.length - 1, text.length - 5, 40]) {
      await expect(all(featureTexts(inPieces(text.slice(0, end), 7)))).rejects.toBeInstanceOf(RefusedFile);
    }
  });
});
