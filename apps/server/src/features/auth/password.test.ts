import { fakeClock } from '@nwms/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuthWorld, authWorld, freshDatabase, usableEngines } from './auth-fixture.ts';
import { createPasswords } from './passwords.ts';
import type { NewUser } from './types.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE_MS = 60_000;
const PASSWORD = 'a quite unusual sentence';

describe.each(usableEngines)('sign-in with a password on $name', (engine) => {
  let world: AuthWorld;
  let close: () => Promise<void>;
  const clock = fakeClock(NOON);
  const account = async (username: string, change: Partial<NewUser> = {}) =>
    world.auth.users.create({
      username,
      email: `${username}@example.org`,
      fullName: null,
      organization: null,
      role: 'user',
      isActive: true,
      specialAccess: false,
      limits: { perMinute: 100, perDay: 1_000, perMonth: 10_000 },
      notes: 'only for administrators',
      provider: 'password',
      passwordHash: await world.auth.passwords.hash(PASSWORD),
      emailVerified: false,
      mustChangePassword: true,
      ...change,
    });
  const login = (username: string, password = PASSWORD, address = '10.1.1.1') =>
    world.call('POST', '/auth/login', { body: { username, password }, address });

  beforeEach(async () => {
    const fresh = await freshDatabase(engine);
    world = await authWorld({ database: fresh.database, clock });
    close = async () => {
      await world.close();
      await fresh.dispose();
    };
    await account('bob');
  });
  afterEach(() => close());

  it('API-01: name or e-mail address in any letter case; remarks stay with administrators', async () => {
    for (const name of ['bob', 'BOB', 'Bob@Example.ORG']) {
      const { status, body } = await login(name);
      expect([name, status]).toEqual([name, 200]);
      expect(body).toMatchObject({
        claimed_admin: false,
        user: { username: 'bob', notes: null, has_password: true, must_change_password: true },
      });
    }
  });

  it('AUTH-05: unknown name, wrong password and account without one are told alike', async () => {
    await account('gina', { passwordHash: null, provider: 'google' });
    const answers = [await login('nobody'), await login('bob', 'wrong'), await login('gina')];
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.error} ${body.detail}`))).toEqual(
      new Set(['401 auth.invalid_credentials User name and password do not belong together.']),
    );
  });

  it('W17: five wrong ones lock this name from this address, for anybody else nothing changes', async () => {
    for (let i = 0; i < 5; i += 1) expect((await login('bob', 'wrong')).status).toBe(401);
    const locked = await login('bob');
    expect([locked.status, locked.body.error]).toEqual([429, 'auth.locked']);
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(29 * 60);
    expect((await login('bob', PASSWORD, '10.1.1.2')).status).toBe(200);
    await account('eve');
    expect((await login('eve')).status).toBe(200);
    await clock.advance(30 * MINUTE_MS);
    expect((await login('bob')).status).toBe(200);
    expect((await login('bob', 'wrong')).status).toBe(401);
    expect((await login('bob')).status).toBe(200);
  });

  it('a name that does not exist locks as one that does', async () => {
    for (let i = 0; i < 5; i += 1) await login('nobody', 'wrong');
    expect((await login('nobody')).body.error).toBe('auth.locked');
  });

  it('guesses in parallel are no way around the lock', async () => {
    world.policy.trustedIps = ['10.1.1.1'];
    const answers = await Promise.all(Array.from({ length: 25 }, (_, i) => login('bob', i < 20 ? `wrong ${i}` : PASSWORD)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(0);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ body }) => body.error === 'auth.locked')).toHaveLength(20);
  });

  it('administrators see the lock and lift it; a success forgets earlier failures', async () => {
    for (let i = 0; i < 5; i += 1) await login('bob', 'wrong');
    const bob = (await world.auth.users.findByName('bob'))!;
    expect((await world.auth.users.lockedUntil([bob])).get(bob.id)).toBe(clock.now() + 30 * MINUTE_MS);
    await world.auth.users.unlock(bob.id);
    expect((await world.auth.users.lockedUntil([bob])).size).toBe(0);
    for (let round = 0; round < 3; round += 1) {
      for (let i = 0; i < 4; i += 1) expect((await login('bob', 'wrong')).status).toBe(401);
      await clock.advance(MINUTE_MS);
      expect((await login('bob')).status).toBe(200);
    }
  });

  it('settings act at once: attempts, length of the lock, verified addresses, trusted addresses', async () => {
    world.policy.maxFailedLoginAttempts = 3;
    world.policy.lockoutDurationMinutes = 1;
    for (let i = 0; i < 3; i += 1) await login('bob', 'wrong');
    expect((await login('bob')).status).toBe(429);
    await clock.advance(MINUTE_MS);
    world.policy.requireEmailVerification = true;
    expect((await login('bob')).body.error).toBe('auth.email_unverified');
    // Who does not know the password learns nothing of the address.
    expect((await login('bob', 'wrong')).body.error).toBe('auth.invalid_credentials');
    world.policy.requireEmailVerification = false;
    world.policy.trustedIps = ['10.1.0.0/16'];
    for (let i = 0; i < 30; i += 1) expect((await login(`nobody${i}`, 'wrong')).status).toBe(401);
  });

  it('F11: 20 failures of one address in a minute, whatever it says in X-Forwarded-For; successes do not count', async () => {
    for (let i = 0; i < 30; i += 1) expect((await login('bob')).status).toBe(200);
    const attempt = (i: number) =>
      world.call('POST', '/auth/login', {
        body: { username: `guess${i}`, password: 'wrong' },
        address: '10.9.9.9',
        headers: { 'x-forwarded-for': `203.0.113.${i}`, forwarded: `for=203.0.113.${i}`, 'x-real-ip': `203.0.113.${i}` },
      });
    const statuses = [];
    for (let i = 0; i < 60; i += 1) statuses.push((await attempt(i)).status);
    expect(statuses.slice(0, 20)).toEqual(Array(20).fill(401));
    expect(statuses.slice(20)).toEqual(Array(40).fill(429));
    await clock.advance(MINUTE_MS);
    expect((await attempt(61)).status).toBe(401);
  });

  it('a switched-off account is told so only after the right password', async () => {
    await account('off', { isActive: false });
    expect((await login('off', 'wrong')).body.error).toBe('auth.invalid_credentials');
    expect((await login('off')).body.error).toBe('auth.account_inactive');
  });

  it('changing the password ends the other sessions and asks for the present one', async () => {
    const [here, there] = [(await login('bob')).body.access_token, (await login('bob')).body.access_token];
    const change = (current_password: string, new_password: string) =>
      world.call('POST', '/auth/password', { token: here, body: { current_password, new_password } });
    expect((await change(PASSWORD, 'short')).body).toMatchObject({
      error: 'user.weak_password',
      detail: 'Password must be at least 6 characters.',
    });
    expect((await change(PASSWORD, 'Password1')).body.detail).toBe('This password is too common.');
    expect((await change(PASSWORD, 'bob@example.org')).body.error).toBe('user.weak_password');
    const wrong = await change('wrong', 'another fine sentence');
    // A 401 would sign the browser out.
    expect([wrong.status, wrong.body.fields[0].name]).toEqual([400, 'current_password']);
    expect((await change(PASSWORD, 'another fine sentence')).status).toBe(204);
    expect((await world.call('GET', '/auth/me', { token: here })).body.must_change_password).toBe(false);
    expect((await world.call('GET', '/auth/me', { token: there })).body.error).toBe('auth.session_ended');
    expect((await login('bob')).status).toBe(401);
    expect((await login('bob', 'another fine sentence')).status).toBe(200);
  });

  it('a password that an administrator chose opens nothing but its change; the same one again is no change', async () => {
    const token = (await login('bob')).body.access_token;
    const sessions = () => world.call('GET', '/auth/sessions', { token });
    expect(await sessions()).toMatchObject({ status: 403, body: { error: 'access.password_change_required' } });
    expect(await world.call('PATCH', '/auth/me', { token, body: { full_name: 'Bob' } })).toMatchObject({ status: 403 });
    expect(await world.call('GET', '/auth/me', { token })).toMatchObject({ status: 200, body: { must_change_password: true } });
    const change = (new_password: string) =>
      world.call('POST', '/auth/password', { token, body: { current_password: PASSWORD, new_password } });
    expect(await change(PASSWORD)).toMatchObject({
      status: 400,
      body: { error: 'user.weak_password', detail: 'Choose another password than the present one.' },
    });
    expect((await sessions()).status).toBe(403);
    expect((await change('another fine sentence')).status).toBe(204);
    expect((await sessions()).status).toBe(200);
    expect((await login('bob', 'another fine sentence')).body.user.must_change_password).toBe(false);
  });

  it('whoever came without that password is asked nothing; one given while they are signed in with it asks at once', async () => {
    const google = await world.signIn('carla@example.org');
    await world.auth.users.change(google.user.id, () => ({ mustChangePassword: true }));
    expect(await world.call('GET', '/auth/me', { token: google.access_token })).toMatchObject({ body: { must_change_password: false } });
    expect((await world.call('GET', '/auth/sessions', { token: google.access_token })).status).toBe(200);
    await account('dora', { mustChangePassword: false });
    const { access_token: token } = (await login('dora')).body;
    expect((await world.call('GET', '/auth/sessions', { token })).status).toBe(200);
    const dora = (await world.auth.users.findByName('dora'))!;
    await world.auth.users.change(dora.id, () => ({ mustChangePassword: true }));
    expect((await world.call('GET', '/auth/sessions', { token })).status).toBe(403);
  });

  it('names are one in all their spellings', async () => {
    await expect(account('BOB')).rejects.toMatchObject({ code: 'user.username_taken', fields: [{ name: 'username', reason: 'conflict' }] });
    await expect(account('ｂｏｂ')).rejects.toMatchObject({ code: 'user.username_taken' });
    await expect(account('bobby', { email: 'BOB@example.org' })).rejects.toMatchObject({ code: 'user.email_taken' });
    const eve = await account('eve');
    await expect(world.auth.users.change(eve.id, () => ({ username: 'Bob' }))).rejects.toMatchObject({ code: 'user.username_taken' });
    const both = await Promise.allSettled([account('twin'), account('Twin')]);
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('R-17: where passwords are taken', () => {
  it('only where they are switched on', async () => {
    const { database, dispose } = await freshDatabase();
    const world = await authWorld({ database, config: { passwordLogin: false } });
    const answer = await world.call('POST', '/auth/login', { body: { username: 'bob', password: 'x' } });
    expect([answer.status, answer.body.error]).toEqual([403, 'auth.password_disabled']);
    expect((await world.call('GET', '/auth/config')).body.password_enabled).toBe(false);
    await world.close();
    await dispose();
  });
});

describe('passwords', () => {
  it('are kept with their own salt and cost, and compared in any keyboard form', async () => {
    const passwords = await createPasswords({ costLog2: 10 });
    const [a, b] = [await passwords.hash('Ａ password'), await passwords.hash('Ａ password')];
    expect(a).not.toBe(b);
    expect(a).toMatch(/^scrypt\$10\$8\$1\$/);
    expect(await passwords.verify('A password', a)).toBe(true);
    expect(await passwords.verify('a password', a)).toBe(false);
    expect(await passwords.verify('A password', 'plain')).toBe(false);
    expect(await passwords.verify('A password', null)).toBe(false);
  });

  it('the 10,000 most common are known, others are not', async () => {
    const { isCommon } = await createPasswords({ costLog2: 10 });
    for (const common of ['123456', 'password1', 'letmein', 'qwerty']) expect(isCommon(common)).toBe(true);
    expect(isCommon('a quite unusual sentence')).toBe(false);
  });

  it('F9: two at once and a bounded queue; more is told to come back', async () => {
    const passwords = await createPasswords({ costLog2: 11 });
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => passwords.verify('x', null)));
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(100 - 34);
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'server.overloaded', retryAfterSeconds: 5 });
  });
});
