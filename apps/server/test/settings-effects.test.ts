import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { boot, type Booted } from './boot.ts';
import { type Answer, type Callers, callersOf } from './callers.ts';

const PASSWORD = 'a quite unusual sentence';
const HOUR_MS = 3_600_000;

let product: Booted;
let callers: Callers;
let admin = '';
beforeAll(async () => {
  // A listed proxy says whose request it is, so that each test has addresses of its own.
  product = await boot({ FEED: 'simulator', TRUSTED_PROXIES: '127.0.0.1' });
  await product.until('/health', (health) => health.status === 'healthy');
  callers = callersOf(product.url);
  admin = await callers.signIn('admin@example.org');
}, 90_000);
afterAll(() => product.stop());

const login = (username: string, password: string, address: string): Promise<Answer> =>
  callers.call('POST', '/auth/login', { body: { username, password }, headers: { 'x-forwarded-for': address } });
const me = (token: string) => callers.call('GET', '/auth/me', { token });

describe('R-05: a saved setting acts on the next request, seen from outside', () => {
  it('jwt_expiration_hours: a shorter one ends the sessions that are older', async () => {
    const token = await callers.signIn('early@example.org');
    const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
    // Before the first request: what was read of a session is believed for half a second.
    const rows = new DatabaseSync(join(product.dataDir, 'simulator-1-1x', 'app.db'), { timeout: 5_000 });
    rows.prepare('update sessions set created_at = ? where user_id = ?').run(Date.now() - 2 * HOUR_MS, sub);
    rows.close();
    expect((await me(token)).status).toBe(200);
    await callers.save(admin, { system: { jwt_expiration_hours: 1 } });
    expect(await me(token)).toMatchObject({ status: 401, json: { error: 'auth.token_expired' } });
    expect((await me(admin)).status).toBe(200);
    await callers.save(admin, { system: { jwt_expiration_hours: 24 } });
  });

  it('max_failed_login_attempts and lockout_duration_minutes: three wrong passwords, locked for seven minutes', async () => {
    await callers.addAccount(admin, 'locked-out', PASSWORD);
    await callers.save(admin, { system: { max_failed_login_attempts: 3, lockout_duration_minutes: 7 } });
    const wrong = [];
    for (let n = 0; n < 3; n += 1) wrong.push((await login('locked-out', 'wrong', '203.0.113.20')).status);
    expect(wrong).toEqual([401, 401, 401]);
    const locked = await login('locked-out', PASSWORD, '203.0.113.20');
    expect(locked).toMatchObject({ status: 429, json: { error: 'auth.locked' } });
    expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(6 * 60);
    expect(Number(locked.headers.get('retry-after'))).toBeLessThanOrEqual(7 * 60);
    expect((await login('locked-out', PASSWORD, '203.0.113.21')).status).toBe(200);
    await callers.save(admin, { system: { max_failed_login_attempts: 5, lockout_duration_minutes: 30 } });
  });

  it('enable_session_logging: off, only sign-ins of administrators are written down', async () => {
    const started = async (name: string) =>
      (await callers.call('GET', `/auth/admin/audit?action=session.started&actor=${name}`, { token: admin })).json.entries.length as number;
    await callers.signIn('quiet@example.org');
    expect(await started('quiet')).toBe(1);
    const ofAdmin = await started('admin');
    await callers.save(admin, { security: { enable_session_logging: false } });
    await callers.signIn('quiet@example.org');
    await callers.signIn('admin@example.org');
    expect(await started('quiet')).toBe(1);
    expect(await started('admin')).toBe(ofAdmin + 1);
    await callers.save(admin, { security: { enable_session_logging: true } });
    await callers.signIn('quiet@example.org');
    expect(await started('quiet')).toBe(2);
  });

  it('trusted_ips: who is listed may fail more than 20 times a minute, others may not', async () => {
    const tries = async (address: string) => {
      const answers = [];
      for (let n = 0; n < 25; n += 1) answers.push((await login(`nobody-${n}`, 'wrong', address)).json.error as string);
      return answers;
    };
    await callers.save(admin, { security: { trusted_ips: ['203.0.113.128/25'] } });
    expect(await tries('203.0.113.130')).toEqual(Array(25).fill('auth.invalid_credentials'));
    expect((await tries('203.0.113.30')).slice(20)).toEqual(Array(5).fill('auth.too_many_attempts'));
    await callers.save(admin, { security: { trusted_ips: [] } });
    expect((await tries('203.0.113.130')).slice(20)).toEqual(Array(5).fill('auth.too_many_attempts'));
  });

  it('cors_origins: pages of a listed origin may read the API and open the live feed, until it is taken off', async () => {
    const origin = 'https://friend.example.org';
    const seen = async () => {
      const answer = await callers.call('GET', '/alerts?limit=1', { headers: { origin } });
      return [answer.headers.get('access-control-allow-origin'), await handshake(origin)];
    };
    expect(await seen()).toEqual([null, 403]);
    await callers.save(admin, { security: { cors_origins: [origin] } });
    expect(await seen()).toEqual([origin, 101]);
    await callers.save(admin, { security: { cors_origins: [] } });
    expect(await seen()).toEqual([null, 403]);
  });
});

/** Status of the upgrade that a page of this origin asks for. */
function handshake(origin: string): Promise<number> {
  const socket = new WebSocket(`${product.url.replace('http', 'ws')}/ws/alerts`, { origin });
  return new Promise((done) => {
    socket.once('upgrade', (response) => done(response.statusCode ?? 0));
    socket.once('unexpected-response', (_request, response) => done(response.statusCode ?? 0));
    socket.on('open', () => socket.terminate());
    socket.on('error', () => {});
  });
}
