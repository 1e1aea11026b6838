import { type ArchiveContext, groupKeyOf, type Instant, type RowFault } from '@nwms/domain';
import type { Clock } from '../../platform/clock.ts';
import { type AlertHistory, type OwnEvent, StaleHistory } from '../alerts/index.ts';
import { type EventOutcome, judgeStatements, judgeVtec, statementIds } from './archived-events.ts';
import type { FileReading } from './read-chunks.ts';
import { readArchive } from './read-archive.ts';
import type { ImportStore } from './store-imports.ts';
import type { Sorting, SortedRow } from './store-sorting.ts';
import { createTally } from './tally.ts';
import type { ImportProgress, ImportRequest, ImportResult, Refusal } from './types.ts';

export interface ImportDeps {
  clock: Clock;
  /** Null: nothing was ever stored, and nothing will be (a dry run). */
  history: AlertHistory | null;
  imports: ImportStore | null;
  context: ArchiveContext;
  sorting: Sorting;
  refused: (refusal: Refusal) => void;
  progress: (progress: ImportProgress) => void;
  /** Awaited after every transaction: leaves the database to a server that is running. */
  giveWay: (tookMs: number) => Promise<void>;
}

/** With `strict`: the first row that was not taken. What was written before stays. */
export class StrictStop extends Error {
  override readonly name = 'StrictStop';
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.fault.message);
    this.refusal = refusal;
  }
}

/** Event numbers per transaction: some tenths of a second, and few enough to stay in memory with all their rows. */
const GROUPS_PER_BATCH = 40;
/** A number can have thousands of rows over the years. */
const ROWS_PER_BATCH = 1_500;
const MAX_TRIES = 5;

type Group = { key: string; rows: SortedRow[] };

/**
 * Reads the whole file, brings the rows of each event together on disk, and adds event by event what the record lacks, in transactions of their
 * own. Killed at any point and run again it goes on where the last transaction ended, because what is known is left alone.
 */
export async function runImport(request: ImportRequest, file: FileReading, deps: ImportDeps): Promise<ImportResult> {
  const startedMs = deps.clock.monotonicMs();
  const tally = createTally();
  const tell = (phase: ImportProgress['phase'], share: number) =>
    deps.progress({ phase, rows: tally.rows(), share, events: tally.events() });
  const refuse = (refusal: Refusal) => {
    tally.refusedRow(refusal.fault.reason);
    deps.refused(refusal);
    if (request.strict) throw new StrictStop(refusal);
  };

  const span = { from: Infinity, to: -Infinity };
  for await (const { line, feature, read } of readArchive(request.kind, file.chunks)) {
    tally.row();
    if (read.ok) {
      const { row } = read;
      deps.sorting.add(groupKeyOf(row), feature ?? line, row.raw);
      if (row.kind === 'statements') widen(span, row.issue, row.expire);
    } else refuse({ line, feature, fault: read.fault });
    if (tally.rows() % 500 === 0) {
      const { read: bytes, total } = file.progress();
      tell('reading', total === 0 ? 1 : bytes / total);
    }
  }
  const isFeatures = request.kind !== 'warnings';
  // Statements have no number: what we heard ourselves at the time of the file is looked at once.
  const own = span.to > span.from ? await deps.history?.ownEvents({ code: 'SPS', ...span }) : [];
  let written = 0;
  const taken = tally.rows();
  for (const batch of batchesOf(deps.sorting.groups())) {
    for (const { outcome, place } of await storeBatch(request, batch, own ?? [], deps)) {
      tally.outcome(outcome);
      if (outcome.outcome.how === 'refused') report(deps, outcome.outcome.fault, place, isFeatures, request.strict);
    }
    written += batch.reduce((sum, group) => sum + group.rows.length, 0);
    tell('writing', taken === 0 ? 1 : written / taken);
  }
  const summary = tally.summary(Math.round(deps.clock.monotonicMs() - startedMs));
  const now = deps.clock.now();
  const coverage = tally.coverage(request, now);
  if (!request.dryRun) await deps.imports?.finish(request, summary, coverage, now);
  return { ...summary, covered: coverage };
}

function widen(span: { from: Instant; to: Instant }, from: Instant, to: Instant): void {
  span.from = Math.min(span.from, from);
  span.to = Math.max(span.to, to);
}

function report(deps: ImportDeps, fault: RowFault, place: number, isFeatures: boolean, strict: boolean): void {
  const refusal: Refusal = { line: isFeatures ? 1 : place, feature: isFeatures ? place : null, fault };
  deps.refused(refusal);
  if (strict) throw new StrictStop(refusal);
}

function* batchesOf(groups: Iterable<Group>): Generator<Group[]> {
  let batch: Group[] = [];
  let rows = 0;
  for (const group of groups) {
    batch.push(group);
    rows += group.rows.length;
    if (batch.length < GROUPS_PER_BATCH && rows < ROWS_PER_BATCH) continue;
    yield batch;
    batch = [];
    rows = 0;
  }
  if (batch.length > 0) yield batch;
}

interface Placed {
  outcome: EventOutcome;
  /** Line or feature of its first row. */
  place: number;
}

/** Judges and writes one batch; whoever changed the record meanwhile is asked again. */
async function storeBatch(request: ImportRequest, batch: readonly Group[], own: readonly OwnEvent[], deps: ImportDeps): Promise<Placed[]> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(request, batch, own, deps);
    } catch (error) {
      if (!(error instanceof StaleHistory) || tries === MAX_TRIES) throw error;
    }
  }
}

async function attempt(request: ImportRequest, batch: readonly Group[], own: readonly OwnEvent[], deps: ImportDeps): Promise<Placed[]> {
  const { history, context } = deps;
  const range = { from: request.from, to: request.to };
  const now = deps.clock.now();
  const isStatements = request.kind === 'statements';
  const vtecKeys = isStatements ? [] : batch.map((group) => group.key);
  const recorded = (await history?.recorded(vtecKeys)) ?? [];
  const stored = await storedStatements(isStatements ? batch : [], deps);
  const taken = new Set<string>();
  const placed: Placed[] = [];
  for (const group of batch) {
    const raws = group.rows.map((row) => row.raw);
    const outcomes = isStatements
      ? judgeStatements(raws, { context, range, now, stored, own })
      : judgeVtec(raws, { context, range, now, recorded, taken });
    for (const outcome of outcomes) placed.push({ outcome, place: placeOf(group, outcome) });
  }
  const events = placed.flatMap(({ outcome: { outcome } }) =>
    history && (outcome.how === 'add' || outcome.how === 'extend') ? [history.historic(outcome.life, outcome.messages)] : [],
  );
  if (request.dryRun || !history || events.length === 0) return placed;
  const startedMs = deps.clock.monotonicMs();
  await history.write({ events, vtecKeys, seen: new Set(recorded.map((each) => each.eventId)) });
  await deps.giveWay(deps.clock.monotonicMs() - startedMs);
  return placed;
}

/** Same objects, from sorting to outcome. */
const placeOf = (group: Group, { rows }: EventOutcome): number => group.rows.find((row) => row.raw === rows[0])?.line ?? 0;

async function storedStatements(batch: readonly Group[], { history, context }: ImportDeps): Promise<ReadonlySet<string>> {
  const ids = batch.flatMap((group) =>
    statementIds(
      group.rows.map((row) => row.raw),
      context,
    ),
  );
  return (await history?.storedMessages(ids)) ?? new Set();
}
