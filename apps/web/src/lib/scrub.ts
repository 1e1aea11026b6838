/**
 * Removes from the text of an error what must not leave the page: credentials, what was asked for, places and addresses of people (W16).
 * The server does the same again.
 */
export function scrub(text: string, mostCharacters: number): string {
  // Cut before and after: the patterns then work on a bounded text, and no cut leaves half of a secret.
  let clean = withoutAddresses(text.slice(0, mostCharacters * 2));
  for (const [pattern, stand] of PATTERNS) clean = clean.replaceAll(pattern, stand);
  return clean.slice(0, mostCharacters);
}

const PATTERNS: readonly (readonly [RegExp, string])[] = [
  [/\beyJ[\w-]{5,4000}(?:\.[\w-]{1,4000}){0,2}/g, '(token)'],
  [/\bnws_[\w-]{1,200}/g, '(key)'],
  [/\bBearer [^\s"']{1,4000}/gi, 'Bearer (token)'],
  [/\?[^\s"'`)<>:]{1,2000}/g, '?(query)'],
  [/#[^\s"'`)<>:]{1,2000}/g, '#(fragment)'],
  [/-?\b\d{1,3}\.\d{2,17}\b/g, '(number)'],
];

/** A word with an @ inside is an address of a person; the places of code have none. */
const withoutAddresses = (text: string): string =>
  text
    .split(' ')
    .map((word) => (word.indexOf('@') > 0 ? '(e-mail)' : word))
    .join(' ');
