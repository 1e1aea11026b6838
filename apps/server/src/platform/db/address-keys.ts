import { randomBytes } from 'node:crypto';
import type { Part } from './types.ts';

// A type, not an interface: only types have the index signature that the table map asks for.
type KeyTables = { address_keys: { period: number; secret: string } };

/**
 * The key of a 90-day period, made on first use and shared by all processes. Keys older than the last period are destroyed (`period` may be
 * the coming one), so that old hashes cannot be tried against the few billion addresses there are.
 */
export async function addressKey(app: Part, period: number): Promise<Buffer> {
  const db = app.withTables<KeyTables>();
  await db
    .insertInto('address_keys')
    .values({ period, secret: randomBytes(32).toString('base64url') })
    .onConflict((conflict) => conflict.column('period').doNothing())
    .execute();
  await db
    .deleteFrom('address_keys')
    .where('period', '<', period - 2)
    .execute();
  const { secret } = await db.selectFrom('address_keys').select('secret').where('period', '=', period).executeTakeFirstOrThrow();
  return Buffer.from(secret, 'base64url');
}
