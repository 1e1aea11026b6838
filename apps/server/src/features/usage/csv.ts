type Cell = string | number | boolean | null;

/** A spreadsheet runs a text cell that starts like this as a formula (ASVS 1.2.10). Numbers keep their sign. */
const FORMULA_START = /^[=+\-@\t\r\0]/;

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n\0]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const lineOf = (columns: readonly string[], row: object) =>
  `${columns.map((name) => cell((row as Record<string, Cell>)[name] ?? null)).join(',')}\r\n`;

/** RFC 4180, the members in their published order. */
export function csvOf(columns: readonly string[], rows: readonly object[]): string {
  return `${columns.join(',')}\r\n${csvLines(columns, rows)}`;
}

/** Rows alone, for a file that is written in pieces. */
export const csvLines = (columns: readonly string[], rows: readonly object[]): string => rows.map((row) => lineOf(columns, row)).join('');
