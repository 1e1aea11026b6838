import { admin, ALL_ROUTES, settings as settingsContract, type RouteSpec } from '@nwms/contract';
import fc from 'fast-check';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boot, type Booted } from './boot.ts';
import { poll } from './child-server.ts';
import { conforms } from './conforms.ts';

interface Answer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read what they assert
  json: any;
}

let product: Booted;
let root = '';
let rootId = '';
beforeAll(async () => {
  product = await boot({ FEED: 'simulator' });
  await product.until('/health', (health) => health.status === 'healthy');
  const login = await signIn('Root', 'root@example.org');
  root = login.json.access_token;
  rootId = login.json.user.id;
}, 90_000);
afterAll(() => product.stop());

async function call(
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${product.url}/api/v1${path}`, {
    method,
    headers: {
      ...headers,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) };
}

/** Through the local identity provider, as a page does. */
async function signIn(name: string, email: string): Promise<Answer> {
  const { nonce } = (await call(null, 'GET', '/auth/config')).json;
  const { token } = (await call(null, 'POST', '/auth/local/token', { name, email, nonce })).json;
  return call(null, 'POST', '/auth/google', { token });
}

let serial = 0;
const PASSWORD = 'a long pass phrase';
/** An account with a password; answers it with a session of its own. */
async function member(fields: object = {}): Promise<{ id: string; token: string; username: string }> {
  serial += 1;
  const username = `member-${serial}`;
  const made = await call(root, 'POST', '/auth/admin/users', { username, email: `${username}@example.org`, password: PASSWORD, ...fields });
  expect(made.status, JSON.stringify(made.json)).toBe(201);
  const login = await call(null, 'POST', '/auth/login', { username, password: PASSWORD });
  expect(login.status, JSON.stringify(login.json)).toBe(200);
  return { id: made.json.id, token: login.json.access_token, username };
}
/** An administrator whose session stands on no password. */
async function administrator(): Promise<{ id: string; token: string }> {
  serial += 1;
  const { json } = await signIn('Ann', `administrator-${serial}@example.org`);
  expect((await call(root, 'PUT', `/auth/admin/users/${json.user.id}`, { role: 'admin' })).status).toBe(200);
  return { id: json.user.id, token: json.access_token };
}
const settingsTag = async () => (await call(root, 'GET', '/auth/admin/settings')).headers.get('etag') ?? '';
const save = async (change: object) => call(root, 'PUT', '/auth/admin/settings', change, { 'if-match': await settingsTag() });

describe('accounts', () => {
  it('API-04 API-05: creates, lists, finds, reads and deletes an account as documented', async () => {
    const { id, username } = await member({ full_name: 'Ann Łee', special_access: true, notes: 'vip' });
    const found = await call(root, 'GET', `/auth/admin/users?q=${encodeURIComponent('ann ł')}&role=user&is_active=true`);
    conforms(admin.UserList, found.json);
    expect(found.json).toMatchObject({
      total: 1,
      users: [{ id, username, special_access: true, notes: 'vip', must_change_password: true, key_count: 0 }],
    });
    const one = await call(root, 'GET', `/auth/admin/users/${id}`);
    conforms(admin.AdminUser, one.json);
    expect(one.headers.get('etag')).toBe(`"v${one.json.version}"`);
    expect(one.headers.get('cache-control')).toBe('private, no-store');
    expect((await call(root, 'DELETE', `/auth/admin/users/${id}`)).status).toBe(204);
    expect(await call(root, 'GET', `/auth/admin/users/${id}`)).toMatchObject({ status: 404, json: { error: 'user.not_found' } });
  });

  it('API-06, API-07: an account is made, changed and deleted with every field of the form', async () => {
    const fields = {
      email: 'grace@example.org',
      role: 'user',
      full_name: 'Grace Hopper',
      organization: 'Navy',
      api_rate_limit_per_minute: 7,
      api_daily_limit: 70,
      api_monthly_limit: 700,
      is_active: true,
      notes: 'made by a test',
    };
    const made = await call(root, 'POST', '/auth/admin/users', { username: 'grace', password: PASSWORD, ...fields });
    expect(made).toMatchObject({ status: 201, json: { username: 'grace', has_password: true, ...fields } });
    expect(made.json).not.toHaveProperty('password');
    const path = `/auth/admin/users/${made.json.id}`;
    expect(made.headers.get('location')).toBe(`/api/v1${path}`);
    const others = {
      username: 'amazing-grace',
      email: 'g.hopper@example.org',
      role: 'admin',
      full_name: 'Rear Admiral Hopper',
      organization: 'Harvard',
      api_rate_limit_per_minute: 8,
      api_daily_limit: 80,
      api_monthly_limit: 800,
      is_active: false,
      notes: 'changed by a test',
    };
    const changed = await call(root, 'PUT', path, { ...others, password: 'another pass phrase' });
    expect(changed).toMatchObject({ status: 200, json: others });
    expect((await call(root, 'GET', path)).json).toMatchObject(others);
    // What is not sent stays.
    expect((await call(root, 'PUT', path, { is_active: true })).json).toMatchObject({ ...others, is_active: true });
    const login = { username: 'amazing-grace', password: 'another pass phrase' };
    expect((await call(null, 'POST', '/auth/login', login)).status).toBe(200);
    expect((await call(root, 'DELETE', path)).status).toBe(204);
    expect((await call(root, 'DELETE', path)).json.error).toBe('user.not_found');
    expect((await call(null, 'POST', '/auth/login', login)).json.error).toBe('auth.invalid_credentials');
  });

  it('API-08: the connection test says who asks and how many accounts there are, to administrators alone', async () => {
    const { json } = await call(root, 'GET', '/auth/admin/status');
    conforms(admin.AdminStatus, json);
    const { total } = (await call(root, 'GET', '/auth/admin/users?limit=1')).json;
    expect(json).toMatchObject({
      status: 'ok',
      message: expect.stringMatching(/database answers/),
      current_admin: 'root',
      total_users_in_db: total,
    });
    const { token } = await member();
    expect(await call(token, 'GET', '/auth/admin/status')).toMatchObject({ status: 403, json: { error: 'access.admin_required' } });
    expect((await call(root, 'GET', '/auth/admin/status')).json.total_users_in_db).toBe(total + 1);
  });

  it('USER-12: limits default to the settings; names are unique after NFKC and lower-casing', async () => {
    const { username } = await member();
    const twin = username.replace('member', 'ＭＥＭＢＥＲ');
    const again = await call(root, 'POST', '/auth/admin/users', { username: twin, email: 'x1@example.org', password: PASSWORD });
    expect(again).toMatchObject({
      status: 409,
      json: { error: 'user.username_taken', fields: [{ name: 'username', reason: 'conflict' }] },
    });
    const mail = await call(root, 'POST', '/auth/admin/users', {
      username: 'fresh-name',
      email: `${username.toUpperCase()}@EXAMPLE.org`,
      password: PASSWORD,
    });
    expect(mail).toMatchObject({ status: 409, json: { error: 'user.email_taken', fields: [{ name: 'email' }] } });
    const { json } = await call(root, 'GET', `/auth/admin/users?q=${username}`);
    expect(json.users[0]).toMatchObject({ api_rate_limit_per_minute: 100, api_daily_limit: 10_000, api_monthly_limit: 100_000 });
  });

  it('pages through all accounts in each order, none twice', async () => {
    for (let n = 0; n < 3; n += 1) await member();
    for (const order of admin.USER_ORDERS) {
      const ids: string[] = [];
      for (let offset = 0; ; offset += 2) {
        const { json } = await call(root, 'GET', `/auth/admin/users?limit=2&offset=${offset}&order_by=${order}`);
        ids.push(...json.users.map((user: { id: string }) => user.id));
        if (!json.has_more) break;
      }
      const { json } = await call(root, 'GET', '/auth/admin/users?limit=100');
      expect(ids.length).toBe(json.total);
      expect(new Set(ids).size).toBe(ids.length);
    }
  }, 30_000);

  it('USER-13 F3: whoever is switched off is refused on the next request, while asking all the time', async () => {
    const victim = await member();
    const served: number[] = [];
    const over = new AbortController();
    const loop = (async () => {
      while (!over.signal.aborted) {
        const startedMs = performance.now();
        if ((await call(victim.token, 'GET', '/auth/me')).status === 200) served.push(startedMs);
      }
    })();
    while (served.length < 3) await call(root, 'GET', '/auth/admin/status');
    const off = await call(root, 'PUT', `/auth/admin/users/${victim.id}`, { is_active: false });
    const offMs = performance.now();
    expect(off.status).toBe(200);
    expect((await call(victim.token, 'GET', '/auth/me')).status).toBe(401);
    over.abort();
    await loop;
    expect(Math.max(...served)).toBeLessThan(offMs);
    expect((await call(null, 'POST', '/auth/login', { username: victim.username, password: PASSWORD })).status).toBe(401);
  }, 30_000);

  it('a demoted administrator keeps the session and loses the power', async () => {
    const other = await administrator();
    expect((await call(other.token, 'GET', '/auth/admin/status')).status).toBe(200);
    await call(root, 'PUT', `/auth/admin/users/${other.id}`, { role: 'user' });
    expect(await call(other.token, 'GET', '/auth/admin/status')).toMatchObject({ status: 403, json: { error: 'access.admin_required' } });
    expect((await call(other.token, 'GET', '/auth/me')).status).toBe(200);
  });

  it('a password set by an administrator ends the sessions opened with the old one', async () => {
    const user = await member();
    expect((await call(root, 'PUT', `/auth/admin/users/${user.id}`, { password: 'another pass phrase' })).status).toBe(200);
    expect((await call(user.token, 'GET', '/auth/me')).status).toBe(401);
    expect((await call(null, 'POST', '/auth/login', { username: user.username, password: 'another pass phrase' })).status).toBe(200);
  });

  it('R-44: nobody deletes, demotes or disables themselves, and the attempt is written down', async () => {
    for (const change of [{ role: 'user' }, { is_active: false }])
      expect(await call(root, 'PUT', `/auth/admin/users/${rootId}`, change)).toMatchObject({
        status: 409,
        json: { error: 'user.self_forbidden' },
      });
    expect(await call(root, 'DELETE', `/auth/admin/users/${rootId}`)).toMatchObject({
      status: 409,
      json: { error: 'user.self_forbidden' },
    });
    const { json } = await call(root, 'GET', `/auth/admin/audit?outcome=refused&target=${rootId}`);
    expect(json.entries.length).toBe(3);
  });

  it('R-44: two administrators who demote each other at once do not leave none', async () => {
    const others = [await administrator(), await administrator()];
    for (let trial = 0; trial < 5; trial += 1) {
      const [a, b] = others as [(typeof others)[0], (typeof others)[0]];
      // With root switched off for a moment these two are the only ones.
      expect((await call(a.token, 'PUT', `/auth/admin/users/${rootId}`, { is_active: false })).status).toBe(200);
      const answers = await Promise.all([
        call(a.token, 'PUT', `/auth/admin/users/${b.id}`, { role: 'user' }),
        call(b.token, 'PUT', `/auth/admin/users/${a.id}`, { role: 'user' }),
      ]);
      expect(answers.filter((answer) => answer.status === 200).length).toBe(1);
      const [winner, loser] = answers[0].status === 200 ? [a, b] : [b, a];
      await call(winner.token, 'PUT', `/auth/admin/users/${loser.id}`, { role: 'admin' });
      await call(winner.token, 'PUT', `/auth/admin/users/${rootId}`, { is_active: true });
    }
    root = (await signIn('Root', 'root@example.org')).json.access_token;
    expect((await call(root, 'GET', '/auth/admin/status')).status).toBe(200);
    for (const other of others) await call(root, 'DELETE', `/auth/admin/users/${other.id}`);
  }, 30_000);

  it('refuses a change of an older version, and what is no field', async () => {
    const { id } = await member();
    expect((await call(root, 'PUT', `/auth/admin/users/${id}`, { notes: 'a' }, { 'if-match': '"v9"' })).status).toBe(412);
    const tag = (await call(root, 'GET', `/auth/admin/users/${id}`)).headers.get('etag') ?? '';
    expect((await call(root, 'PUT', `/auth/admin/users/${id}`, { notes: 'a' }, { 'if-match': tag })).status).toBe(200);
    expect((await call(root, 'PUT', `/auth/admin/users/${id}`, { notes: 'b' }, { 'if-match': tag })).status).toBe(412);
    for (const body of [{ total_api_requests: 5 }, { id: 'usr_x' }, { password_hash: 'x' }, { version: 9 }])
      expect(await call(root, 'PUT', `/auth/admin/users/${id}`, body)).toMatchObject({
        status: 400,
        json: { error: 'request.unknown_field' },
      });
    for (const poison of ['{"__proto__":{"role":"admin"}}', '{"constructor":{"prototype":{"x":1}}}'])
      expect((await call(root, 'PUT', `/auth/admin/users/${id}`, poison)).status).toBe(400);
  });

  it('ADMN-04 ADMN-05 ADMN-06: the dashboard counts accounts and requests', async () => {
    const before = (await call(root, 'GET', '/auth/admin/dashboard')).json;
    conforms(admin.Dashboard, before);
    await call(null, 'GET', '/alerts?limit=1');
    await call(null, 'GET', '/no-such-thing');
    await call(root, 'GET', '/auth/me');
    await product.json('/health');
    // The dashboard's own request of before, and the three that count.
    const dashboard = async () => (await call(root, 'GET', '/auth/admin/dashboard')).json;
    const after = await poll(dashboard, (answer) => answer.total_api_requests_today >= before.total_api_requests_today + 4, 20_000);
    // The analytics say the same of the day: what was there before is in it, and it is in what is there after.
    const today = async () => (await call(root, 'GET', '/analytics/overview')).json.daily_trends.at(-1);
    const [first, between, last] = [await today(), await dashboard(), await today()];
    for (const kind of ['anonymous', 'key', 'session'] as const) {
      expect(between.requests_today_by_principal[kind]).toBeGreaterThanOrEqual(first.by_principal[kind]);
      expect(between.requests_today_by_principal[kind]).toBeLessThanOrEqual(last.by_principal[kind]);
    }
    expect((await call(root, 'GET', '/auth/me')).json.web_requests.today).toBeGreaterThan(0);
    expect(after.active_users_24h).toBeGreaterThan(0);
    const limits = (await call(root, 'GET', '/auth/admin/usage/limits')).json;
    conforms(admin.UsageLimits, limits);
    expect(limits.user_id).toBe(rootId);
    expect((await call(root, 'GET', '/auth/admin/status')).json).toMatchObject({
      status: 'ok',
      current_admin: 'root',
      total_users_in_db: after.total_users,
    });
  });
});

describe('health', () => {
  it('API-10: shows administrators more, and nobody else', async () => {
    const health = async (token: string | null) => (await call(token, 'GET', '/health')).json;
    expect((await health(root)).admin).toMatchObject({ database: 'sqlite', memory: { rss_bytes: expect.any(Number) } });
    const { token } = await member();
    for (const other of [null, token, 'not.a.token']) expect(await health(other)).not.toHaveProperty('admin');
  });
});

describe('settings', () => {
  it('R-05: saved values take effect at once', async () => {
    const origin = 'https://friend.example.org';
    const allowed = async () =>
      (await call(null, 'GET', '/alerts?limit=1', undefined, { origin })).headers.get('access-control-allow-origin');
    expect(await allowed()).toBeNull();
    const saved = await save({
      security: { cors_origins: [origin], password_min_length: 20 },
      system: { api_rate_limit_default: 7 },
      limits: { max_keys_per_user: 10 },
    });
    expect(saved.status).toBe(200);
    conforms(settingsContract.SavedSettings, saved.json);
    expect(saved.json.applied_now).toEqual(['system.api_rate_limit_default', 'security.password_min_length', 'security.cors_origins']);
    expect(await allowed()).toBe(origin);
    const short = await call(root, 'POST', '/auth/admin/users', { username: 'shorty', email: 's@example.org', password: PASSWORD });
    expect(short.json).toMatchObject({ error: 'user.weak_password', detail: 'Password must be at least 20 characters' });
    const made = await call(root, 'POST', '/auth/admin/users', { username: 'limited', email: 'l@example.org', google_only: true });
    expect(made.json.api_rate_limit_per_minute).toBe(7);
    expect((await save({ security: { cors_origins: [], password_min_length: 6 }, system: { api_rate_limit_default: 100 } })).status).toBe(
      200,
    );
    expect(await allowed()).toBeNull();
  });

  it('of two saves of one version one wins; without If-Match none', async () => {
    const tag = await settingsTag();
    const answers = await Promise.all(
      [20, 25].map((minutes) =>
        call(root, 'PUT', '/auth/admin/settings', { system: { lockout_duration_minutes: minutes } }, { 'if-match': tag }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412]);
    expect((await call(root, 'PUT', '/auth/admin/settings', {})).status).toBe(428);
    expect((await call(root, 'PUT', '/auth/admin/settings', {}, { 'if-match': `W/${await settingsTag()}` })).status).toBe(412);
  });

  it('test messages say what is missing', async () => {
    for (const channel of ['email', 'webhook'])
      expect(await call(root, 'POST', '/auth/admin/settings/test', { channel })).toMatchObject({
        status: 400,
        json: { error: 'settings.unsupported' },
      });
    for (const url of ['https://127.0.0.1/', 'https://[::ffff:10.0.0.1]/', 'http://example.org/', 'https://metadata.internal/'])
      expect(await save({ notifications: { webhook_url: url } })).toMatchObject({ status: 400, json: { error: 'settings.unsafe' } });
  });
});

describe('errors of pages', () => {
  it('ERR-03: are taken six times a minute, without what does not belong there', async () => {
    const report = {
      app_version: '1.0',
      errors: [
        { kind: 'boundary', message: 'no nws_secretkey12 for a@example.org', page: '/alerts?lat=1', at: '2026-11-21T10:00:00Z', count: 3 },
      ],
    };
    const statuses: number[] = [];
    for (let n = 0; n < 8; n += 1) statuses.push((await call(null, 'POST', '/client-errors', report)).status);
    expect(statuses).toEqual([202, 202, 202, 202, 202, 202, 429, 429]);
    const { json } = await call(root, 'GET', '/auth/admin/client-errors');
    expect(json.errors).toMatchObject([{ message: 'no [key] for [e-mail]', page: '/alerts', count: 18 }]);
  });
});

describe('any body', () => {
  const ROUTES = ALL_ROUTES.filter((spec) => ['admin', 'settings', 'client-errors'].includes(spec.area) && spec.body);
  const valueOf = (schema: TSchema & { enum?: unknown[]; properties?: Record<string, TSchema> }): fc.Arbitrary<unknown> => {
    const wild = fc.oneof(fc.jsonValue(), fc.constantFrom('', '\u0000', '\ud800', -1, 1e21, 0.5, 'x'.repeat(300), [], {}, null, true));
    if (schema.enum) return fc.oneof(fc.constantFrom(...schema.enum), wild);
    if (schema.properties) return fc.oneof({ weight: 3, arbitrary: bodyOf(schema.properties) }, { weight: 1, arbitrary: wild });
    return wild;
  };
  const bodyOf = (properties: Record<string, TSchema>): fc.Arbitrary<unknown> =>
    fc.record(Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, valueOf(inner)])), { requiredKeys: [] });

  it.each(ROUTES.map((spec) => [`${spec.method} ${spec.path}`, spec] as const))(
    '%s never answers 500',
    async (_name, spec: RouteSpec) => {
      const tag = await settingsTag();
      const path = spec.path.replace('{id}', rootId);
      await fc.assert(
        fc.asyncProperty(valueOf(spec.body as TSchema), async (body) => {
          const answer = await call(root, spec.method, path, JSON.stringify(body), { 'if-match': tag });
          expect(answer.status, JSON.stringify([body, answer.json])).toBeLessThan(500);
        }),
        { numRuns: process.env['NWMS_CHAOS'] === '1' ? 500 : 30 },
      );
    },
    60_000,
  );
});
