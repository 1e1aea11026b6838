import { randomBytes } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Part } from '../../platform/db/types.ts';
import type { SecretRow, SecretRows } from './store-secrets.ts';

const NAME = 'session-signing';
/** HS256 wants a key at least as long as its hash. */
const KEY_BYTES = 32;
const DAY_MS = 86_400_000;
/** A key signs this long. */
const ROTATE_AFTER_MS = 90 * DAY_MS;
/** Sessions last 24 h at most; an hour more for clocks. After that no token of an old key can be good. */
const KEPT_AFTER_MS = DAY_MS + 3_600_000;
/** A key id nobody knows makes a look into the database, at most this often: ids are the caller's to choose. */
const LOOK_EVERY_MS = 1_000;

export interface SigningKey {
  kid: string;
  key: Uint8Array;
}

/** Keys of session tokens, made at the first start and shared by all processes through the database. */
export interface SessionKeys {
  current(): SigningKey;
  /** Null: no such key, or its time is over. */
  find(kid: string): Promise<Uint8Array | null>;
  /** Makes a new key when the present one is old (or `now`), and removes those whose tokens have all ended. */
  rotate(now?: boolean): Promise<void>;
}

export async function openSessionKeys(deps: { db: Part; clock: Clock; secrets: SecretRows }): Promise<SessionKeys> {
  const { db, clock, secrets } = deps;
  let known: SecretRow[] = [];
  let lookedMs = clock.monotonicMs();
  const reload = async () => {
    lookedMs = clock.monotonicMs();
    known = await secrets.all(db, NAME);
  };
  const make = async (generation: number) => {
    await secrets.insert(db, NAME, { generation, value: randomBytes(KEY_BYTES).toString('base64url'), createdAt: clock.now() });
    await reload();
  };
  await reload();
  if (known.length === 0) await make(1);

  const bytes = (row: SecretRow) => new Uint8Array(Buffer.from(row.value, 'base64url'));
  /** An earlier key holds until the last token it can have signed is over. */
  const holds = (row: SecretRow) => {
    const next = known.findLast((other) => other.generation > row.generation);
    return next === undefined || clock.now() < next.createdAt + KEPT_AFTER_MS;
  };
  return {
    current() {
      const newest = known[0] as SecretRow;
      return { kid: String(newest.generation), key: bytes(newest) };
    },
    async find(kid) {
      const look = () => known.find((row) => String(row.generation) === kid && holds(row));
      if (!look() && clock.monotonicMs() - lookedMs >= LOOK_EVERY_MS) await reload();
      const row = look();
      return row ? bytes(row) : null;
    },
    async rotate(now = false) {
      await reload();
      const newest = known[0];
      if (!newest) return make(1);
      if (now || clock.now() - newest.createdAt >= ROTATE_AFTER_MS) await make(newest.generation + 1);
      const oldestThatHolds = known.filter(holds).at(-1);
      if (oldestThatHolds) await secrets.removeBelow(db, NAME, oldestThatHolds.generation);
    },
  };
}
