import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { AffectedZone, ArchiveContext } from '@nwms/domain';
import { stateOfUgc } from '@nwms/domain';
import { MIGRATIONS } from '../../migrations/index.ts';
import { type AlertHistory, createAlertHistory } from '../features/alerts/index.ts';
import {
  createImportStore,
  createRefusalReport,
  createSorting,
  HELP,
  type ImportArguments,
  type ImportProgress,
  type ImportSummary,
  readArguments,
  readChunks,
  type Refusal,
  RefusedFile,
  refusalText,
  runImport,
  StrictStop,
  summaryLines,
} from '../features/import/index.ts';
import { createAuditStore } from '../features/audit/index.ts';
import { createPlaces, createZoneStore, type Places } from '../features/places/index.ts';
import { systemClock } from '../platform/clock.ts';
import type { RawSettings } from '../platform/config/settings.ts';
import { claimFeed } from '../platform/db/feed-claim.ts';
import { openDatabase } from '../platform/db/open.ts';
import type { Database } from '../platform/db/types.ts';
import { randomBase32 } from '../platform/http/request-id.ts';
import { silentLog } from '../platform/log.ts';

/** Where a command writes; a terminal gets one line that renews itself, anything else plain lines. */
export interface CommandOutput {
  isTerminal: boolean;
  out(text: string): void;
  err(text: string): void;
}

export const EXIT = { ok: 0, failed: 1, wrong: 2, someRefused: 3 } as const;
const [TERMINAL_EVERY_MS, PLAIN_EVERY_MS] = [200, 5_000];

/** `npm run import`: answers the exit code. */
export async function importCommand(args: readonly string[], settings: RawSettings, root: string, output: CommandOutput): Promise<number> {
  let request: ImportArguments | null;
  try {
    request = readArguments(args);
  } catch (error) {
    output.err(`${messageOf(error)}\n`);
    return EXIT.wrong;
  }
  if (request === null) {
    output.out(HELP);
    return EXIT.ok;
  }
  const reportPath = request.report ?? `${basename(request.path)}.refused.ndjson`;
  const report = createRefusalReport(resolve(reportPath));
  const progress = createProgress(output);
  try {
    const asked = request;
    // The file first: a wrong name must not make a database.
    const file = await readChunks(asked.path);
    const summary = await withRecord(asked, settings, root, async (record) => {
      const sorting = createSorting();
      try {
        const deps = { clock: systemClock, ...record, sorting, refused: (each: Refusal) => report.add(each), progress: progress.tell };
        const done = await runImport(asked, file, deps);
        await record.audit?.(asked, done);
        return done;
      } finally {
        sorting.close();
      }
    });
    progress.done();
    output.out(`${summaryLines(summary, request).join('\n')}\n`);
    if (report.count() === 0) return EXIT.ok;
    output.out(`  what was refused, with line, field and fix: ${reportPath}\n`);
    return EXIT.someRefused;
  } catch (error) {
    progress.done();
    if (error instanceof StrictStop) output.err(`Stopped: ${refusalText(error.refusal)}\n`);
    else output.err(`${messageOf(error)}\n`);
    if (error instanceof StrictStop) return EXIT.someRefused;
    if (error instanceof RefusedFile) return EXIT.wrong;
    output.err('What was written stays. Run the same command again to go on.\n');
    return EXIT.failed;
  } finally {
    report.close();
  }
}

const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return `${error.message}${cause}`;
};

interface Record {
  history: AlertHistory | null;
  imports: ReturnType<typeof createImportStore> | null;
  context: ArchiveContext;
  giveWay: (tookMs: number) => Promise<void>;
  audit: ((request: ImportArguments, summary: ImportSummary) => Promise<void>) | null;
}

/** Opens what the server keeps its real alerts in, beside a server that may be running. */
async function withRecord<T>(
  request: ImportArguments,
  settings: RawSettings,
  root: string,
  use: (record: Record) => Promise<T>,
): Promise<T> {
  // History is of real alerts: it belongs to the data of the weather service, whatever the server shows today.
  const dir = join(resolve(root, settings.DATA_DIR), 'nws');
  const database =
    request.dryRun && !settings.DATABASE_URL && !existsSync(join(dir, 'log.db'))
      ? null
      : await openDatabase(settings.DATABASE_URL ? { kind: 'postgres', url: settings.DATABASE_URL } : { kind: 'sqlite', dir }, {
          migrations: MIGRATIONS,
          beside: true,
        });
  try {
    if (database && !request.dryRun) await claimFeed(database.app, 'nws');
    const places = await createPlaces({
      clock: systemClock,
      log: silentLog,
      random: Math.random,
      warmsUp: false,
      store: database ? createZoneStore(database.log, database.reads.log) : NO_ZONES,
      // Shapes are the server's business, which asks for each once and for all.
      fetchZone: async () => ({ kind: 'failed', reason: 'an import asks nobody', retryAfterSeconds: null }),
    });
    try {
      const history = database && createAlertHistory({ database, clock: systemClock, places });
      const imports = database && createImportStore(database);
      const giveWay = async (tookMs: number) => {
        // The embedded database has one writer at a time: the server gets as much of it as the import.
        if (database?.isShared) await wait(Math.min(500, Math.max(10, tookMs)));
      };
      const audit = database && !request.dryRun ? auditor(database) : null;
      return await use({ history, imports, context: contextOf(places, history), giveWay, audit });
    } finally {
      await places.stop();
    }
  } finally {
    await closed(database);
  }
}

/** Administrators see what was loaded; who sits at the command line the server does not know. */
function auditor(database: Database): NonNullable<Record['audit']> {
  const store = createAuditStore(database.app);
  return async ({ kind, path }, { added, extended }) => {
    if (added + extended === 0) return;
    await store.append({
      id: `aud_${randomBase32()}`,
      at: systemClock.now(),
      actor: { type: 'system', id: null, name: 'command line' },
      action: 'history.imported',
      target: { type: 'import', id: null, label: `${kind}: ${basename(path)}`.slice(0, 200) },
      outcome: 'ok',
      reason: null,
      requestId: null,
      addressHash: null,
      changes: [{ field: 'events', from: null, to: added + extended }],
    });
  };
}

const closed = async (database: Database | null) => database?.close();

const NO_ZONES: Parameters<typeof createPlaces>[0]['store'] = {
  load: async () => [],
  fetchedSince: async () => [],
  version: async () => null,
  save: async () => {},
  history: async () => [],
};

function contextOf(places: Pick<Places, 'zoneInfo' | 'resolve'>, history: AlertHistory | null): ArchiveContext {
  const zones = new Map<string, string | null>();
  /** The clock of the first zone; of one whose shape is not known, the clock of its state's first county. */
  const clockOf = (zone: AffectedZone): string | null => {
    const known = zones.get(zone.code);
    if (known !== undefined) return known;
    const state = stateOfUgc(zone.code);
    const own = timeZoneOf(places, zone);
    const found = own ?? (state === null ? null : timeZoneOf(places, { code: `${state}C001`, type: 'county', partial: false }));
    zones.set(zone.code, found);
    return found;
  };
  return {
    hash: (text) => createHash('sha256').update(text).digest('hex'),
    areaName(code, type) {
      const info = places.zoneInfo(code, type);
      return info?.name ? (info.state ? `${info.name}, ${info.state}` : info.name) : null;
    },
    offsetMinutes: ([zone], at) => (zone && history ? history.offsetAt(clockOf(zone), at, 0) : 0),
  };
}

const timeZoneOf = (places: Pick<Places, 'zoneInfo'>, { code, type }: AffectedZone): string | null =>
  places.zoneInfo(code, type)?.timeZones[0] ?? null;

function createProgress(output: CommandOutput): { tell(progress: ImportProgress): void; done(): void } {
  // Plain lines are for those who wait: a short import says only what came of it.
  let toldAtMs = output.isTerminal ? -Infinity : performance.now();
  let isOpen = false;
  return {
    tell({ phase, rows, share, events }) {
      const nowMs = performance.now();
      if (nowMs - toldAtMs < (output.isTerminal ? TERMINAL_EVERY_MS : PLAIN_EVERY_MS)) return;
      toldAtMs = nowMs;
      const percent = `${Math.floor(Math.min(1, share) * 100)} %`;
      const text = phase === 'reading' ? `reading: ${rows} rows, ${percent}` : `writing: ${events} events, ${percent}`;
      output.out(output.isTerminal ? `\r${text.padEnd(50)}` : `${text}\n`);
      isOpen = output.isTerminal;
    },
    done() {
      if (isOpen) output.out(`\r${' '.repeat(50)}\r`);
      isOpen = false;
    },
  };
}
