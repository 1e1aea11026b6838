import { describe, expect, it } from 'vitest';
import { type AuthWorld, authWorld, freshDatabase, usableEngines } from './auth-fixture.ts';

/** The chaos run plays the 50 trials of 50 that the anchor names (F4). */
const CHAOS = process.env['NWMS_CHAOS'] === '1';
const TRIALS = CHAOS ? 50 : 2;
const LOGINS = 50;
const MAX_TRIES = 20;

type Answer = Awaited<ReturnType<AuthWorld['call']>>;
/** On a machine under load a caller may wait too long for one of five connections and is told so: it comes back, as the answer says. */
async function untilServed(call: () => Promise<Answer>, cameBack: () => void): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await call();
    if (answer.body.error !== 'server.database_unavailable' || tries === MAX_TRIES) return answer;
    cameBack();
  }
}

describe.each(usableEngines)('the first administrator on $name', (engine) => {
  it(`ROLE-02, F4: of ${LOGINS} first sign-ins at once exactly one becomes it`, { timeout: CHAOS ? 600_000 : 120_000 }, async () => {
    let again = 0;
    for (let trial = 0; trial < TRIALS; trial += 1) {
      const { database, second, dispose } = await freshDatabase(engine);
      // SQLite belongs to one process; on PostgreSQL two share the database.
      const worlds = [await authWorld({ database })];
      if (engine.name === 'postgres') worlds.push(await authWorld({ database: await second() }));
      const tokens = await Promise.all(
        Array.from({ length: LOGINS }, async (_, i) => {
          const world = worlds[i % worlds.length]!;
          const body = { name: 'Somebody', email: `person${i}@example.org` };
          return { world, token: (await world.call('POST', '/auth/local/token', { body })).body.token as string };
        }),
      );
      const answers = await Promise.all(
        tokens.map(({ world, token }, i) =>
          untilServed(
            () => world.call('POST', '/auth/google', { body: { token }, address: `10.0.${i}.1` }),
            () => (again += 1),
          ),
        ),
      );
      expect(answers.filter((answer) => answer.status !== 200).map((answer) => [trial, answer.status, answer.body.error])).toEqual([]);
      expect(answers.filter((answer) => answer.body.claimed_admin)).toHaveLength(1);
      expect(answers.filter((answer) => answer.body.user.role === 'admin')).toHaveLength(1);
      expect(await worlds[0]!.auth.users.counts(0)).toMatchObject({ total: LOGINS, admins: 1 });
      for (const world of worlds) await world.close();
      await dispose();
    }
    console.log(`first sign-ins on ${engine.name}: ${TRIALS} x ${LOGINS}, told to come back: ${again}`);
  });

  it('R-44: two administrators who demote each other at once leave one', async () => {
    const { database, second, dispose } = await freshDatabase(engine);
    const worlds = [await authWorld({ database })];
    if (engine.name === 'postgres') worlds.push(await authWorld({ database: await second() }));
    const [here, there = here] = worlds;
    if (!here || !there) throw new Error('no world');
    const a = (await here.signIn('a@example.org')).user;
    const b = (await here.signIn('b@example.org')).user;
    for (let round = 0; round < 5; round += 1) {
      await here.auth.users.change(a.id, () => ({ role: 'admin' }));
      await here.auth.users.change(b.id, () => ({ role: 'admin' }));
      const outcomes = await Promise.allSettled([
        here.auth.users.change(a.id, () => ({ role: 'user' })),
        there.auth.users.change(b.id, () => (round % 2 === 0 ? { role: 'user' } : { isActive: false })),
      ]);
      expect(outcomes.filter((outcome) => outcome.status === 'rejected').map((outcome) => outcome.reason.code)).toEqual([
        'user.last_admin',
      ]);
      await here.auth.users.change(b.id, () => ({ isActive: true }));
    }
    for (const world of worlds) await world.close();
    await dispose();
  });

  it('R-44: the last active administrator is neither deleted, demoted nor switched off', async () => {
    const { database, dispose } = await freshDatabase(engine);
    const world = await authWorld({ database });
    const admin = await world.signIn('a@example.org');
    const refused = await world.call('DELETE', '/auth/me', { token: admin.access_token });
    expect([refused.status, refused.body.error]).toEqual([409, 'user.last_admin']);
    await expect(world.auth.users.change(admin.user.id, () => ({ role: 'user' }))).rejects.toMatchObject({ code: 'user.last_admin' });
    await expect(world.auth.users.change(admin.user.id, () => ({ isActive: false }))).rejects.toMatchObject({ code: 'user.last_admin' });
    await expect(world.auth.users.remove(admin.user.id)).rejects.toMatchObject({ code: 'user.last_admin' });
    await world.close();
    await dispose();
  });

  it('the claim never opens again, even when its account is gone', async () => {
    const { database, dispose } = await freshDatabase(engine);
    const world = await authWorld({ database });
    const first = await world.signIn('a@example.org');
    const other = await world.signIn('b@example.org');
    await world.auth.users.change(other.user.id, () => ({ role: 'admin' }));
    expect((await world.call('DELETE', '/auth/me', { token: first.access_token })).status).toBe(204);
    const again = await authWorld({ database });
    expect((await again.signIn('c@example.org')).user.role).toBe('user');
    expect((await again.call('GET', '/auth/config')).body.first_admin_open).toBe(false);
    await world.close();
    await again.close();
    await dispose();
  });
});

describe('R-16: narrowing who becomes the first administrator', () => {
  it('with ADMIN_EMAILS only a listed, verified address does; others become users', async () => {
    const { database, dispose } = await freshDatabase();
    const world = await authWorld({ database, config: { adminEmails: ['Boss@Example.org'] } });
    expect((await world.signIn('early@example.org')).user.role).toBe('user');
    expect((await world.call('GET', '/auth/config')).body).toMatchObject({ first_admin_open: true, setup_token_required: false });
    expect(await world.signIn('boss@example.org')).toMatchObject({ claimed_admin: true, user: { role: 'admin' } });
    await world.close();
    await dispose();
  });

  it('a public server prints a setup token, keeps its hash only, and takes nobody without it', async () => {
    const { database, dispose } = await freshDatabase();
    const world = await authWorld({ database, config: { isPublic: true } });
    const { setupToken } = await world.auth.start();
    expect(setupToken).toMatch(/^[a-z2-7]{24}$/);
    const kept = await database.app.withTables<{ secrets: { value: string } }>().selectFrom('secrets').selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(setupToken);
    expect((await world.call('GET', '/auth/config')).body).toMatchObject({ first_admin_open: true, setup_token_required: true });
    const { token } = (await world.call('POST', '/auth/local/token', { body: { name: 'A', email: 'a@example.org' } })).body;
    for (const setup_token of [undefined, 'wrong', `${setupToken}x`]) {
      const refused = await world.call('POST', '/auth/google', { body: { token, ...(setup_token ? { setup_token } : {}) } });
      expect([refused.status, refused.body.error]).toEqual([403, 'auth.setup_token_required']);
    }
    // A refusal used nothing up: the same sign-in goes on with the token.
    const accepted = await world.call('POST', '/auth/google', { body: { token, setup_token: setupToken } });
    expect(accepted.body).toMatchObject({ claimed_admin: true });
    expect((await world.signIn('b@example.org')).user.role).toBe('user');
    expect((await world.auth.start()).setupToken).toBeNull();
    await world.close();
    await dispose();
  });

  it('with SIGNUP=invited nobody makes an account of their own but the first administrator', async () => {
    const { database, dispose } = await freshDatabase();
    const world = await authWorld({ database, config: { signup: 'invited' } });
    expect((await world.signIn('a@example.org')).claimed_admin).toBe(true);
    await expect(world.signIn('b@example.org')).rejects.toThrow('auth.not_invited');
    await world.close();
    await dispose();
  });
});
