/** Letters that do not come apart into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th' };
const ASCII_WORDS = /^[a-z0-9 ]*$/;

/**
 * A name as it is compared: lower case, without accents and apostrophes, everything else that is no letter or digit is one space.
 * `O'Fallon` gives `ofallon`, `Winston-Salem` gives `winston salem`, `Peñasco` gives `penasco`.
 */
export function foldPlaceName(text: string): string {
  const lower = text.toLowerCase();
  if (ASCII_WORDS.test(lower)) return spaced(lower);
  const plain = lower
    .normalize('NFD')
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[ßæœøđðłıþ]/g, (letter) => PLAIN[letter] ?? letter)
    .replaceAll(/['’ʻʼ`]/g, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
  return spaced(plain);
}

function spaced(text: string): string {
  const trimmed = text.trim();
  return trimmed.includes('  ') ? trimmed.replaceAll(/ {2,}/g, ' ') : trimmed;
}

const LONG: Readonly<Record<string, string>> = { st: 'saint', ste: 'sainte', ft: 'fort', mt: 'mount' };
const SHORT: Readonly<Record<string, string>> = { saint: 'st', sainte: 'ste', fort: 'ft', mount: 'mt' };

/** The same folded name with its shortened words written out or its long ones shortened (`st louis`, `saint louis`); null = it has none. */
export function otherSpelling(folded: string): string | null {
  if (!/\b(st|ste|ft|mt|saint|sainte|fort|mount)\b/.test(folded)) return null;
  return folded
    .split(' ')
    .map((word) => LONG[word] ?? SHORT[word] ?? word)
    .join(' ');
}
