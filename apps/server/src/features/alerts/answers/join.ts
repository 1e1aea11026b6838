/** `{"alerts":[a,b,c],members` without the closing brace; rows are ready bytes. */
export function joinRows(rows: readonly Buffer[], members: Record<string, unknown>): Buffer {
  const parts: Buffer[] = [OPEN];
  rows.forEach((row, index) => {
    if (index > 0) parts.push(COMMA);
    parts.push(row);
  });
  parts.push(Buffer.from(`],${JSON.stringify(members).slice(1, -1)}`));
  return Buffer.concat(parts);
}

const OPEN = Buffer.from('{"alerts":[');
const COMMA = Buffer.from(',');

/** A row's bytes with further members. */
export function extendRow(row: Buffer, members: Record<string, unknown>): Buffer {
  return Buffer.concat([row.subarray(0, -1), Buffer.from(`,${JSON.stringify(members).slice(1)}`)]);
}
