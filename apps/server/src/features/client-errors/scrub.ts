/** What may name a person, a place somebody looked at, or open a door, and what stands in its place. Pages strip the same before sending. */
const RULES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(Bearer|Basic)\s[\w.~+/=-]{4,}/gi, '$1 [token]'],
  [/\b(password|passwd|secret|token|credential|api_?key|authorization)(["']?\s{0,3}[:=]\s{0,3})["']?[^\s"',;&)]{1,200}/gi, '$1$2[removed]'],
  [/-?\b\d{1,3}\.\d{3,}\s?[,;/ ]\s?-?\d{1,3}\.\d{3,}/g, '[position]'],
  [/\b(lat|lon|lng|latitude|longitude)(["']?\s{0,3}[:=]\s{0,3})-?\d{1,3}(?:\.\d{1,15})?/gi, '$1$2[position]'],
  [/\b(?:\d{1,3}\.){3}\d{1,3}\b/g, '[address]'],
];
/** Beginnings of secrets: from there on the word goes. */
const SECRET_STARTS: readonly (readonly [start: string, instead: string])[] = [
  ['eyJ', '[token]'],
  ['nws_', '[key]'],
];

/** A text of a page without what does not belong into a log. Lines stay, other control characters go. */
export function scrub(text: string): string {
  const clean = text.toWellFormed().replaceAll(/[^\P{Cc}\n]/gu, ' ');
  const words = clean.split(/([\s"'<>()]+)/).map(scrubWord);
  return RULES.reduce((kept, [pattern, instead]) => kept.replaceAll(pattern, instead), words.join('')).trim();
}

/** Path of a page without query, fragment and host. */
export function scrubPage(page: string): string {
  const path = scrub(page)
    .replace(/^https?:\/\/[^/]*/i, '')
    .split(/[?#]/)[0] as string;
  return path.startsWith('/') ? path : `/${path}`;
}

function scrubWord(word: string): string {
  for (const [start, instead] of SECRET_STARTS) {
    const at = word.indexOf(start);
    if (at >= 0 && word.length - at >= start.length + 4) return `${word.slice(0, at)}${instead}`;
  }
  if (!word.includes('/')) return scrubSegment(word);
  // Of an address the query and fragment go, its line and column in a stack frame stay.
  const [path = ''] = word.split(/[?#]/);
  const kept = path.split('/').map(scrubSegment).join('/');
  const position = path === word ? '' : (/:\d{1,7}:\d{1,7}$/.exec(word)?.[0] ?? '');
  return `${kept}${position}`;
}

/** `name@host.tld`; neither a scoped package (`@scope`) nor a frame such as `render@https:`. */
function scrubSegment(segment: string): string {
  const at = segment.indexOf('@');
  return at > 0 && segment.includes('.', at) ? '[e-mail]' : segment;
}
