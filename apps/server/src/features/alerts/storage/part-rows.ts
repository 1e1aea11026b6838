import type { AlertMessage } from '@nwms/domain';
import type { SqlValue } from '../../../platform/db/bulk.ts';
import { partsInForce } from './parts-in-force.ts';
import type { Known } from './rows.ts';
import { EMPTY_SPAN, spanClassOf } from './spans.ts';
import { FOREVER } from './tables.ts';

/** What filters of a timeline ask of a version, as its message said it: ranks and families are looked up when asked, so that a new table of types holds for the past too. */
export interface PartSubject {
  event: string;
  eventCode: string | null;
  office: string | null;
  status: AlertMessage['status'];
  isTest: boolean;
  source: AlertMessage['source'];
  severity: AlertMessage['severity'];
  /** Impact tags that are words: what ranks are raised by. */
  tags: Partial<AlertMessage['tags']>;
}

/** `severity` stands in a column of its own. */
export type StoredSubject = Omit<PartSubject, 'severity'>;

export function partSubjectOf(state: Known['state'], own: AlertMessage): PartSubject {
  const { event, eventCode, status, isTest, source, severity } = own;
  const tags = Object.fromEntries(Object.entries(own.tags).filter(([, value]) => typeof value === 'string'));
  return { event, eventCode, office: own.office ?? state.office, status, isTest, source, severity, tags };
}

/**
 * Rows of `known_parts` for one revision: the parts of the time in which it says "in force" by the domain's rule, cut where a newer one replaced it. One
 * that was replaced before it began keeps its row, in a class that is never asked for: writing and filling make the same rows.
 */
export function partRows(revision: { eventId: string; seq: number; version: number }, known: Known, own: AlertMessage): SqlValue[][] {
  const { severity, ...subject } = partSubjectOf(known.state, own);
  const text = JSON.stringify(subject satisfies StoredSubject);
  return partsInForce(known.state, known.from, FOREVER).map((part) => {
    const shownUntil = Math.min(part.until, known.until);
    return [
      revision.seq,
      part.from,
      shownUntil,
      shownUntil > part.from ? spanClassOf(part.from, shownUntil) : EMPTY_SPAN,
      revision.eventId,
      revision.version,
      known.from,
      known.until,
      own.sent,
      severity,
      Number(known.state.countable),
      text,
    ];
  });
}
