import type { Instant } from '@nwms/domain';
import { sql } from 'kysely';
import type { Part } from '../../platform/db/types.ts';
import type { AuthTables } from './tables.ts';

export interface Failures {
  failures: number;
  lastAt: Instant;
  lockedUntil: Instant | null;
}

/** What sign-ins must remember: who somebody is elsewhere, the first administrator's claim, what was used once, wrong passwords. */
export function createSignInRows() {
  const tables = (db: Part) => db.withTables<AuthTables>();
  return {
    async findIdentity(db: Part, issuer: string, subject: string): Promise<string | null> {
      const query = tables(db).selectFrom('user_identities').select('user_id').where('issuer', '=', issuer).where('subject', '=', subject);
      return (await query.executeTakeFirst())?.user_id ?? null;
    },
    async hasIdentity(db: Part, userId: string): Promise<boolean> {
      return Boolean(await tables(db).selectFrom('user_identities').select('subject').where('user_id', '=', userId).executeTakeFirst());
    },
    /** False when somebody else has it already; the transaction stays usable. */
    async insertIdentity(db: Part, identity: { issuer: string; subject: string; userId: string; at: Instant }): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await tables(db)
        .insertInto('user_identities')
        .values({ issuer: identity.issuer, subject: identity.subject, user_id: identity.userId, created_at: identity.at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },
    async isClaimed(db: Part): Promise<boolean> {
      return Boolean(await tables(db).selectFrom('admin_claim').select('id').executeTakeFirst());
    },
    /**
     * True for exactly one caller, ever. A second one waits here for the first's transaction, so that both cannot believe to be the
     * first; counting administrators instead makes one of every parallel sign-in.
     */
    async claim(db: Part, userId: string, at: Instant): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await tables(db)
        .insertInto('admin_claim')
        .values({ id: 1, user_id: userId, claimed_at: at })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },
    /** True the first time. */
    async useOnce(db: Part, hash: string, expiresAt: Instant): Promise<boolean> {
      const { numInsertedOrUpdatedRows = 0n } = await tables(db)
        .insertInto('used_tokens')
        .values({ hash, expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirstOrThrow();
      return numInsertedOrUpdatedRows > 0n;
    },
    async failuresOf(db: Part, account: string, address: string): Promise<Failures | null> {
      const row = await tables(db)
        .selectFrom('sign_in_failures')
        .selectAll()
        .where('account', '=', account)
        .where('address', '=', address)
        .executeTakeFirst();
      return row ? { failures: row.failures, lastAt: row.last_at, lockedUntil: row.locked_until } : null;
    },
    /** Counts one more in one statement: parallel ones are all counted. What failed before `forgetBefore`, or led to a lock that is over, is forgotten. */
    async addFailure(
      db: Part,
      pair: { account: string; address: string },
      at: Instant,
      rules: { max: number; lockMs: number },
    ): Promise<void> {
      const isOld = sql<boolean>`(sign_in_failures.last_at < ${at - rules.lockMs} or coalesce(sign_in_failures.locked_until, ${at + 1}) <= ${at})`;
      const failures = sql<number>`case when ${isOld} then 1 else sign_in_failures.failures + 1 end`;
      const lockedUntil = sql<number | null>`case when (${failures}) >= ${rules.max} then ${sql.lit(at + rules.lockMs)} else null end`;
      await tables(db)
        .insertInto('sign_in_failures')
        .values({ ...pair, failures: 1, last_at: at, locked_until: rules.max <= 1 ? at + rules.lockMs : null })
        .onConflict((conflict) =>
          conflict.columns(['account', 'address']).doUpdateSet({ failures, last_at: at, locked_until: lockedUntil }),
        )
        .execute();
    },
    async forgetFailures(db: Part, account: string, address: string | null): Promise<void> {
      const query = tables(db).deleteFrom('sign_in_failures').where('account', '=', account);
      await (address === null ? query : query.where('address', '=', address)).execute();
    },
    /** Latest end of a lock of each of these accounts that lasts beyond `now`. */
    async locks(db: Part, accounts: readonly string[], now: Instant): Promise<Map<string, Instant>> {
      if (accounts.length === 0) return new Map();
      const rows = await tables(db)
        .selectFrom('sign_in_failures')
        .select(['account', sql<number>`max(locked_until)`.as('until')])
        .where('account', 'in', [...accounts])
        .where('locked_until', '>', now)
        .groupBy('account')
        .execute();
      return new Map(rows.map((row) => [row.account, Number(row.until)]));
    },
    /** Removes what no longer decides anything. */
    async removeOld(db: Part, now: Instant, failuresBefore: Instant): Promise<void> {
      await tables(db).deleteFrom('used_tokens').where('expires_at', '<', now).execute();
      await tables(db)
        .deleteFrom('sign_in_failures')
        .where('last_at', '<', failuresBefore)
        .where((of) => of.or([of('locked_until', 'is', null), of('locked_until', '<', now)]))
        .execute();
    },
  };
}

export type SignInRows = ReturnType<typeof createSignInRows>;
