import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ArchiveContext, ArchiveKind } from '@nwms/domain';
import type { FakeClock } from '@nwms/testkit/fake-clock';
import { sql } from 'kysely';
import type { Database } from '../../platform/db/types.ts';
import { createAlertHistory } from '../alerts/index.ts';
import type { Places } from '../places/types.ts';
import { readChunks, createImportStore, createSorting, runImport, type ImportRequest, type ImportResult, type Refusal } from './index.ts';

/** Support for the tests of imports: made-up archives, and one import as the command runs it. */

export const context: ArchiveContext = {
  hash: (text) => createHash('sha256').update(text).digest('hex'),
  areaName: () => null,
  offsetMinutes: () => -300,
};

export interface TestFolder {
  dir: string;
  csv(name: string, rows: readonly Record<string, string>[]): string;
  geojson(name: string, features: readonly object[]): string;
  dispose(): void;
}

export function testFolder(): TestFolder {
  const dir = mkdtempSync(join(tmpdir(), 'nwms-archive-'));
  const write = (name: string, text: string) => {
    const path = join(dir, name);
    writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
    return path;
  };
  return {
    dir,
    csv(name, rows) {
      const columns = Object.keys(rows[0] ?? {});
      const lines = rows.map((row) => columns.map((column) => quoted(row[column] ?? '')).join(','));
      return write(name, `${[columns.join(','), ...lines].join('\n')}\n`);
    },
    geojson: (name, features) => write(name, JSON.stringify({ type: 'FeatureCollection', features })),
    dispose: () => rmSync(dir, { recursive: true, force: true }),
  };
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Rows by zone of `events` events with three zones each, one event an hour, the rows of each scattered over the file. */
export function manyWarnings(events: number, from = Date.UTC(2024, 4, 1)): Record<string, string>[] {
  const time = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');
  const rows = [0, 1, 2].flatMap((zone) =>
    Array.from({ length: events }, (_, n) => {
      const issue = from + n * 3_600_000;
      const isCancelled = n % 4 === zone;
      return {
        issue: time(issue),
        expire: time(issue + (isCancelled ? 1_200_000 : 2_700_000)),
        wfo: ['DMX', 'OAX', 'FSD'][n % 3] ?? 'DMX',
        eventid: String(1 + Math.floor(n / 3)),
        status: isCancelled ? 'CAN' : 'EXP',
        updated: time(issue + (isCancelled ? 1_200_000 : 2_500_000)),
        ugc: `IAC${String(1 + 2 * ((n + zone) % 90)).padStart(3, '0')}`,
        phenomena: n % 2 === 0 ? 'TO' : 'SV',
        significance: 'W',
        init_expire: time(issue + 2_700_000),
        product_issue: time(issue),
        is_emergency: 'f',
        product_ids: '{a,"b"}',
      };
    }),
  );
  return rows;
}

export interface Run {
  summary: ImportResult;
  refusals: Refusal[];
}

/** One import. `around` runs in place of each write, to make it fail. */
export async function importFile(
  deps: { database: Database; clock: FakeClock; places: Places },
  kind: ArchiveKind,
  path: string,
  { around, ...options }: Partial<ImportRequest> & { around?: (write: () => Promise<void>) => Promise<void> } = {},
): Promise<Run> {
  const request: ImportRequest = { kind, path, from: null, to: null, dryRun: false, strict: false, complete: null, ...options };
  const history = createAlertHistory(deps);
  const write = history.write.bind(history);
  const sorting = createSorting();
  const refusals: Refusal[] = [];
  try {
    const summary = await runImport(request, await readChunks(path), {
      clock: deps.clock,
      history: around ? { ...history, write: (batch) => around(() => write(batch)) } : history,
      imports: createImportStore(deps.database),
      context,
      sorting,
      refused: (refusal) => void refusals.push(refusal),
      progress: () => {},
      giveWay: async () => {},
    });
    return { summary, refusals };
  } finally {
    sorting.close();
  }
}

const TABLES = ['messages', 'events', 'event_keys', 'event_areas', 'revisions', 'known_parts', 'event_facts', 'log', 'import_coverage'];

/** Everything an import may write, in one order, numbers included. */
export async function picture(database: Database): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of TABLES) {
    const { rows } = await sql<object>`select * from ${sql.raw(database.table('log', table))}`.execute(database.log);
    found[table] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return found;
}
