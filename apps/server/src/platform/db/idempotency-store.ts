import type { Instant } from '@nwms/domain';
import { databaseFault } from './faults.ts';
import type { Part } from './types.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type IdempotencyTables = { idempotency: { scope: string; body_hash: string; answer: string; created_at: number } };

export interface KeptAnswer {
  bodyHash: string;
  /** JSON of what was answered, without secrets. */
  answer: string;
}

export interface IdempotencyStore {
  /** Kept at or after `since`; null = none. */
  find(scope: string, since: Instant): Promise<KeptAnswer | null>;
  /** Keeps an answer in the transaction of its effect; false = another request kept one for this scope first. */
  keep(transaction: Part, scope: string, kept: KeptAnswer, now: Instant, since: Instant): Promise<boolean>;
  expire(before: Instant): Promise<void>;
}

export function createIdempotencyStore(app: Part): IdempotencyStore {
  const db = app.withTables<IdempotencyTables>();
  return {
    async find(scope, since) {
      try {
        const row = await db
          .selectFrom('idempotency')
          .select(['body_hash', 'answer'])
          .where('scope', '=', scope)
          .where('created_at', '>=', since)
          .executeTakeFirst();
        return row ? { bodyHash: row.body_hash, answer: row.answer } : null;
      } catch (error) {
        throw databaseFault(error);
      }
    },
    async keep(transaction, scope, kept, now, since) {
      const inside = transaction.withTables<IdempotencyTables>();
      await inside.deleteFrom('idempotency').where('scope', '=', scope).where('created_at', '<', since).execute();
      const { numInsertedOrUpdatedRows } = await inside
        .insertInto('idempotency')
        .values({ scope, body_hash: kept.bodyHash, answer: kept.answer, created_at: now })
        .onConflict((conflict) => conflict.column('scope').doNothing())
        .executeTakeFirst();
      return Number(numInsertedOrUpdatedRows ?? 0) === 1;
    },
    async expire(before) {
      await db.deleteFrom('idempotency').where('created_at', '<', before).execute();
    },
  };
}
