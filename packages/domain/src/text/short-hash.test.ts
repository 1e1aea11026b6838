import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shortHash } from './short-hash.ts';

/** The same in whole numbers of 64 bits, as FNV-1a is written down. */
function byDefinition(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (let i = 0; i < text.length; i++) hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * 0x100000001b3n);
  hash ^= hash >> 32n;
  return Array.from({ length: 12 }, (_, i) => 'abcdefghijklmnopqrstuvwxyz234567'[Number((hash >> BigInt(i * 5)) & 31n)]).join('');
}

test('a name made in two halves of 32 bits is the name that FNV-1a defines: stored identifiers stay what they are', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(shortHash(text)).toBe(byDefinition(text));
    }),
  );
});
