import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK, type JWTPayload } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AuthWorld, authWorld, CLIENT_ID, freshDatabase, type GoogleStandIn, googleStandIn } from './auth-fixture.ts';

const now = () => Math.floor(Date.now() / 1_000);
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('sign-in with Google', () => {
  let google: GoogleStandIn;
  let world: AuthWorld;
  let dispose: () => Promise<void>;
  let n = 0;
  /** From an address of its own, so that the throttle is not what refuses. */
  const enter = (token: string, more: object = {}) =>
    world.call('POST', '/auth/google', { body: { token, ...more }, address: `10.${(n += 1) >> 8}.${n & 255}.1` });
  const entered = async (claims: JWTPayload = {}) => enter(await google.token(claims));

  beforeAll(async () => {
    google = await googleStandIn();
    const fresh = await freshDatabase();
    dispose = fresh.dispose;
    world = await authWorld({ database: fresh.database, config: { googleClientId: CLIENT_ID, googleJwksUrl: google.url } });
  });
  afterAll(async () => {
    await world.close();
    await google.close();
    await dispose();
  });

  it('API-02, AUTH-06: answers an access token and the user', async () => {
    const { status, body } = await entered({ email: 'first@gmail.com', name: 'First' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      token_type: 'Bearer',
      is_new_user: true,
      claimed_admin: true,
      user: {
        username: 'first',
        email: 'first@gmail.com',
        full_name: 'First',
        role: 'admin',
        auth_provider: 'google',
        email_verified: true,
      },
    });
    const me = await world.call('GET', '/auth/me', { token: body.access_token });
    expect(me.body).toEqual(body.user);
  });

  it('accepts both spellings of the issuer as one, and knows a person by subject, not by address', async () => {
    const one = await entered({ iss: 'accounts.google.com', sub: 'same', email: 'one@gmail.com' });
    const other = await entered({ iss: 'https://accounts.google.com', sub: 'same', email: 'moved@gmail.com' });
    expect(other.body).toMatchObject({ is_new_user: false, user: { id: one.body.user.id, email: 'one@gmail.com' } });
  });

  it('gives the second of one name a number', async () => {
    const first = await entered({ email: 'kim@gmail.com' });
    const second = await entered({ email: 'kim@corp.example', hd: 'corp.example' });
    expect([first.body.user.username, second.body.user.username]).toEqual(['kim', 'kim-2']);
  });

  it('accepts a token once, however its last character is spelt', async () => {
    const token = await google.token();
    expect((await enter(token)).status).toBe(200);
    expect((await enter(token)).body.error).toBe('auth.google_rejected');
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(token.at(-1) ?? '');
    for (const spare of [1, 2, 3]) expect((await enter(token.slice(0, -1) + (alphabet[last ^ spare] ?? ''))).status).toBe(401);
  });

  it('accepts a nonce of ours once, and none of others', async () => {
    const { nonce } = (await world.call('GET', '/auth/config')).body;
    expect((await entered({ nonce })).status).toBe(200);
    expect((await entered({ nonce })).status).toBe(401);
    expect((await entered({ nonce: `${nonce}x` })).status).toBe(401);
    expect((await entered({ nonce: 'made-up' })).status).toBe(401);
  });

  const forged: [string, () => Promise<string>][] = [
    ['no algorithm', async () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(await claims())}.`],
    ['no algorithm with a signature', async () => `${encode({ alg: 'none', kid: 'key-1' })}.${encode(await claims())}.AAAA`],
    [
      'HS256 with the public key as secret (PEM)',
      async () => hs256(await exportSPKI((await importJWK(google.publicJwk, 'RS256', { extractable: true })) as never)),
    ],
    ['HS256 with the modulus as secret', async () => hs256(google.publicJwk.n ?? '')],
    ['HS256 with an empty secret', async () => hs256('')],
    ['another audience', () => google.token({ aud: 'somebody-else' })],
    ['several audiences, ours among them', () => google.token({ aud: [CLIENT_ID, 'somebody-else'] })],
    ['ours as the only one of a list', () => google.token({ aud: [CLIENT_ID] })],
    ['no audience', () => google.token({ aud: undefined } as never)],
    ['another issuer', () => google.token({ iss: 'https://accounts.google.com.evil.example' })],
    ['issuer with a slash', () => google.token({ iss: 'https://accounts.google.com/' })],
    ['issuer over http', () => google.token({ iss: 'http://accounts.google.com' })],
    ['no issuer', () => google.token({ iss: undefined } as never)],
    ['expired beyond the leeway', () => google.token({ iat: now() - 4_000, exp: now() - 62 })],
    ['no end', () => google.token({ exp: undefined } as never)],
    ['an end that is text', () => google.token({ exp: String(now() + 600) } as never)],
    ['not yet valid', () => google.token({ nbf: now() + 90 })],
    ['issued in the future', () => google.token({ iat: now() + 90 })],
    ['no issue time', () => google.token({ iat: undefined } as never)],
    ['unknown key id', () => google.token({}, { kid: 'unknown' })],
    ['no key id', () => google.token({}, { kid: undefined } as never)],
    ['key of another', async () => google.token({}, {}, (await otherKey()).privateKey)],
    [
      'key of another, its own key in the header',
      async () => {
        const { privateKey, publicJwk } = await otherKey();
        return google.token({}, { kid: undefined, jwk: publicJwk } as never, privateKey);
      },
    ],
    [
      'key of another, its address in the header',
      async () => google.token({}, { jku: 'https://evil.example/keys' }, (await otherKey()).privateKey),
    ],
    ['an unknown critical header', () => signedBy({ alg: 'RS256', kid: 'key-1', crit: ['x-odd'], 'x-odd': 1 })],
    ['no subject', () => google.token({ sub: undefined } as never)],
    ['an empty subject', () => google.token({ sub: '' })],
    ['no e-mail address', () => google.token({ email: undefined })],
    ['a nonce that is no text', () => google.token({ nonce: 7 })],
    [
      'changed claims',
      async () => {
        const [header, , signature] = (await google.token()).split('.');
        return `${header}.${encode({ ...(await claims()), sub: 'someone-else' })}.${signature}`;
      },
    ],
    ['a cut signature', async () => (await google.token()).slice(0, -20)],
    [
      'a signature with a changed byte',
      async () => {
        const token = await google.token();
        const at = token.length - 40;
        return token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
      },
    ],
    ['two parts', async () => (await google.token()).split('.').slice(0, 2).join('.')],
    ['five parts', async () => `${await google.token()}.AAAA.AAAA`],
    ['no token at all', async () => 'hello'],
  ];
  it.each(forged)('refuses a forged token: %s', async (_name, make) => {
    const { status, body } = await enter(await make());
    expect([status, body.error]).toEqual([401, 'auth.google_rejected']);
  });

  it('takes tokens within a minute of their times', async () => {
    expect((await entered({ iat: now() - 3_000, exp: now() - 30 })).status).toBe(200);
    expect((await entered({ nbf: now() + 30 })).status).toBe(200);
  });

  it('links to a prepared account only for a verified address whose mailbox Google keeps', async () => {
    const prepare = (email: string) =>
      world.auth.users.create({
        username: email.replaceAll(/[^a-z]/g, ''),
        email,
        fullName: null,
        organization: null,
        role: 'user',
        isActive: true,
        specialAccess: false,
        limits: { perMinute: 1, perDay: 1, perMonth: 1 },
        notes: null,
        provider: 'google',
        passwordHash: null,
        emailVerified: false,
        mustChangePassword: false,
      });
    const [gmail, hosted, foreign] = [
      await prepare('ready@gmail.com'),
      await prepare('ready@firm.example'),
      await prepare('ready@else.example'),
    ];
    expect((await entered({ email: 'ready@gmail.com', email_verified: false })).status).toBe(401);
    expect((await entered({ email: 'Ready@Gmail.com' })).body).toMatchObject({
      is_new_user: false,
      user: { id: gmail.id, email_verified: true },
    });
    expect((await entered({ email: 'ready@firm.example' })).status).toBe(401);
    expect((await entered({ email: 'ready@firm.example', hd: 'other.example' })).status).toBe(401);
    expect((await entered({ email: 'ready@firm.example', hd: 'firm.example' })).body.user.id).toBe(hosted.id);
    expect((await entered({ email: 'ready@else.example' })).status).toBe(401);
    // Linked accounts are not taken over by another subject with the same address.
    expect((await entered({ email: 'ready@gmail.com' })).status).toBe(401);
    expect((await world.auth.users.find(foreign.id))?.lastLoginAt).toBeNull();
  });

  it('makes no account for an address that nobody vouches for', async () => {
    expect((await entered({ email: 'who@gmail.com', email_verified: false })).body.error).toBe('auth.email_unverified');
    expect((await entered({ email: 'who@gmail.com', email_verified: 'true' })).body.error).toBe('auth.email_unverified');
  });

  it('looks for an unknown key at most once a minute, and finds a new one', async () => {
    const elsewhere = await googleStandIn();
    const fresh = await freshDatabase();
    let monotonicMs = 0;
    const clock = { now: Date.now, monotonicMs: () => monotonicMs, after: () => () => {} };
    const late = await authWorld({ database: fresh.database, clock, config: { googleClientId: CLIENT_ID, googleJwksUrl: elsewhere.url } });
    const tryKid = async (kid: string, key = elsewhere.privateKey) =>
      (await late.call('POST', '/auth/google', { body: { token: await elsewhere.token({}, { kid }, key) } })).status;
    expect(await tryKid('key-1')).toBe(200);
    const added = await elsewhere.addKey('key-2');
    for (let i = 0; i < 5; i += 1) expect(await tryKid(`guess-${i}`)).toBe(401);
    expect(elsewhere.requests).toBe(1);
    monotonicMs = 61_000;
    expect(await tryKid('key-2', added)).toBe(200);
    for (let i = 0; i < 5; i += 1) expect(await tryKid(`guess-${i}`)).toBe(401);
    expect(elsewhere.requests).toBe(2);
    await late.close();
    await elsewhere.close();
    await fresh.dispose();
  });

  it.each(['down', 'empty'] as const)('says 503, never 401, while the keys are %s, and recovers', async (mode) => {
    const elsewhere = await googleStandIn();
    elsewhere.mode = mode;
    const fresh = await freshDatabase();
    let monotonicMs = 0;
    const clock = { now: Date.now, monotonicMs: () => monotonicMs, after: () => () => {} };
    const away = await authWorld({ database: fresh.database, clock, config: { googleClientId: CLIENT_ID, googleJwksUrl: elsewhere.url } });
    const body = { token: await elsewhere.token() };
    const refused = await away.call('POST', '/auth/google', { body });
    expect([refused.status, refused.body.error]).toEqual([503, 'auth.provider_unavailable']);
    expect(refused.headers['retry-after']).toBe('5');
    elsewhere.mode = 'ok';
    monotonicMs = 3_000;
    expect((await away.call('POST', '/auth/google', { body })).status).toBe(200);
    await away.close();
    await elsewhere.close();
    await fresh.dispose();
  });

  async function claims() {
    return JSON.parse(Buffer.from((await google.token()).split('.')[1] ?? '', 'base64url').toString()) as object;
  }
  async function hs256(secret: string) {
    const text = `${encode({ alg: 'HS256', kid: 'key-1', typ: 'JWT' })}.${encode(await claims())}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  }
  async function signedBy(header: object) {
    const text = `${encode(header)}.${encode(await claims())}`;
    const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', google.privateKey, Buffer.from(text));
    return `${text}.${Buffer.from(signature).toString('base64url')}`;
  }
  async function otherKey() {
    const other = await googleStandIn();
    await other.close();
    return other;
  }
});
