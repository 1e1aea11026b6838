import type { ArchiveKind, ImportedSpan, Instant, RowFault, RowFaultReason } from '@nwms/domain';

/** What an import is asked to do. */
export interface ImportRequest {
  kind: ArchiveKind;
  path: string;
  /** Events only whose life, from the first message on, meets [from, to). */
  from: Instant | null;
  to: Instant | null;
  dryRun: boolean;
  /** Stops at the first row that cannot be taken; of a row that cannot be read before anything is written. */
  strict: boolean;
  /** What the file holds every event of its hazards for; null = nothing is said. */
  complete: 'offices' | 'us' | null;
}

export interface Refusal {
  line: number;
  feature: number | null;
  fault: RowFault;
}

export interface ImportSummary {
  rows: number;
  /** Events of the file that were not in the record. */
  added: number;
  /** Imported earlier from another file, and now known better. */
  extended: number;
  /** Imported earlier, with the same rows. */
  known: number;
  /** Heard by this installation itself: left as they are. */
  own: number;
  /** Outside of from and to. */
  outside: number;
  refused: { reason: RowFaultReason; rows: number }[];
  /** First and last instant of what was taken or known. */
  from: Instant | null;
  to: Instant | null;
  durationMs: number;
}

export interface ImportResult extends ImportSummary {
  /** What the record counts as covered by it; empty unless the file was declared complete. */
  covered: readonly ImportedSpan[];
}

/** Told while it runs. */
export interface ImportProgress {
  phase: 'reading' | 'writing';
  rows: number;
  /** 0 to 1. */
  share: number;
  events: number;
}
