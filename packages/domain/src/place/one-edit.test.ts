import fc from 'fast-check';
import { expect, test } from 'vitest';
import { beginsWithOneEdit, editTest } from './one-edit.ts';

// Few letters, so that many pairs are nearly the same.
const word = (minLength: number) =>
  fc.array(fc.constantFrom('a', 'b', 'c', ' '), { minLength, maxLength: 9 }).map((letters) => letters.join(''));

test('one wrong, missing, surplus or swapped letter is forgiven, two are not', () => {
  for (const typed of ['raleigh', 'rsleigh', 'rleigh', 'raaleigh', 'arleigh', 'raleihg'])
    expect(beginsWithOneEdit('raleigh', typed)).toBe(true);
  for (const typed of ['rsleihg', 'rlegih', 'leigh']) expect(beginsWithOneEdit('raleigh', typed)).toBe(false);
  expect(beginsWithOneEdit('raleigh heights', 'raligh')).toBe(true);
});

test('what is told by the first letters alone is what comparing the whole text tells', () => {
  fc.assert(
    fc.property(word(3), word(5), (text, query) => {
      expect(editTest(text.slice(0, 3), query)?.(text) ?? false).toBe(beginsWithOneEdit(text, query));
    }),
    { numRuns: 2_000 },
  );
});
