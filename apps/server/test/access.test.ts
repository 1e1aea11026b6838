import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Access, ALL_ROUTES, type RouteSpec } from '@nwms/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot, type Booted } from './boot.ts';

/** Who may come, and how. */
const PRINCIPALS = [
  'anonymous',
  'made-up key',
  'key',
  'key of special user',
  'key of admin',
  'expired key',
  'deleted key',
  'replaced key',
  'switched-off key',
  'key of inactive user',
  'user',
  'special',
  'admin',
  'temporary password',
  'inactive user',
  'inactive admin',
  'ended session',
  'expired token',
  'forged token',
] as const;
type Who = (typeof PRINCIPALS)[number];
type Verdict = 'pass' | 401 | 403;

const REFUSED = {
  'made-up key': 401,
  'expired key': 401,
  'deleted key': 401,
  'replaced key': 401,
  'switched-off key': 401,
  'key of inactive user': 401,
  'inactive user': 401,
  'inactive admin': 401,
  'ended session': 401,
  'expired token': 401,
  'forged token': 401,
} as const;
const KEYS_PASS = { key: 'pass', 'key of special user': 'pass', 'key of admin': 'pass' } as const;
const NO_KEYS = { key: 403, 'key of special user': 403, 'key of admin': 403 } as const;
const EVERYBODY = Object.fromEntries(PRINCIPALS.map((who) => [who, 'pass'])) as Record<Who, Verdict>;
/** The whole policy: a level that is missing does not compile, and a route has exactly one level. */
const MATRIX: Record<Access, Record<Who, Verdict>> = {
  open: EVERYBODY,
  public: { ...EVERYBODY, ...REFUSED },
  'key-or-session': { anonymous: 401, user: 'pass', special: 'pass', admin: 'pass', 'temporary password': 403, ...KEYS_PASS, ...REFUSED },
  member: { anonymous: 401, user: 'pass', special: 'pass', admin: 'pass', 'temporary password': 403, ...NO_KEYS, ...REFUSED },
  special: { anonymous: 401, user: 'pass', special: 'pass', admin: 'pass', 'temporary password': 403, ...KEYS_PASS, key: 403, ...REFUSED },
  admin: { anonymous: 401, user: 403, special: 403, admin: 'pass', 'temporary password': 403, ...NO_KEYS, ...REFUSED },
};
/** Where somebody whose password an administrator chose may go all the same. */
const BEFORE_PASSWORD_CHANGE = ['getMe', 'changePassword', 'signOut'];
/** Levels that follow from the address alone: a slip in a route object shows here. First match holds. */
const BY_ADDRESS: [RegExp, readonly Access[]][] = [
  [/^\/(auth\/admin|analytics)(\/|$)/, ['admin']],
  [/^\/auth\/(config|google|login|local\/token)$/, ['open']],
  [/^\/(auth|api-keys|push|preferences)(\/|$)/, ['member']],
  [/breaking-news-ticker$/, ['open']],
  [/^\/(health|client-errors)(\/|$)|^\/alerts\/(types|map-base)$/, ['open']],
  [/^\/(alerts|playback)(\/|$)/, ['public']],
  [/^\/(ai|ai-insights|ml-weather)(\/|$)|^\/intelligence\/weather-insights\//, ['special', 'key-or-session', 'open']],
  [/^\/(intelligence|enhanced-weather|places|webhooks|geofences|mcp|limits)(\/|$)/, ['key-or-session']],
];
/** Codes of the gate itself; what a route says afterwards is its own matter. */
const GATE =
  /^(auth\.(missing|invalid_token|token_expired|session_ended|account_inactive|ambiguous)|key\.(invalid|expired|revoked|owner_inactive)$|access\.)/;

const isKey = (who: Who) => /\bkey\b/.test(who);

interface Session {
  token: string;
  userId: string;
}

let product: Booted;
let rows: DatabaseSync;
let made = 0;
const token = new Map<Who, string>();

async function send(method: string, path: string, bearer: string | null, body?: unknown): Promise<Response> {
  const answer = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer;
}
// oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
const post = async (path: string, body: unknown, bearer: string | null = null): Promise<any> =>
  (await send('POST', path, bearer, body)).json();
async function signIn(): Promise<Session> {
  made += 1;
  const { token: idToken } = await post('/auth/local/token', { name: 'Somebody', email: `somebody${made}@example.org` });
  const login = await post('/auth/google', { token: idToken });
  return { token: login.access_token, userId: login.user.id };
}
const set = (userId: string, change: string) => rows.prepare(`update users set ${change} where id = ?`).run(userId);

/** As after a sign-in with a password that an administrator chose. */
function makeTemporary(userId: string): void {
  set(userId, 'must_change_password = 1');
  rows.prepare(`update sessions set provider = 'password' where user_id = ?`).run(userId);
}

/** An account that exists for one request only: what it may do, it may do to itself. */
async function disposable(who: Who): Promise<string> {
  if (!['user', 'special', 'admin', 'temporary password'].includes(who)) return token.get(who) ?? '';
  const { token: own, userId } = await signIn();
  if (who === 'special') set(userId, 'special_access = 1');
  if (who === 'admin') set(userId, `role = 'admin'`);
  if (who === 'temporary password') makeTemporary(userId);
  return own;
}

async function ask(spec: RouteSpec, who: Who, method: string = spec.method): Promise<{ status: number; code: string | null }> {
  const path = spec.path.replaceAll(/\{(\w+)\}/g, '1');
  const secret = method === 'GET' || method === 'HEAD' ? (token.get(who) ?? '') : await disposable(who);
  const gone = new AbortController();
  const answer = await fetch(`${product.url}${spec.root === 'only' ? '' : '/api/v1'}${path}`, {
    method,
    signal: gone.signal,
    headers: {
      ...(who === 'anonymous' ? {} : isKey(who) ? { 'x-api-key': secret } : { authorization: `Bearer ${secret}` }),
      ...(spec.body ? { 'content-type': 'application/json' } : {}),
    },
    // Never a good body: who gets past the gate changes nothing.
    ...(spec.body ? { body: '{"not":"accepted"}' } : {}),
  });
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') && method !== 'HEAD';
  const code = isProblem ? ((await answer.json()) as { error: string }).error : null;
  // Streams do not end by themselves.
  gone.abort();
  return { status: answer.status, code };
}

/** What the gate did; where it let somebody pass, anything but a fault is the route's own matter. */
function verdictOf({ status, code }: { status: number; code: string | null }, spec: RouteSpec): Verdict | string {
  if (GATE.test(code ?? '')) return status as Verdict;
  // A health that is 503 in a body of its own form is an answer.
  if (status === 503 && code === null && spec.path.endsWith('/health')) return 'pass';
  if (status >= 500) return `fault ${status} ${code}`;
  return code === 'route.not_found' && spec.operation !== 'createLocalToken' ? 'not mounted' : 'pass';
}

beforeAll(async () => {
  product = await boot({ FEED: 'simulator' });
  rows = new DatabaseSync(join(product.dataDir, 'simulator-1-1x', 'app.db'), { timeout: 5_000 });
  await product.until('/alerts/stats', (stats) => stats.total > 20);
  // The first one in is the administrator; the rest are what the database makes of them.
  const admin = await signIn();
  const kinds: [Who, string][] = [
    ['user', 'role = role'],
    ['special', 'special_access = 1'],
    ['temporary password', 'role = role'],
    ['inactive user', 'is_active = 0'],
    ['inactive admin', `role = 'admin', is_active = 0`],
    ['ended session', 'role = role'],
  ];
  token.set('admin', admin.token);
  for (const [who, change] of kinds) {
    const session = await signIn();
    set(session.userId, change);
    if (who === 'temporary password') makeTemporary(session.userId);
    token.set(who, session.token);
  }
  rows.exec(`delete from sessions where id = '${claimsOf(token.get('ended session') ?? '')['sid']}'`);
  const { value } = rows.prepare(`select value from secrets where name = 'session-signing'`).get() as { value: string };
  const own = Buffer.from(value, 'base64url');
  const past = Math.floor(Date.now() / 1_000) - 5;
  token.set('expired token', resigned(admin.token, { iat: past - 60, exp: past }, own));
  token.set('forged token', resigned(admin.token, {}, Buffer.alloc(32)));
  token.set('made-up key', `nws_${'a'.repeat(49)}`);
  await makeKeys(admin);
}, 90_000);

/** Limits of its own no account has here: what a key may do is not what this is about. */
async function makeKeys(admin: Session): Promise<void> {
  const member = await signIn();
  const special = await signIn();
  const inactive = await signIn();
  set(special.userId, 'special_access = 1');
  for (const { userId } of [member, special, inactive, admin])
    set(userId, 'limit_minute = 10000, limit_day = 1000000, limit_month = 1000000');
  const issue = async (who: Who, owner: Session) => {
    const limits = { rate_limit_per_minute: 10_000, daily_limit: 1_000_000, monthly_limit: 1_000_000 };
    const issued = await post('/api-keys', { description: who, ...limits }, owner.token);
    token.set(who, issued.api_key);
    return issued.id as string;
  };
  await issue('key', member);
  await issue('key of special user', special);
  await issue('key of admin', admin);
  await issue('key of inactive user', inactive);
  set(inactive.userId, 'is_active = 0');
  rows.prepare('update api_keys set expires_at = 1 where id = ?').run(await issue('expired key', member));
  await send('DELETE', `/api-keys/${await issue('deleted key', member)}`, member.token);
  await post(`/api-keys/${await issue('replaced key', member)}/refresh`, {}, member.token);
  await send('PATCH', `/api-keys/${await issue('switched-off key', member)}`, member.token, { is_active: false });
}
afterAll(async () => {
  rows?.close();
  await product.stop();
});

const claimsOf = (jwt: string) => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
function resigned(jwt: string, change: object, key: Buffer): string {
  const text = `${jwt.split('.')[0]}.${Buffer.from(JSON.stringify({ ...claimsOf(jwt), ...change })).toString('base64url')}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

describe('ROLE-06, F5: every route asks who comes, by its declared level', () => {
  it('a route has the level its address stands for', () => {
    for (const spec of ALL_ROUTES) {
      const rule = BY_ADDRESS.find(([pattern]) => pattern.test(spec.path));
      expect(rule, `${spec.path} is in no group: decide who may call it`).toBeDefined();
      expect(rule?.[1], spec.path).toContain(spec.access);
    }
  });

  it.each(ALL_ROUTES.map((spec) => [`${spec.method} ${spec.path} (${spec.access})`, spec] as const))(
    '%s',
    { timeout: 60_000 },
    async (_name, spec) => {
      const found: Record<string, Verdict | string> = {};
      const wanted: Record<string, Verdict | string> = {};
      for (const who of PRINCIPALS) {
        const isLetThrough = who === 'temporary password' && BEFORE_PASSWORD_CHANGE.includes(spec.operation);
        const verdict = isLetThrough ? 'pass' : MATRIX[spec.access][who];
        wanted[who] = verdict;
        found[who] = verdictOf(await ask(spec, who), spec);
        if (spec.method !== 'GET' || verdict === 'pass') continue;
        wanted[`HEAD by ${who}`] = verdict;
        found[`HEAD by ${who}`] = (await ask(spec, who, 'HEAD')).status as Verdict;
      }
      expect(found).toEqual(wanted);
    },
  );

  it('refusals say which: the code names what is wrong with the credential', async () => {
    const me = ALL_ROUTES.find((spec) => spec.operation === 'getMe')!;
    const codes = Object.fromEntries(await Promise.all(PRINCIPALS.map(async (who) => [who, (await ask(me, who)).code])));
    expect(codes).toEqual({
      anonymous: 'auth.missing',
      'made-up key': 'key.invalid',
      key: 'access.session_required',
      'key of special user': 'access.session_required',
      'key of admin': 'access.session_required',
      'expired key': 'key.expired',
      'deleted key': 'key.revoked',
      'replaced key': 'key.revoked',
      'switched-off key': 'key.revoked',
      'key of inactive user': 'key.owner_inactive',
      user: null,
      special: null,
      admin: null,
      'temporary password': null,
      'inactive user': 'auth.account_inactive',
      'inactive admin': 'auth.account_inactive',
      'ended session': 'auth.session_ended',
      'expired token': 'auth.token_expired',
      'forged token': 'auth.invalid_token',
    });
  });

  it('two different credentials are refused, the same one twice is one, and other schemes are none of ours', async () => {
    const get = async (headers: Record<string, string>) => {
      const answer = await fetch(`${product.url}/api/v1/alerts?limit=1`, { headers });
      return [answer.status, ((await answer.json()) as { error?: string }).error ?? null];
    };
    const key = token.get('made-up key') ?? '';
    const good = token.get('key') ?? '';
    const bearer = `Bearer ${token.get('user')}`;
    expect(await get({ authorization: bearer })).toEqual([200, null]);
    expect(await get({ authorization: bearer, 'x-api-key': key })).toEqual([400, 'auth.ambiguous']);
    expect(await get({ authorization: `Bearer ${key}`, 'x-api-key': key })).toEqual([401, 'key.invalid']);
    expect(await get({ authorization: `Bearer ${good}`, 'x-api-key': good })).toEqual([200, null]);
    expect(await get({ authorization: `Bearer ${good}` })).toEqual([200, null]);
    expect(await get({ authorization: `bearer ${token.get('user')}` })).toEqual([200, null]);
    for (const authorization of ['Basic dTpw', 'Bearer', 'Bearer ', 'Bearer a b', bearer.slice(7)])
      expect((await get({ authorization }))[0], authorization).toBe(401);
    expect(await get({ 'x-api-key': token.get('user') ?? '' })).toEqual([401, 'key.invalid']);
  });

  it("somebody else's object is not found, and stays", async () => {
    const owner = await signIn();
    const other = await signIn();
    const list = async (bearer: string) =>
      (
        (await (await fetch(`${product.url}/api/v1/auth/sessions`, { headers: { authorization: `Bearer ${bearer}` } })).json()) as {
          sessions: { id: string }[];
        }
      ).sessions;
    const [session] = await list(owner.token);
    const answer = await fetch(`${product.url}/api/v1/auth/sessions/${session?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${other.token}` },
    });
    expect(answer.status).toBe(404);
    expect(await list(owner.token)).toHaveLength(1);
    const { id, api_key: secret } = await post('/api-keys', { description: 'mine' }, owner.token);
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/usage', undefined],
      ['PATCH', '', { description: 'yours' }],
      ['POST', '/refresh', {}],
      ['DELETE', '', undefined],
    ] as const)
      await expect(send(method, `/api-keys/${id}${path}`, other.token, body)).rejects.toThrow('key.not_found');
    expect((await send('GET', '/limits', secret)).status).toBe(200);
  });

  it('a member cannot give themselves what administrators give', async () => {
    const { token: own } = await signIn();
    for (const member of ['role', 'special_access', 'is_active', 'api_daily_limit', 'notes', 'total_api_requests', 'id']) {
      const answer = await fetch(`${product.url}/api/v1/auth/me`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
        body: JSON.stringify({ full_name: 'New', [member]: member === 'role' ? 'admin' : true }),
      });
      expect([member, answer.status, ((await answer.json()) as { error: string }).error]).toEqual([member, 400, 'request.unknown_field']);
    }
  });

  it('F10: a body of another type is refused before anything is read of it, and cookies say nothing', async () => {
    const { token: own } = await signIn();
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/json',
      'application/json2',
    ]) {
      for (const path of ['/auth/google', '/auth/login', '/auth/local/token']) {
        const answer = await fetch(`${product.url}/api/v1${path}`, {
          method: 'POST',
          headers: { 'content-type': type },
          body: '{"name":"A","email":"a@b.example"}',
        });
        expect([type, path, answer.status]).toEqual([type, path, 415]);
      }
    }
    for (const cookie of [`auth_token=${own}`, `Authorization=Bearer ${own}`, `token=${own}`]) {
      const answer = await fetch(`${product.url}/api/v1/auth/me`, { headers: { cookie } });
      expect(answer.status).toBe(401);
      await answer.body?.cancel();
    }
  });

  it('F10: no GET changes what is kept', async () => {
    const count = () =>
      ['users', 'sessions', 'secrets', 'used_tokens', 'admin_claim'].map((table) =>
        rows.prepare(`select count(*) as n from ${table}`).get(),
      );
    const before = count();
    for (const spec of ALL_ROUTES.filter((one) => one.method === 'GET')) await ask(spec, 'admin');
    expect(count()).toEqual(before);
  });
});
