import { testEngines, type TestPlace } from '@nwms/testkit';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { boot, type Booted } from './boot.ts';
import { type Callers, callersOf } from './callers.ts';
import { poll } from './child-server.ts';

/** What must have happened "within a second" on a machine that others use too. */
const WITHIN_MS = 1_500;
const PASSWORD = 'a quite unusual sentence';

describe.each((await testEngines()).filter((engine) => engine.skip === null))('API keys on $name', (engine) => {
  let place: TestPlace;
  let one: Booted;
  /** Another process on the same database, where there can be one. */
  let two: Booted;
  let here: Callers;
  let there: Callers;
  let admin: string;
  const dirs: string[] = [];
  let made = 0;

  const start = () => {
    const dir = mkdtempSync(join(tmpdir(), 'nwms-keys-'));
    dirs.push(dir);
    const env: Record<string, string> = place.config.kind === 'postgres' ? { DATABASE_URL: place.config.url } : {};
    return boot({ FEED: 'simulator', ...env }, { dataDir: dir });
  };
  beforeAll(async () => {
    place = await engine.place();
    one = await start();
    two = engine.name === 'postgres' ? await start() : one;
    here = callersOf(one.url);
    there = callersOf(two.url);
    admin = await here.signIn('admin@example.org');
    for (const product of [one, two]) await product.until('/alerts/stats', (stats) => stats.total > 5);
  }, 120_000);
  afterAll(async () => {
    await one.stop();
    if (two !== one) await two.stop();
    await place.dispose();
    for (const dir of dirs) rmSync(dir, { recursive: true, force: true });
  });

  const member = () => here.signIn(`member-${(made += 1)}@example.org`);
  const issue = async (token: string, body: object = { description: 'a key' }, headers: Record<string, string> = {}) => {
    const answer = await here.call('POST', '/api-keys', { token, body, headers });
    expect([answer.status, answer.json.detail]).toEqual([201, undefined]);
    return answer;
  };
  const limitsBy = async (callers: Callers, key: string) => {
    const { status, json } = await callers.call('GET', '/limits', { headers: { 'x-api-key': key } });
    return status === 200 ? 200 : json.error;
  };
  /** Every text the database holds about keys and repeated answers. */
  const dump = async (): Promise<string> => {
    const tables = ['api_keys', 'api_key_secrets', 'idempotency', 'audit'];
    if (place.config.kind === 'postgres') {
      const client = new Client({ connectionString: place.config.url });
      await client.connect();
      const rows = [];
      for (const table of tables) rows.push((await client.query(`select * from app.${table}`)).rows);
      await client.end();
      return JSON.stringify(rows);
    }
    const db = new DatabaseSync(join(one.dataDir, 'simulator-1-1x', 'app.db'), { readOnly: true, timeout: 5_000 });
    const rows = tables.map((table) => db.prepare(`select * from ${table}`).all());
    db.close();
    return JSON.stringify(rows);
  };

  it('API-47 KEY-04 KEY-09: a new key is told once, works everywhere, and has the default limits', async () => {
    const token = await member();
    const { json: issued, headers } = await issue(token, { description: '  for a script  ' });
    expect(issued).toMatchObject({
      description: 'for a script',
      is_active: true,
      status: 'active',
      expires_at: null,
      last_used_at: null,
      last_used_from: null,
      total_requests: 0,
      previous: null,
      rate_limit_per_minute: 60,
      daily_limit: 10_000,
      monthly_limit: 100_000,
      effective_limits: { per_minute: 60, per_day: 10_000, per_month: 100_000 },
      current_usage: { this_minute: 0, today: 0, this_month: 0 },
      version: 1,
    });
    expect(issued.api_key).toMatch(/^nws_[0-9A-Za-z]{49}$/);
    expect(issued.key_prefix).toBe(issued.api_key.slice(0, 12));
    expect([headers.get('location'), headers.get('cache-control'), headers.get('etag')]).toEqual([
      `/api/v1/api-keys/${issued.id}`,
      'private, no-store',
      '"v1"',
    ]);
    expect([await limitsBy(here, issued.api_key), await limitsBy(there, issued.api_key)]).toEqual([200, 200]);
    const shown = await here.call('GET', `/api-keys/${issued.id}`, { token });
    expect(shown.json).not.toHaveProperty('api_key');
    expect(await dump()).not.toContain(issued.api_key.slice(4, 53));
  });

  it('API-46 KEY-02: the list holds the own keys, newest first, with their use', async () => {
    const token = await member();
    const first = (await issue(token, { description: 'first', expires_in_days: 7 })).json;
    const second = (await issue(token, { description: 'second' })).json;
    for (let n = 0; n < 3; n += 1)
      await there.call('GET', '/alerts?limit=1', { headers: { 'x-api-key': first.api_key, 'user-agent': 'script/1' } });
    const { json, headers } = await there.call('GET', '/api-keys', { token });
    expect(json.map((key: { description: string }) => key.description)).toEqual(['second', 'first']);
    expect(headers.get('nwms-total-count')).toBe('2');
    expect(json[1]).toMatchObject({
      id: first.id,
      key_prefix: first.key_prefix,
      total_requests: 3,
      current_usage: { today: 3, this_month: 3 },
      last_used_from: { country_code: null, agent: 'script' },
    });
    expect(Date.now() - Date.parse(json[1].last_used_at)).toBeLessThan(60_000);
    expect(Date.parse(json[1].expires_at) - Date.parse(json[1].created_at)).toBe(7 * 86_400_000);
    expect(json[0].id).toBe(second.id);
    const usage = (await there.call('GET', `/api-keys/${first.id}/usage?minutes=5`, { token })).json;
    expect(usage.per_minute).toHaveLength(5);
    expect(usage.per_minute.reduce((sum: number, row: { allowed: number }) => sum + row.allowed, 0)).toBe(3);
    expect(usage.by_endpoint).toEqual([{ endpoint: 'GET /alerts', requests: 3 }]);
    expect(usage.windows.map((window: { scope: string; name: string }) => `${window.scope} ${window.name}`)).toEqual([
      'key minute',
      'key day',
      'key month',
      'account minute',
      'account day',
      'account month',
    ]);
  });

  it('KEY-03: refuses what no key can be made of, and says why', async () => {
    const token = await member();
    const refused = async (body: object) => {
      const { status, json } = await here.call('POST', '/api-keys', { token, body });
      return [status, json.error, json.detail];
    };
    for (const description of ['', '   ', '\n\t'])
      expect(await refused({ description })).toEqual([400, 'request.invalid', 'Please enter a description for the API key.']);
    expect((await refused({ description: 'x'.repeat(201) }))[0]).toBe(400);
    expect((await refused({ description: 'x', expires_in_days: 0 }))[0]).toBe(400);
    expect((await refused({ description: 'x', expires_in_days: 3_651 }))[0]).toBe(400);
    expect((await refused({ description: 'x', owner: 'me' }))[1]).toBe('request.unknown_field');
    expect(await refused({ description: 'x', rate_limit_per_minute: 101 })).toEqual([
      400,
      'key.limit_above_account',
      'rate_limit_per_minute must not be above the limit of your account, 100.',
    ]);
    expect((await here.call('GET', '/api-keys', { token })).json).toEqual([]);
  });

  it('B6: of many equal requests with one Idempotency-Key one makes a key, and its secret is repeated to nobody', async () => {
    const token = await member();
    const headers = { 'idempotency-key': `once-${engine.name}-1` };
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        (n % 2 ? here : there).call('POST', '/api-keys', { token, body: { description: 'once' }, headers }),
      ),
    );
    const secrets = answers.filter((answer) => answer.json.api_key);
    expect(secrets).toHaveLength(1);
    for (const answer of answers) expect([201, 409]).toContain(answer.status);
    const again = await here.call('POST', '/api-keys', { token, body: { description: 'once' }, headers });
    expect([again.status, again.json.api_key, again.json.id, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      null,
      secrets[0]?.json.id,
      'true',
    ]);
    expect((await here.call('POST', '/api-keys', { token, body: { description: 'other' }, headers })).json.error).toBe(
      'idempotency.mismatch',
    );
    expect((await here.call('GET', '/api-keys', { token })).json).toHaveLength(1);
    expect(await dump()).not.toContain(secrets[0]?.json.api_key.slice(4, 53));
  });

  it('nobody passes the most keys an account may have, however many ask at once', async () => {
    const token = await member();
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) => (n % 2 ? here : there).call('POST', '/api-keys', { token, body: { description: `k${n}` } })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(10);
    expect(new Set(answers.filter((answer) => answer.status !== 201).map((answer) => answer.json.error))).toEqual(
      new Set(['key.limit_reached']),
    );
  });

  it('KEY-05 F6: when the answer with a new secret is out, the old one is dead in every process', async () => {
    const token = await member();
    const { json: issued } = await issue(token, { description: 'to be renewed', rate_limit_per_minute: 100 });
    for (const callers of [here, there]) expect(await limitsBy(callers, issued.api_key)).toBe(200);
    // In use all the while, on both.
    const refresh = { isAnswered: false };
    const late: unknown[] = [];
    const user = async (callers: Callers) => {
      while (!refresh.isAnswered) await limitsBy(callers, issued.api_key);
      for (let n = 0; n < 25; n += 1) late.push(await limitsBy(callers, issued.api_key));
    };
    const users = [user(here), user(there)];
    const refreshed = await here.call('POST', `/api-keys/${issued.id}/refresh`, { token, body: {} });
    refresh.isAnswered = true;
    await Promise.all(users);
    expect([...new Set(late)]).toEqual(['key.revoked']);
    expect(refreshed.json).toMatchObject({ id: issued.id, version: 2, previous: null });
    expect(refreshed.json.api_key).not.toBe(issued.api_key);
    for (const callers of [here, there]) expect(await limitsBy(callers, refreshed.json.api_key)).toBe(200);
  });

  it('KEY-05: an overlap keeps the old secret for its time, and a second refresh ends it', async () => {
    const token = await member();
    const { json: first } = await issue(token);
    const refresh = async (overlap_seconds: number) =>
      (await here.call('POST', `/api-keys/${first.id}/refresh`, { token, body: { overlap_seconds } })).json;
    const second = await refresh(3_600);
    expect(second.previous.key_prefix).toBe(first.key_prefix);
    expect(Math.abs(Date.parse(second.previous.valid_until) - Date.now() - 3_600_000)).toBeLessThan(30_000);
    expect([await limitsBy(there, first.api_key), await limitsBy(there, second.api_key)]).toEqual([200, 200]);
    const third = await refresh(60);
    expect([await limitsBy(there, first.api_key), await limitsBy(there, second.api_key), await limitsBy(there, third.api_key)]).toEqual([
      'key.revoked',
      200,
      200,
    ]);
    const short = await refresh(1);
    const deadline = performance.now() + 10_000;
    while ((await limitsBy(there, third.api_key)) === 200 && performance.now() < deadline)
      await new Promise((next) => setTimeout(next, 50));
    expect([await limitsBy(there, third.api_key), await limitsBy(there, short.api_key)]).toEqual(['key.revoked', 200]);
    expect((await here.call('POST', `/api-keys/${first.id}/refresh`, { token, body: { overlap_seconds: 86_401 } })).status).toBe(400);
  });

  it('LV31 KEY-05: connections end with the secret they came with, in every process, and others of the key stay', async () => {
    const token = await member();
    const { json: first } = await issue(token);
    const refresh = async (overlap_seconds: number) =>
      (await here.call('POST', `/api-keys/${first.id}/refresh`, { token, body: { overlap_seconds } })).json;
    /** Resolves with its close code. */
    const open = async (callers: Callers, key: string) => {
      const url = callers === here ? one.url : two.url;
      const socket = new WebSocket(`${url.replace('http', 'ws')}/ws/alerts`, { headers: { 'x-api-key': key } });
      const state = { code: 0 };
      socket.once('close', (code) => (state.code = code));
      await new Promise((opened, failed) => socket.once('message', opened).once('error', failed));
      return state;
    };
    const codes = async (states: { code: number }[], count: number) => {
      const deadline = performance.now() + 10_000;
      while (states.filter(({ code }) => code > 0).length < count && performance.now() < deadline)
        await new Promise((next) => setTimeout(next, 20));
      return states.map(({ code }) => code);
    };
    const old = [await open(here, first.api_key), await open(there, first.api_key)];
    const second = await refresh(3_600);
    const own = [await open(here, second.api_key), await open(there, second.api_key)];
    expect(await codes([...old, ...own], 0)).toEqual([0, 0, 0, 0]);
    // The first secret's hour is cut short by another refresh, the second one has a second left.
    const third = await refresh(1);
    const newest = [await open(here, third.api_key), await open(there, third.api_key)];
    expect(await codes([...old, ...own, ...newest], 4)).toEqual([4401, 4401, 4401, 4401, 0, 0]);
    await refresh(0);
    expect(await codes(newest, 2)).toEqual([4401, 4401]);
  });

  it('a change of limits, switching off and deleting count at once in every process', async () => {
    const token = await member();
    const { json: issued } = await issue(token);
    const patch = (body: object, headers: Record<string, string> = {}) =>
      here.call('PATCH', `/api-keys/${issued.id}`, { token, body, headers });
    expect((await patch({ description: ' renamed ', rate_limit_per_minute: 20 }, { 'if-match': '"v1"' })).json).toMatchObject({
      description: 'renamed',
      version: 2,
      effective_limits: { per_minute: 20 },
    });
    expect((await patch({ description: 'late' }, { 'if-match': '"v1"' })).status).toBe(412);
    expect((await patch({ daily_limit: 10_001 })).json.error).toBe('key.limit_above_account');
    const { headers } = await there.call('GET', '/alerts?limit=1', { headers: { 'x-api-key': issued.api_key } });
    expect(headers.get('ratelimit-policy')).toContain('"minute";q=20;w=60');
    expect((await patch({ is_active: false })).json).toMatchObject({ is_active: false, status: 'inactive' });
    expect([await limitsBy(here, issued.api_key), await limitsBy(there, issued.api_key)]).toEqual(['key.revoked', 'key.revoked']);
    await patch({ is_active: true });
    expect(await limitsBy(there, issued.api_key)).toBe(200);
    expect((await here.call('DELETE', `/api-keys/${issued.id}`, { token })).status).toBe(204);
    expect([await limitsBy(here, issued.api_key), await limitsBy(there, issued.api_key)]).toEqual(['key.revoked', 'key.revoked']);
    expect((await here.call('DELETE', `/api-keys/${issued.id}`, { token })).json.error).toBe('key.not_found');
    const { json } = await here.call('GET', `/auth/admin/audit?target=${issued.id}`, { token: admin });
    expect(json.entries.map((entry: { action: string }) => entry.action)).toEqual([
      'key.deleted',
      'key.updated',
      'key.updated',
      'key.updated',
      'key.created',
    ]);
  });

  it('R-44: switching an owner off or deleting them ends their keys and connections within a second, everywhere', async () => {
    const id = await here.addAccount(admin, `owner-${engine.name}`, PASSWORD);
    await here.call('PUT', `/auth/admin/users/${id}`, { token: admin, body: { google_only: true } });
    const token = await here.signIn(`owner-${engine.name}@example.org`).catch(() => null);
    const owner = token ?? (await member());
    const userId = (await here.call('GET', '/auth/me', { token: owner })).json.id as string;
    const { json: issued } = await issue(owner);
    const socket = new WebSocket(`${two.url.replace('http', 'ws')}/ws/alerts`, { headers: { 'x-api-key': issued.api_key } });
    const closed = new Promise<number>((done) => socket.once('close', (code) => done(code)));
    await new Promise((opened, failed) => socket.once('message', opened).once('error', failed));
    const refusedAfter = async (code: string) => {
      const from = performance.now();
      while ((await limitsBy(there, issued.api_key)) !== code && performance.now() - from < 10_000)
        await new Promise((next) => setTimeout(next, 20));
      expect(await limitsBy(there, issued.api_key)).toBe(code);
      expect(performance.now() - from).toBeLessThan(WITHIN_MS);
    };
    await here.call('PUT', `/auth/admin/users/${userId}`, { token: admin, body: { is_active: false } });
    await refusedAfter('key.owner_inactive');
    expect(await closed).toBe(4401);
    expect((await here.call('GET', `/auth/admin/users/${userId}`, { token: admin })).json.key_count).toBe(1);
    await here.call('PUT', `/auth/admin/users/${userId}`, { token: admin, body: { is_active: true } });
    await here.call('DELETE', `/auth/admin/users/${userId}`, { token: admin });
    await refusedAfter('key.revoked');
  });

  it.each([60, 100])('F7: calls to all processes at once never pass a limit of %d a day, and use it', async (limit) => {
    const token = await member();
    const { json: issued } = await issue(token, { description: 'shared', rate_limit_per_minute: 100, daily_limit: limit });
    const ask = (n: number) => (n % 2 ? here : there).call('GET', '/alerts?limit=1', { headers: { 'x-api-key': issued.api_key } });
    let passed = 0;
    for (let round = 0; round < 3; round += 1) {
      const answers = await Promise.all(Array.from({ length: 80 }, (_, n) => ask(n)));
      passed += answers.filter((answer) => answer.status === 200).length;
    }
    expect(passed).toBeLessThanOrEqual(limit);
    // What one process was granted and could not use is back within a second.
    expect(passed).toBeGreaterThanOrEqual(Math.floor(0.98 * limit));
  });

  it('API-09 USER-12: figures of accounts are the counters that decide', async () => {
    const token = await member();
    const me = (await here.call('GET', '/auth/me', { token })).json;
    const keys = [(await issue(token)).json, (await issue(token)).json];
    for (const { api_key: key } of keys)
      for (let n = 0; n < 4; n += 1) await (n % 2 ? here : there).call('GET', '/alerts?limit=1', { headers: { 'x-api-key': key } });
    // What the other process counted is told within a second.
    for (const callers of [here, there])
      await poll(
        () => callers.call('GET', '/auth/me/usage', { token }),
        (answer) => answer.json.current_usage.today === 8,
        10_000,
      );
    const own = (await here.call('GET', '/auth/me/usage', { token })).json;
    expect(own).toMatchObject({
      limits: { per_minute: 100, per_day: 10_000, per_month: 100_000 },
      current_usage: { today: 8, this_month: 8 },
    });
    const { json } = await there.call('GET', `/auth/admin/usage/limits?q=${me.username}`, { token: admin });
    expect(json.users[0]).toMatchObject({ user_id: me.id, current_usage: { today: 8, this_month: 8 }, refused_today: 0 });
    expect(json.users[0].web_usage.today).toBeGreaterThan(0);
  });
});
