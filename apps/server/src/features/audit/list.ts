import { audit as contract, type AuditList, type QueryOf } from '@nwms/contract';
import { parseInstant } from '../../platform/http/instant.ts';
import { decodeKeyset, encodeKeyset } from '../../platform/http/keyset-cursor.ts';
import type { AuditFilter, AuditRow, AuditStore } from './types.ts';

type AuditQuery = QueryOf<typeof contract.listAudit>;

const DEFAULT_LIMIT = 50;

/** One page, newest first. @throws AppError request.invalid, query.cursor_invalid, query.cursor_mismatch */
export async function listEntries(store: AuditStore, query: AuditQuery): Promise<AuditList> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const position = query.cursor === undefined ? null : decodeKeyset(query.cursor, query);
  const rows = await store.list(filterOf(query), position, limit + 1);
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { entries: page.map(present), next_cursor: rows.length > limit && last ? encodeKeyset(last, query) : null };
}

function filterOf(query: AuditQuery): AuditFilter {
  return {
    ...(query.from === undefined ? {} : { from: parseInstant('from', query.from) }),
    ...(query.to === undefined ? {} : { to: parseInstant('to', query.to) }),
    ...(query.actor === undefined ? {} : { actor: plain(query.actor) }),
    ...(query.target === undefined ? {} : { target: plain(query.target) }),
    ...(query.outcome === undefined ? {} : { outcome: query.outcome }),
    actions: query.action === undefined ? null : actionsOf(query.action),
  };
}

/** `user.*` is every action of that area; anything unknown matches nothing. */
function actionsOf(text: string): readonly string[] {
  const wanted = text.toLowerCase();
  if (!wanted.endsWith('.*')) return contract.AUDIT_ACTIONS.filter((action) => action === wanted);
  return contract.AUDIT_ACTIONS.filter((action) => action.startsWith(wanted.slice(0, -1)));
}

/** No stored text has a NUL, and PostgreSQL refuses the question. */
const plain = (text: string) => text.toWellFormed().replaceAll('\u0000', '\uFFFD');

function present(row: AuditRow): AuditList['entries'][number] {
  return {
    id: row.id,
    at: new Date(row.at).toISOString(),
    actor: row.actor,
    action: row.action,
    target: row.target,
    outcome: row.outcome,
    reason: row.reason,
    request_id: row.requestId,
    address_hash: row.addressHash,
    changes: [...row.changes],
  };
}
