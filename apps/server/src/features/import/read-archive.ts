import { type ArchiveKind, type ArchiveRow, readRow, type RawRow, type RowFault } from '@nwms/domain';
import { parseSafeJson } from '../../platform/safe-json.ts';
import { csvRows } from './csv.ts';
import { featureTexts } from './geojson.ts';
import { assertKind } from './observations.ts';
import { RefusedFile } from './refused-file.ts';

/** One row of the file, read or not. */
export interface ReadLine {
  /** Line of the file, from 1. */
  line: number;
  /** Place among the features of a GeoJSON file, from 1; null in CSV. */
  feature: number | null;
  read: { ok: true; row: ArchiveRow } | { ok: false; fault: RowFault };
}

/** Rows of an archive of a kind, as they come. @throws RefusedFile when the file is not of this kind, or ends early */
export async function* readArchive(kind: ArchiveKind, chunks: AsyncIterable<string>): AsyncGenerator<ReadLine> {
  const source = chunks[Symbol.asyncIterator]();
  const first = await source.next();
  const head = first.done ? '' : first.value.replace(/^\uFEFF/, '');
  const all = (async function* again() {
    yield head;
    for (;;) {
      const next = await source.next();
      if (next.done) return;
      yield next.value;
    }
  })();
  if (head.trim() === '') throw new RefusedFile('The file is empty.');
  if (looksLikeJson(head)) yield* readFeatures(kind, all);
  else yield* readCsv(kind, all);
}

/** Sequences of features put a record separator before each (RFC 8142). */
function looksLikeJson(head: string): boolean {
  const first = head.replaceAll(String.fromCharCode(0x1e), ' ').trimStart()[0];
  return first === '{' || first === '[';
}

async function* readCsv(kind: ArchiveKind, chunks: AsyncIterable<string>): AsyncGenerator<ReadLine> {
  let names: string[] | null = null;
  for await (const { line, cells, text } of csvRows(chunks)) {
    if (names === null) {
      names = (cells ?? []).map((name) => name.trim());
      assertKind(kind, new Set(names));
      if (kind !== 'warnings') throw new RefusedFile(`The source "${kind}" is read from GeoJSON: a CSV file has no polygons.`);
      continue;
    }
    if (cells === null || cells.length !== names.length) {
      const have = cells === null ? 'a quote that is not closed' : `${cells.length} columns where the first line names ${names.length}`;
      yield { line, feature: null, read: unreadable(text, `The row has ${have}.`, 'Correct the quotes and commas of this line.') };
      continue;
    }
    const columns = Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
    yield { line, feature: null, read: readRow({ kind, columns, geometry: null }) };
  }
}

async function* readFeatures(kind: ArchiveKind, chunks: AsyncIterable<string>): AsyncGenerator<ReadLine> {
  let isKnown = false;
  for await (const { n, line, text } of featureTexts(chunks)) {
    const parsed = text === null ? null : parseSafeJson(text, { poison: 'remove' });
    const raw = parsed?.ok ? rawOf(kind, parsed.value) : null;
    if (!isKnown && parsed?.ok) {
      assertKind(kind, new Set(Object.keys(raw?.columns ?? (parsed.value as object))));
      if (kind === 'warnings') throw new RefusedFile('The source "warnings" is read from CSV, one row per zone.');
      isKnown = true;
    }
    const why = text === null ? 'It is longer than any feature.' : 'It is not a GeoJSON feature with properties.';
    yield { line, feature: n, read: raw ? readRow(raw) : unreadable(text ?? '', why, 'Correct or remove this feature.') };
  }
}

function rawOf(kind: ArchiveKind, value: unknown): RawRow | null {
  const { properties, geometry = null } = (value ?? {}) as { properties?: unknown; geometry?: unknown };
  if (typeof properties !== 'object' || properties === null || Array.isArray(properties)) return null;
  return { kind, columns: properties as Record<string, unknown>, geometry };
}

function unreadable(text: string, message: string, fix: string): ReadLine['read'] {
  const value = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return { ok: false, fault: { field: 'row', value, reason: 'row_unreadable', message, fix } };
}
