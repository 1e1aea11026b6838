import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Part } from '../../platform/db/types.ts';
import { createSecretRows } from './store-secrets.ts';

const BYTES = 32;

/** A key of this installation by name and generation: made at the first call anywhere, the same for all processes after it. */
export async function openSecret({ db, clock }: { db: Part; clock: Clock }, name: string, generation: number): Promise<Buffer> {
  const secrets = createSecretRows();
  const find = async () => (await secrets.all(db, name)).find((row) => row.generation === generation);
  if (!(await find())) {
    await secrets.insert(db, name, { generation, value: randomBytes(BYTES).toString('base64url'), createdAt: clock.now() });
  }
  const kept = await find();
  if (!kept) throw new Error(`the key ${name} was written and is not there`);
  return Buffer.from(kept.value, 'base64url');
}
