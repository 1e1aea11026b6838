import { createHmac } from 'node:crypto';
import { fakeClock } from '@nwms/testkit';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../platform/db/types.ts';
import { freshDatabase } from './auth-fixture.ts';
import { openSessionKeys, type SessionKeys } from './session-keys.ts';
import { createSessionTokens, type SessionTokens } from './session-token.ts';
import { createSecretRows } from './store-secrets.ts';

const NOW = Date.UTC(2026, 10, 21, 12);
const HOUR_MS = 3_600_000;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part ?? '', 'base64url').toString()) as Record<string, unknown>;

describe('session tokens', () => {
  const clock = fakeClock(NOW);
  let database: Database;
  let dispose: () => Promise<void>;
  let keys: SessionKeys;
  let tokens: SessionTokens;
  let good = '';
  beforeAll(async () => {
    ({ database, dispose } = await freshDatabase());
    keys = await openSessionKeys({ db: database.app, clock, secrets: createSecretRows() });
    tokens = createSessionTokens(keys);
    good = await tokens.sign({ sessionId: 'ses_a', userId: 'usr_a', expiresAt: NOW + HOUR_MS }, NOW);
  });
  afterAll(() => dispose());

  const codeOf = async (token: string, now = NOW) => {
    try {
      await tokens.verify(token, now);
      return 'accepted';
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  const resigned = (header: object, payload: object, secret: string | Uint8Array = keys.current().key) => {
    const text = `${encode(header)}.${encode(payload)}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };

  it('carry the session and the account, and nothing of what they may do', async () => {
    expect(await tokens.verify(good, NOW)).toEqual({ sessionId: 'ses_a', userId: 'usr_a', expiresAt: NOW + HOUR_MS });
    expect(Object.keys(decode(good.split('.')[1])).sort()).toEqual(['aud', 'exp', 'iat', 'iss', 'sid', 'sub']);
  });

  it('end to the second, without leeway: the clock is our own', async () => {
    expect(await codeOf(good, NOW + HOUR_MS - 1_000)).toBe('accepted');
    expect(await codeOf(good, NOW + HOUR_MS + 1_000)).toBe('auth.token_expired');
  });

  it('are refused in every one of 40 and more mutations', async () => {
    const [header, payload, signature = ''] = good.split('.');
    const [h, p] = [decode(header), decode(payload)];
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(signature.at(-1) ?? '');
    const flipped = Array.from({ length: 20 }, (_, i) => {
      const at = Math.floor((i * good.length) / 20);
      const turned = good[at] === 'A' ? 'B' : 'A';
      return good.slice(0, at) + turned + good.slice(at + 1);
    });
    const mutations = [
      ...flipped,
      ...[1, 2, 3].map((spare) => good.slice(0, -1) + (alphabet[last ^ spare] ?? '')),
      `${header}.${payload}.`,
      `${header}.${payload}`,
      `${header}..${signature}`,
      `.${payload}.${signature}`,
      `${good}.`,
      `${good}=`,
      ` ${good}`,
      good.slice(0, -1),
      good.slice(1),
      good.slice(0, 40),
      '',
      'a.b.c',
      `${encode({ ...h, alg: 'none' })}.${payload}.`,
      `${encode({ ...h, alg: 'none' })}.${payload}.${signature}`,
      resigned({ ...h, alg: 'HS512' }, p),
      resigned({ ...h, typ: 'JWT' }, p),
      resigned({ ...h, typ: undefined }, p),
      resigned({ ...h, kid: '2' }, p),
      resigned({ ...h, kid: '../1' }, p),
      resigned({ ...h, kid: undefined }, p),
      resigned(h, p, ''),
      resigned(h, p, 'secret'),
      resigned(h, { ...p, iss: 'other' }),
      resigned(h, { ...p, aud: 'other' }),
      resigned(h, { ...p, aud: undefined }),
      resigned(h, { ...p, sub: undefined }),
      resigned(h, { ...p, sid: undefined }),
      resigned(h, { ...p, sid: 7 }),
      resigned(h, { ...p, exp: undefined }),
      resigned(h, { ...p, exp: 'never' }),
      resigned(h, { ...p, exp: Math.floor(NOW / 1_000) - 1 }),
      resigned(h, { ...p, nbf: Math.floor(NOW / 1_000) + 600 }),
      resigned(h, { ...p, padding: 'x'.repeat(8_192) }),
      await new SignJWT(p).setProtectedHeader({ alg: 'HS256', typ: 'nwms-session+jwt', kid: '1' }).sign(new Uint8Array(32)),
    ];
    expect(mutations.length).toBeGreaterThanOrEqual(40);
    for (const mutation of mutations)
      expect(await codeOf(mutation), mutation.slice(0, 60)).toMatch(/^auth\.(invalid_token|token_expired)$/);
  });

  it('of the key before a rotation hold until they end, and no longer', async () => {
    await keys.rotate(true);
    expect(keys.current().kid).toBe('2');
    expect(await codeOf(good)).toBe('accepted');
    const after = await tokens.sign({ sessionId: 'ses_b', userId: 'usr_a', expiresAt: NOW + HOUR_MS }, NOW);
    expect(await codeOf(after)).toBe('accepted');
    await clock.advance(26 * HOUR_MS);
    expect(await codeOf(good)).toBe('auth.invalid_token');
    await keys.rotate();
    expect((await createSecretRows().all(database.app, 'session-signing')).map((row) => row.generation)).toEqual([2]);
  });

  it('of a key that another process made are known within a second', async () => {
    const elsewhere = await openSessionKeys({ db: database.app, clock, secrets: createSecretRows() });
    await elsewhere.rotate(true);
    const token = await createSessionTokens(elsewhere).sign(
      { sessionId: 'ses_c', userId: 'usr_a', expiresAt: clock.now() + HOUR_MS },
      clock.now(),
    );
    await clock.advance(1_000);
    expect(await codeOf(token, clock.now())).toBe('accepted');
  });
});
