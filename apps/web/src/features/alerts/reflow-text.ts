/**
 * Weather texts are broken at about 66 characters for teleprinters. Joins the lines of a paragraph so that they fit any width;
 * words, blank lines, bullets, tables (indented or spaced-out lines) and sections ("..." or "* " starts) stay as issued.
 */
export function reflowText(text: string): string {
  const lines = text.replaceAll('\r', '').split('\n');
  let out = '';
  for (const [index, line] of lines.entries()) {
    const next = lines[index + 1];
    out += line;
    if (next === undefined) break;
    out += joins(line, next) ? ' ' : '\n';
  }
  return out;
}

/** Shorter lines end a paragraph or are entries of a list, not text that was wrapped. */
const WRAPPED_AT_LEAST = 40;

const joins = (line: string, next: string): boolean =>
  line.length >= WRAPPED_AT_LEAST &&
  /^\S/.test(line) &&
  /^[A-Za-z0-9("']/.test(next) &&
  !/\s\s\s/.test(line) &&
  !line.endsWith('...') &&
  !/\s\s\s/.test(next);
