import type * as crypto from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { boot, type Booted } from './boot.ts';
import { type Answer, type Callers, callersOf } from './callers.ts';
import { poll } from './child-server.ts';

const LOGINS = 200;
/** What the product promises (F9): two hashes at once, 32 wait. */
const AT_ONCE = 2;
const WAITING = 32;

/** Looks at every hash that is computed; with `held` it keeps what was computed until the test lets go. */
const hashing = vi.hoisted(() => ({ calls: 0, running: 0, most: 0, loopTurned: 0, held: null as (() => void)[] | null }));
vi.mock('node:crypto', async (original) => {
  const real = await original<typeof crypto>();
  const scrypt = (password: string, salt: Buffer, bytes: number, options: object, done: (error: Error | null, key: Buffer) => void) => {
    hashing.calls += 1;
    hashing.running += 1;
    hashing.most = Math.max(hashing.most, hashing.running);
    let turned = 0;
    setImmediate(() => (turned = 1));
    real.scrypt(password, salt, bytes, options, (error, key) => {
      hashing.loopTurned += turned;
      const tell = () => {
        hashing.running -= 1;
        done(error, key);
      };
      if (hashing.held) hashing.held.push(tell);
      else tell();
    });
  };
  return { ...real, scrypt };
});

let product: Booted;
let callers: Callers;
let admin = '';
beforeAll(async () => {
  // 16 MiB and some 40 ms each: long enough that the event loop turns meanwhile, whatever else runs.
  product = await boot({ FEED: 'simulator' }, { passwordCostLog2: 14 });
  await product.until('/alerts?limit=1', (answer) => answer.total > 20);
  callers = callersOf(product.url);
  admin = await callers.signIn('admin@example.org');
}, 90_000);
afterAll(() => product.stop());
beforeEach(() => Object.assign(hashing, { calls: 0, running: 0, most: 0, loopTurned: 0 }));

const wrongLogin = (n: number) => callers.call('POST', '/auth/login', { body: { username: `nobody-${n}`, password: 'wrong' } });
const withCode = (answers: readonly Answer[], status: number, code: string) =>
  answers.filter((answer) => answer.status === status && answer.json.error === code);

describe('F9: two hundred wrong passwords at once', () => {
  it('from a trusted address: two are hashed, 32 wait, the rest is told to come back, and everything else is answered', async () => {
    await callers.save(admin, { security: { trusted_ips: ['127.0.0.1', '::1'] } });
    hashing.held = [];
    const answers: Answer[] = [];
    const all = Promise.all(
      Array.from({ length: LOGINS }, async (_, n) => {
        answers.push(await wrongLogin(n));
      }),
    );
    try {
      await poll(
        async () => answers.length,
        (n) => n >= LOGINS - AT_ONCE - WAITING,
        9_000,
      );
      expect(hashing.running).toBe(AT_ONCE);
      expect((await product.json('/alerts?limit=1')).alerts).toHaveLength(1);
      expect((await callers.call('GET', '/auth/me', { token: admin })).status).toBe(200);
      expect(hashing.running).toBe(AT_ONCE);
    } finally {
      const held = hashing.held;
      hashing.held = null;
      for (const tell of held) tell();
      await all;
    }
    expect(withCode(answers, 401, 'auth.invalid_credentials')).toHaveLength(AT_ONCE + WAITING);
    const refused = withCode(answers, 503, 'server.overloaded');
    expect(refused).toHaveLength(LOGINS - AT_ONCE - WAITING);
    expect(new Set(refused.map((answer) => answer.headers.get('retry-after')))).toEqual(new Set(['5']));
    expect(hashing).toMatchObject({ calls: AT_ONCE + WAITING, most: AT_ONCE, running: 0 });
  }, 30_000);

  it('are hashed off the thread that answers: it turns while a hash is computed', async () => {
    expect((await wrongLogin(LOGINS)).status).toBe(401);
    expect(hashing).toMatchObject({ calls: 1, loopTurned: 1 });
  });

  it('from any other address: twenty are looked at, the rest is told to wait', async () => {
    await callers.save(admin, { security: { trusted_ips: [] } });
    const answers = await Promise.all(Array.from({ length: LOGINS }, (_, n) => wrongLogin(n)));
    expect(withCode(answers, 401, 'auth.invalid_credentials')).toHaveLength(20);
    expect(withCode(answers, 429, 'auth.too_many_attempts')).toHaveLength(LOGINS - 20);
    expect(hashing.calls).toBe(20);
  }, 30_000);
});
