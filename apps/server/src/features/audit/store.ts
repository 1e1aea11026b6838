import { sql } from 'kysely';
import { databaseFault } from '../../platform/db/faults.ts';
import type { Part } from '../../platform/db/types.ts';
import type { AuditChange, AuditRow, AuditStore } from './types.ts';

interface AuditColumns {
  id: string;
  at: number;
  actor_type: string;
  actor_id: string | null;
  actor_name: string;
  actor_name_folded: string;
  action: string;
  target_type: string | null;
  target_id: string | null;
  target_label: string | null;
  target_label_folded: string | null;
  outcome: string;
  reason: string | null;
  request_id: string | null;
  address_hash: string | null;
  changes: string;
}

// A type, not an interface: only types have the index signature that the table map asks for.
type AuditTables = { audit: AuditColumns };

/** Entries of the `app` part. Throws `AppError` where the database is away or full. */
export function createAuditStore(app: Part): AuditStore {
  return {
    async append(row, transaction) {
      await told(
        (transaction ?? app)
          .withTables<AuditTables>()
          .insertInto('audit')
          .values({
            id: row.id,
            at: row.at,
            actor_type: row.actor.type,
            actor_id: row.actor.id,
            actor_name: row.actor.name,
            actor_name_folded: row.actor.name.toLowerCase(),
            action: row.action,
            target_type: row.target?.type ?? null,
            target_id: row.target?.id ?? null,
            target_label: row.target?.label ?? null,
            target_label_folded: row.target?.label?.toLowerCase() ?? null,
            outcome: row.outcome,
            reason: row.reason,
            request_id: row.requestId,
            address_hash: row.addressHash,
            changes: JSON.stringify(row.changes),
          })
          .execute(),
      );
    },
    async list(filter, position, limit) {
      if (filter.actions?.length === 0) return [];
      let query = app.withTables<AuditTables>().selectFrom('audit').selectAll();
      const { from, to, actor, actions, target, outcome } = filter;
      if (from !== undefined) query = query.where('at', '>=', from);
      if (to !== undefined) query = query.where('at', '<', to);
      if (outcome !== undefined) query = query.where('outcome', '=', outcome);
      if (actions) query = query.where('action', 'in', actions);
      if (actor !== undefined)
        query = query.where((where) => where.or([where('actor_id', '=', actor), where('actor_name_folded', '=', actor.toLowerCase())]));
      if (target !== undefined)
        query = query.where((where) =>
          where.or([
            where('target_id', '=', target),
            where('target_type', '=', target),
            where('target_label_folded', '=', target.toLowerCase()),
          ]),
        );
      if (position)
        query = query.where((where) =>
          where.or([where('at', '<', position.at), where.and([where('at', '=', position.at), where('id', '<', position.id)])]),
        );
      const rows = await told(query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute());
      return rows.map(rowOf);
    },
    async expire(before, limit) {
      const db = app.withTables<AuditTables>();
      const old = db.selectFrom('audit').select('id').where('at', '<', before).limit(sql.lit(limit));
      const { numDeletedRows } = await told(db.deleteFrom('audit').where('id', 'in', old).executeTakeFirstOrThrow());
      return Number(numDeletedRows);
    },
  };
}

async function told<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw databaseFault(error);
  }
}

function rowOf(row: AuditColumns): AuditRow {
  return {
    id: row.id,
    at: Number(row.at),
    actor: { type: row.actor_type as AuditRow['actor']['type'], id: row.actor_id, name: row.actor_name },
    action: row.action,
    target: row.target_type === null ? null : { type: row.target_type, id: row.target_id, label: row.target_label },
    outcome: row.outcome as AuditRow['outcome'],
    reason: row.reason,
    requestId: row.request_id,
    addressHash: row.address_hash,
    changes: JSON.parse(row.changes) as AuditChange[],
  };
}
