const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** 64-bit FNV-1a in two halves of 32 bits: 2^40 + 0x1b3 is the prime, so a product is a shift by 8 of the low half into the high one plus a small one. */
const PRIME_LOW = 0x1b3;
const OFFSET_HIGH = 0xcbf29ce4;
const OFFSET_LOW = 0x84222325;

/** Twelve base32 characters (60 bits of 64-bit FNV-1a) naming a text. For identifiers, not for security. */
export function shortHash(text: string): string {
  let high = OFFSET_HIGH;
  let low = OFFSET_LOW;
  for (let i = 0; i < text.length; i++) {
    low = (low ^ text.charCodeAt(i)) >>> 0;
    const product = low * PRIME_LOW;
    high = (Math.imul(high, PRIME_LOW) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  }
  // FNV mixes upwards only; folding the top down gives the low bits their share.
  low = (low ^ high) >>> 0;
  let out = '';
  for (let bit = 0; bit < 60; bit += 5) {
    const five = bit < 32 ? (low >>> bit) | (bit > 27 ? high << (32 - bit) : 0) : high >>> (bit - 32);
    out += ALPHABET[five & 31] ?? '';
  }
  return out;
}
