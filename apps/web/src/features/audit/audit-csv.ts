import type { AuditEntry } from '@nwms/contract';
import { csvOf } from '../../lib/csv.ts';
import { valueWords } from './audit-words.ts';

const COLUMNS = [
  'id',
  'at',
  'actor_type',
  'actor_id',
  'actor_name',
  'action',
  'target_type',
  'target_id',
  'target_label',
  'outcome',
  'reason',
  'changes',
  'request_id',
  'address_hash',
];

/** One row per entry; its changes in one cell, a line for each. Instants are ISO in UTC. */
export const auditCsv = (entries: readonly AuditEntry[]): string =>
  csvOf(
    COLUMNS,
    entries.map((entry) => [
      entry.id,
      entry.at,
      entry.actor.type,
      entry.actor.id,
      entry.actor.name,
      entry.action,
      entry.target?.type,
      entry.target?.id,
      entry.target?.label,
      entry.outcome,
      entry.reason,
      entry.changes.map(({ field, from, to }) => `${field}: ${valueWords(from)} -> ${valueWords(to)}`).join('\n'),
      entry.request_id,
      entry.address_hash,
    ]),
  );
