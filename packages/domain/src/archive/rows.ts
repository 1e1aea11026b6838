import type { Shape } from '../geo/shape.ts';
import type { ImpactTags } from '../alert/message.ts';
import type { Instant, VtecAction } from '../alert/vocabulary.ts';

/** Kinds of archive that can be imported; the words of the command. */
export const ARCHIVE_KINDS = ['warnings', 'polygons', 'watches', 'statements'] as const;
export type ArchiveKind = (typeof ARCHIVE_KINDS)[number];

/** One row as the archive wrote it: what is kept beside the messages made of it, and enough to read it again. */
export interface RawRow {
  kind: ArchiveKind;
  columns: Readonly<Record<string, unknown>>;
  /** GeoJSON geometry; null where the archive has none. */
  geometry: unknown;
}

export const ROW_FAULTS = [
  'row_unreadable',
  'field_missing',
  'time_unreadable',
  'code_unreadable',
  'geometry_unreadable',
  'times_contradict',
  'not_over',
  'too_recent',
  'before_vtec',
  'county_era',
  'rows_contradict',
] as const;
export type RowFaultReason = (typeof ROW_FAULTS)[number];

/** Why a row is not taken: which field, what it says, and what would help. */
export interface RowFault {
  field: string;
  /** As written, cut to a readable length. */
  value: string;
  reason: RowFaultReason;
  message: string;
  fix: string;
}

export type RowRead<T> = { ok: true; row: T } | { ok: false; fault: RowFault };

/** What names one VTEC event, the year aside. */
export interface VtecName {
  office: string;
  phenomenon: string;
  significance: string;
  etn: number;
}

/** One zone of one event, with how it ended: a row of the archive of VTEC events. */
export interface WarningRow {
  kind: 'warnings';
  name: VtecName;
  /** Year of the event number, where the archive says it. */
  year: number | null;
  ugc: string;
  /** Last action for this zone. */
  status: VtecAction;
  issue: Instant;
  /** When it was over for this zone. */
  expire: Instant;
  /** End as first planned; null where the archive has none. */
  plannedEnd: Instant | null;
  productIssue: Instant;
  updated: Instant;
  emergency: boolean;
  raw: RawRow;
}

/** One polygon of one event at one time: a row of the archive of storm-based warnings, or a watch of the Storm Prediction Center. */
export interface PolygonRow {
  kind: 'polygons' | 'watches';
  name: VtecName;
  year: number | null;
  status: VtecAction;
  sent: Instant;
  issue: Instant;
  /** End as this message planned it. */
  plannedEnd: Instant;
  expire: Instant;
  polygon: Shape;
  tags: ImpactTags;
  raw: RawRow;
}

/** One Special Weather Statement: no VTEC, so each names itself by its product. */
export interface StatementRow {
  kind: 'statements';
  productId: string;
  segment: string;
  office: string;
  issue: Instant;
  expire: Instant;
  ugcs: string[];
  polygon: Shape | null;
  tags: ImpactTags;
  raw: RawRow;
}

export type VtecRow = WarningRow | PolygonRow;
export type ArchiveRow = VtecRow | StatementRow;
