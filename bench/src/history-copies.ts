/** Rows of one simulated day, and copies of them for other days with names and times of their own. */

export type Value = string | number | null;
export type TableName = 'messages' | 'events' | 'event_keys' | 'event_areas' | 'revisions' | 'known_parts';
export type BaseRows = Record<TableName, { columns: readonly string[]; rows: Record<string, Value>[] }>;

const DAY_MS = 86_400_000;
/** Columns that hold JSON: names and times within it are copied like those beside it. */
const JSON_COLUMNS = new Set(['parsed', 'state']);
/** Nothing asked here reads what upstream sent byte for byte; it would double the size. */
const EMPTIED = new Set(['raw']);
/** Epoch milliseconds of this century, as members or items of JSON. */
const TIME = String.raw`(?<=[:\[,])1[5-9]\d{11}(?=[,}\]])`;
const NAME_COLUMNS = ['id', 'upstream_id', 'content_hash', 'event_id', 'message_id', 'vtec_key'];
const TIME_COLUMNS = new Set([
  'sent',
  'received_at',
  'in_force_from',
  'over_at',
  'effective',
  'onset',
  'expires',
  'updated_at',
  'rev_from',
  'rev_over_at',
  'at',
  'known_from',
  'known_until',
  'shown_until',
  'part_from',
]);
const FOREVER = 8_640_000_000_000_000;

/** Text with places for a time or a name: [text, place, text, place ... text]. */
interface Template {
  texts: string[];
  places: (number | string)[];
}
type Cell = { kind: 'same'; value: Value } | { kind: 'time'; at: number } | { kind: 'name'; name: string } | { kind: 'text'; of: Template };

export interface Copies {
  /** Messages of one day. */
  messages: number;
  /** Rows of a table of the day `n` days before the first; column order as given. */
  rows(table: TableName, n: number): Value[][];
  columns(table: TableName): readonly string[];
}

export function createCopies(base: BaseRows): Copies {
  const names = new Set<string>();
  for (const { rows } of Object.values(base)) {
    for (const row of rows) for (const column of NAME_COLUMNS) if (typeof row[column] === 'string') names.add(row[column]);
  }
  const seqs = base.revisions.rows.map((row) => Number(row['seq']));
  const topSeq = Math.max(0, ...seqs);
  const cells = Object.fromEntries(
    Object.entries(base).map(([table, { columns, rows }]) => [
      table,
      rows.map((row) => columns.map((column) => cellOf(column, row[column] ?? null, names))),
    ]),
  ) as Record<TableName, Cell[][]>;
  return {
    messages: base.messages.rows.length,
    columns: (table) => base[table].columns,
    rows: (table, n) => {
      const seqAt = base[table].columns.findIndex((column) => column === 'seq' || column === 'rev_seq');
      return cells[table].map((row) => {
        const made = row.map((cell) => valueOf(cell, n));
        // Later days have higher numbers, as in a log.
        if (seqAt >= 0 && typeof made[seqAt] === 'number') made[seqAt] += (COPIES_AT_MOST - n) * topSeq;
        return made;
      });
    },
  };
}

/** Three years and some; keeps numbers below 2^31. */
const COPIES_AT_MOST = 20_000;

function cellOf(column: string, value: Value, names: ReadonlySet<string>): Cell {
  if (EMPTIED.has(column)) return { kind: 'same', value: '{}' };
  if (typeof value === 'number' && TIME_COLUMNS.has(column) && value !== FOREVER) return { kind: 'time', at: value };
  if (typeof value !== 'string') return { kind: 'same', value };
  if (NAME_COLUMNS.includes(column)) return { kind: 'name', name: value };
  return JSON_COLUMNS.has(column) ? { kind: 'text', of: templateOf(value, names) } : { kind: 'same', value };
}

function templateOf(json: string, names: ReadonlySet<string>): Template {
  const template: Template = { texts: [], places: [] };
  let last = 0;
  for (const match of json.matchAll(new RegExp(String.raw`${TIME}|"((?:[^"\\]|\\.)*)"`, 'g'))) {
    const [text, quoted] = match;
    if (quoted !== undefined && !names.has(quoted)) continue;
    template.texts.push(json.slice(last, match.index));
    template.places.push(quoted ?? Number(text));
    last = match.index + text.length;
  }
  template.texts.push(json.slice(last));
  return template;
}

function valueOf(cell: Cell, n: number): Value {
  switch (cell.kind) {
    case 'same':
      return cell.value;
    case 'time':
      return cell.at - n * DAY_MS;
    case 'name':
      return nameOf(cell.name, n);
    case 'text': {
      const { texts, places } = cell.of;
      let text = texts[0] ?? '';
      for (const [at, place] of places.entries()) {
        text += (typeof place === 'number' ? place - n * DAY_MS : `"${nameOf(place, n)}"`) + (texts[at + 1] ?? '');
      }
      return text;
    }
  }
}

const nameOf = (name: string, n: number): string => (n === 0 ? name : `${name}-${n + 1}`);
