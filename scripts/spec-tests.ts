import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const FOLDERS = ['apps', 'packages', 'tools'];
const SKIPPED = new Set(['node_modules', 'dist', 'test-results']);
const IS_TEST = /\.(test|e2e)\.tsx?$/;

/** Every test file of the repository, in no particular order. */
export function testFiles(root: string): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) walk(path);
      else if (entry.isFile() && IS_TEST.test(entry.name)) found.push(path);
    }
  };
  for (const folder of FOLDERS) walk(join(root, folder));
  return found;
}

/** Ids of the committed list: everything on a line that is not a remark. */
export const readChecklist = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(' '))
    .filter(Boolean);

const QUOTES = new Set(["'", '"', '`']);
const ID = /\b[A-Z][A-Z0-9]{1,4}-\d{2}\b/g;
const RANGE = /\b([A-Z][A-Z0-9]{1,4})-(\d{2}) to \1-(\d{2})\b/g;

/**
 * Ids in the texts of `test(...)`, `it(...)` and `describe(...)`, and in the tables of `.each`: any text in quotes that holds one. Ids in comments
 * do not count. `AUTH-05, 06 and AUTH-08` counts 05 and 08: each id stands in full. `AUTH-05 to AUTH-08` counts all four.
 */
export function idsInTestNames(source: string): Set<string> {
  const ids = new Set<string>();
  for (const line of source.split('\n')) {
    const trimmed = line.trimStart();
    if (trimmed.startsWith('//') || trimmed.startsWith('*') || trimmed.startsWith('/*')) continue;
    for (const text of quoted(line)) for (const id of idsIn(text)) ids.add(id);
  }
  return ids;
}

function idsIn(text: string): string[] {
  const between = [...text.matchAll(RANGE)].flatMap(([, area, from, to]) =>
    Array.from(
      { length: Math.max(0, Number(to) - Number(from) + 1) },
      (_, step) => `${area}-${String(Number(from) + step).padStart(2, '0')}`,
    ),
  );
  return [...[...text.matchAll(ID)].map(([id]) => id), ...between];
}

/** The texts in quotes of one line; a quote that the line does not close reaches to its end. */
function quoted(line: string): string[] {
  const texts: string[] = [];
  let at = 0;
  while (at < line.length) {
    const quote = line.charAt(at);
    if (!QUOTES.has(quote)) {
      if (line.startsWith('//', at)) return texts;
      at += 1;
      continue;
    }
    let end = at + 1;
    while (end < line.length && line.charAt(end) !== quote) end += line.charAt(end) === '\\' ? 2 : 1;
    texts.push(line.slice(at + 1, end));
    at = end + 1;
  }
  return texts;
}
