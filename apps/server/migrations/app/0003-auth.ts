import type { Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Accounts, who they are elsewhere, their sessions, the claim of the first administrator, and what sign-ins must remember. */
export const auth: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('users')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('username_key', 'text', (column) => column.notNull().unique())
      .addColumn('email', 'text', (column) => column.notNull())
      .addColumn('email_key', 'text', (column) => column.notNull().unique())
      .addColumn('full_name', 'text')
      .addColumn('organization', 'text')
      // User name, e-mail and full name, folded: what the search of administrators looks in.
      .addColumn('search_text', 'text', (column) => column.notNull())
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('is_active', 'integer', (column) => column.notNull())
      .addColumn('special_access', 'integer', (column) => column.notNull())
      .addColumn('limit_minute', 'bigint', (column) => column.notNull())
      .addColumn('limit_day', 'bigint', (column) => column.notNull())
      .addColumn('limit_month', 'bigint', (column) => column.notNull())
      .addColumn('notes', 'text')
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text')
      .addColumn('email_verified', 'integer', (column) => column.notNull())
      .addColumn('must_change_password', 'integer', (column) => column.notNull())
      .addColumn('last_login_at', 'bigint')
      // Metered requests of all time: here, so that lists can be ordered by it.
      .addColumn('total_requests', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('version', 'integer', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('users_created').on('users').columns(['created_at', 'id']).execute();
    await db.schema
      .createTable('user_identities')
      .addColumn('issuer', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('user_identities_pk', ['issuer', 'subject'])
      .execute();
    await db.schema.createIndex('user_identities_user').on('user_identities').column('user_id').execute();
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('device', 'text', (column) => column.notNull())
      .addColumn('country_code', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
    await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute();
    // One row at most, for ever: it outlives the account that made it.
    await db.schema
      .createTable('admin_claim')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('claimed_at', 'bigint', (column) => column.notNull())
      .execute();
    // Hashes of ID tokens and nonces that were accepted, until they would be refused for their age.
    await db.schema
      .createTable('used_tokens')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute();
    await db.schema.createIndex('used_tokens_expiry').on('used_tokens').column('expires_at').execute();
    // Wrong passwords of one name from one address, both as keyed hashes.
    await db.schema
      .createTable('sign_in_failures')
      .addColumn('account', 'text', (column) => column.notNull())
      .addColumn('address', 'text', (column) => column.notNull())
      .addColumn('failures', 'integer', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addColumn('locked_until', 'bigint')
      .addPrimaryKeyConstraint('sign_in_failures_pk', ['account', 'address'])
      .execute();
    await db.schema.createIndex('sign_in_failures_last').on('sign_in_failures').column('last_at').execute();
    // Keys the server made for itself; several processes share them. The highest generation signs, earlier ones still verify for a while.
    await db.schema
      .createTable('secrets')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('generation', 'integer', (column) => column.notNull())
      .addColumn('value', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('secrets_pk', ['name', 'generation'])
      .execute();
  },
};
