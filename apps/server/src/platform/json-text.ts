const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** `[` and `{` are 0x5b and 0x7b, `]` and `}` 0x5d and 0x7d: bit 0x20 tells a bracket from a brace. */
export const isOpening = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xdf) === 0x5b;
export const isClosing = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xdf) === 0x5d;

/** Strings of a few letters end sooner than a native search begins; prose does not. */
const SHORT = 24;

/** Index of the closing quote of the string that opens at `open`, or the end of the text. */
export function endOfString(bytes: Buffer, open: number): number {
  const limit = Math.min(bytes.length, open + SHORT);
  let at = open + 1;
  for (; at < limit; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at;
    if (byte === BACKSLASH) at++;
  }
  let quote = bytes.indexOf(QUOTE, at);
  while (quote > 0) {
    let before = quote - 1;
    // Not before `at`: what lies there was read already.
    while (before >= at && bytes[before] === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote;
    quote = bytes.indexOf(QUOTE, quote + 1);
  }
  return bytes.length;
}
