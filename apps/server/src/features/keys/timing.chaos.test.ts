import { testEngines } from '@nwms/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../migrations/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { systemClock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/db/open.ts';
import type { Database } from '../../platform/db/types.ts';
import { createKnownKeys } from './known-keys.ts';
import { hashOf, makeSecret, shownPrefix, withCheck } from './secret.ts';
import { createKeyRows } from './store.ts';

/** F6: of both kinds together. */
const SAMPLES = 20_000;
/** Beyond it two means differ, with certainty enough for a leak (as in the tests of constant-time code). */
const MOST_T = 4.5;

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
function welch(a: readonly number[], b: readonly number[]): number {
  const spread = (values: readonly number[], middle: number) =>
    values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
  const [ma, mb] = [mean(a), mean(b)];
  return (ma - mb) / Math.sqrt(spread(a, ma) / a.length + spread(b, mb) / b.length);
}
/** Pauses of the machine are in both alike; without the slowest twentieth they do not hide what is looked for. */
const trimmed = (values: readonly number[]) => [...values].sort((a, b) => a - b).slice(0, Math.floor(values.length * 0.95));

const [sqlite] = await testEngines();
describe.skipIf(process.env['NWMS_CHAOS'] !== '1')('F6: the time a wrong key takes', () => {
  let db: Database;
  let dispose: () => Promise<void>;
  beforeAll(async () => {
    const place = await sqlite!.place();
    dispose = place.dispose;
    db = await openDatabase(place.config, { migrations: MIGRATIONS });
  });
  afterAll(async () => {
    await db.close();
    await dispose();
  });

  it('does not tell how near it is to a real one', { timeout: 600_000 }, async () => {
    const rows = createKeyRows(db.engine);
    const secret = makeSecret();
    const now = Date.now();
    const limits = { perMinute: 60, perDay: 1_000, perMonth: 1_000 };
    await rows.insert(
      db.app,
      {
        id: 'key_1',
        userId: 'usr_1',
        description: '',
        isActive: true,
        limits,
        createdAt: now,
        updatedAt: now,
        expiresAt: null,
        lastUsedAt: null,
        lastCountry: null,
        lastAgent: null,
        totalRequests: 0,
        version: 1,
      },
      { hash: hashOf(secret), keyId: 'key_1', prefix: shownPrefix(secret), createdAt: now, endsAt: null },
    );
    const users = { findAll: async () => [] };
    const known = createKnownKeys({ database: db, clock: systemClock, rows, users, shared: false });
    const identify = async (text: string) => known.identify(text, '');
    const tries = {
      /** All of the real one but its last four characters. */
      near: () => withCheck(secret.slice(0, 43) + makeSecret().slice(43, 47)),
      far: () => makeSecret(),
    };
    const times = { near: [] as number[], far: [] as number[] };
    for (let n = 0; n < SAMPLES + 2_000; n += 1) {
      const kind = Math.random() < 0.5 ? 'near' : 'far';
      const wrong = tries[kind]();
      const from = process.hrtime.bigint();
      const error: unknown = await identify(wrong).catch((refusal: unknown) => refusal);
      const tookNs = Number(process.hrtime.bigint() - from);
      if (!(error instanceof AppError) || error.code !== 'key.invalid') throw new Error(`not refused: ${String(error)}`);
      // The first ones compile the code.
      if (n >= 2_000) times[kind].push(tookNs);
    }
    const t = welch(trimmed(times.near), trimmed(times.far));
    console.log(`wrong keys, near and far: ${Math.round(mean(times.near))} and ${Math.round(mean(times.far))} ns, t = ${t.toFixed(2)}`);
    expect(Math.abs(t)).toBeLessThan(MOST_T);
  });
});
