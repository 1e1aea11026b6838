/** A cell of a table that is written as CSV. */
export type Cell = string | number | boolean | null | undefined;

/** Signs with which spreadsheets begin a formula. */
const FORMULA = /^[=+\-@\t\0\r]/;

/**
 * RFC 4180 text of these rows, for spreadsheets: a byte order mark, CRLF, every text in quotes, and an apostrophe before a text that
 * would be read as a formula (OWASP ASVS 1.2.10). Numbers stay numbers, also negative ones.
 */
export function csvOf(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return `\uFEFF${[header, ...rows].map((row) => row.map(cellOf).join(',')).join('\r\n')}\r\n`;
}

function cellOf(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  return `"${(FORMULA.test(cell) ? `'${cell}` : cell).replaceAll('"', '""')}"`;
}

/** Hands a text, or what a picture is made of, to the reader as a file. */
export function saveFile(name: string, content: string | Blob, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the content when the click returns; a moment later for those that read it lazily.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
