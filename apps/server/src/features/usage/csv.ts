type Cell = string | number | boolean | null;

/** A spreadsheet runs a text cell that starts like this as a formula (ASVS 1.2.10). Numbers keep their sign. */
const FORMULA_START = /^[=+\-@\t\r\0]/;

function cell(value: Cell): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const safe = FORMULA_START.test(value) ? `'${value}` : value;
  return /[",\r\n\0]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** RFC 4180, the members in their published order. */
export function csvOf(columns: readonly string[], rows: readonly object[]): string {
  const lines = rows.map((row) => columns.map((name) => cell((row as Record<string, Cell>)[name] ?? null)).join(','));
  return `${[columns.join(','), ...lines].join('\r\n')}\r\n`;
}
