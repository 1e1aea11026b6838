/** One row of a CSV file. `cells` null = not readable as CSV. */
export interface CsvRow {
  /** Line of the file on which the row begins, from 1. */
  line: number;
  cells: string[] | null;
  text: string;
}

/** Longest row; a quote that is never closed must not swallow the rest of the file. */
const MAX_ROW_CHARS = 256 * 1024;

/** Rows of a CSV text (RFC 4180) that comes in pieces. Line ends within quotes belong to the row. Blank lines are left out. */
export async function* csvRows(chunks: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  let row: Pending | null = null;
  for await (const { line, text } of linesOf(chunks)) {
    row ??= { line, lines: [], length: 0, isOpen: false };
    row.lines.push(text);
    row.length += text.length;
    if (hasOpenQuote(text)) row.isOpen = !row.isOpen;
    if (row.isOpen && row.length <= MAX_ROW_CHARS) continue;
    if (row.isOpen) yield* separately(row);
    else {
      const whole = row.lines.join('\n');
      if (whole !== '') yield { line: row.line, cells: cellsOf(whole), text: whole };
    }
    row = null;
  }
  if (row) yield* separately(row);
}

interface Pending {
  line: number;
  lines: string[];
  length: number;
  /** A quote is open at the end of what came so far. */
  isOpen: boolean;
}

/** The first line has the quote that never ends; the others are rows of their own. */
function* separately({ line, lines }: Pending): Generator<CsvRow> {
  for (const [i, text] of lines.entries()) {
    if (text !== '') yield { line: line + i, cells: hasOpenQuote(text) ? null : cellsOf(text), text };
  }
}

async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<{ line: number; text: string }> {
  let rest = '';
  let line = 0;
  for await (const chunk of chunks) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield { line: (line += 1), text: part.endsWith('\r') ? part.slice(0, -1) : part };
    // Damage without any line end is cut: the row is not readable anyway.
    if (rest.length > 4 * MAX_ROW_CHARS) {
      yield { line: (line += 1), text: `"${rest.slice(0, 80)}` };
      rest = '';
    }
  }
  if (rest !== '') yield { line: line + 1, text: rest };
}

function hasOpenQuote(text: string): boolean {
  let count = 0;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) count += 1;
  return count % 2 === 1;
}

/** Null when a quote stands where none may. */
export function cellsOf(row: string): string[] | null {
  if (!row.includes('"')) return row.split(',');
  const cells: string[] = [];
  let at = 0;
  for (;;) {
    if (row[at] !== '"') {
      const comma = row.indexOf(',', at);
      const cell = row.slice(at, comma < 0 ? undefined : comma);
      if (cell.includes('"')) return null;
      cells.push(cell);
      if (comma < 0) return cells;
      at = comma + 1;
      continue;
    }
    let cell = '';
    let from = at + 1;
    for (;;) {
      const quote = row.indexOf('"', from);
      if (quote < 0) return null;
      cell += row.slice(from, quote);
      from = quote + 1;
      if (row[from] !== '"') break;
      cell += '"';
      from += 1;
    }
    cells.push(cell);
    if (from >= row.length) return cells;
    if (row[from] !== ',') return null;
    at = from + 1;
  }
}
